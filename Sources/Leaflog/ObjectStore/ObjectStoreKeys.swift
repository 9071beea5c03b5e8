package import BlobStorage
public import Foundation
internal import Glibc

/// Finds the access key of an object store. The key is never written into a library.
///
/// The sources are, in this order: the variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; the file that
/// `AWS_SHARED_CREDENTIALS_FILE` names; `leaflog/credentials` in the configuration folder of the XDG specification.
/// The file has the format of AWS's: a section `[default]`, or the one that `AWS_PROFILE` names, with
/// `aws_access_key_id` and `aws_secret_access_key`.
public struct ObjectStoreKeys: Sendable {
  private let environment: [String: String]
  /// The retry policy of clients that get their key here.
  package var policy = RetryPolicy()

  /// - Parameter environment: the variables of the process.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  private var file: String {
    if let path = value("AWS_SHARED_CREDENTIALS_FILE") { return path }
    let configuration = value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (configuration ?? (value("HOME") ?? NSHomeDirectory()) + "/.config")
      + "/leaflog/credentials"
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  package func client(_ location: S3Location) -> S3Client {
    S3Client(location, find(for: location.url), policy: policy)
  }

  private func find(for url: String) -> Result<S3Credentials, BlobStoreError> {
    if let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      return .success(S3Credentials(key: key, secret: secret))
    }
    let file = file
    guard let data = FileManager.default.contents(atPath: file) else {
      return missing(
        "There is no access key for \(url). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them "
          + "into \(file).", file)
    }
    var status = stat()
    guard stat(file, &status) == 0, status.st_mode & 0o077 == 0 else {
      return missing(
        "Others can read the secret in \(file). Let nobody but its owner read it.", file)
    }
    let section = value("AWS_PROFILE") ?? "default"
    let values = Self.values(in: String(decoding: data, as: UTF8.self), section: section)
    guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
      return missing(
        "\(file) has no aws_access_key_id and aws_secret_access_key in a section [\(section)].",
        file)
    }
    return .success(S3Credentials(key: key, secret: secret))
  }

  private func missing(_ message: String, _ path: String) -> Result<S3Credentials, BlobStoreError> {
    .failure(BlobStoreError(code: .refused, message: message, path: path))
  }

  private static func values(in text: String, section: String) -> [String: String] {
    var values: [String: String] = [:]
    var current = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("["), line.hasSuffix("]") {
        current = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
      } else if current == section, !line.hasPrefix("#"), !line.hasPrefix(";") {
        let parts = line.split(separator: "=", maxSplits: 1)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2 { values[parts[0].lowercased()] = parts[1] }
      }
    }
    return values
  }
}
