package import DiaryModel
internal import Foundation

/// The location of objects in an S3-compatible store, parsed from its settings.
package struct S3Location: Sendable, Hashable {
  package let settings: ObjectStoreSettings
  /// `https://host:port`, without a path.
  package let endpoint: String
  package let bucket: String
  /// The beginning of all keys: empty, or ending in a slash.
  package let prefix: String

  /// - Throws: `BlobStoreError` with code `invalid` when the URL or the endpoint is malformed.
  package init(_ settings: ObjectStoreSettings) throws(BlobStoreError) {
    let (url, endpoint) = (settings.url, settings.endpoint)
    let name = #/[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]/#
    let keys = #/[A-Za-z0-9._\-]+(/[A-Za-z0-9._\-]+)*/#
    let rest = url.hasPrefix("s3://") ? String(url.dropFirst(5)) : ""
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bucket = parts.first, bucket.wholeMatch(of: name) != nil else {
      throw Self.invalid("“\(url)” names no bucket: write s3://bucket or s3://bucket/prefix.", url)
    }
    let path = parts.dropFirst().joined().trimmingSlashes
    guard path.isEmpty || path.wholeMatch(of: keys) != nil,
      !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else {
      throw Self.invalid(
        "The prefix of \(url) may have letters, digits, “.”, “-” and “_” only.", url)
    }
    guard let address = URL(string: endpoint), let host = address.host, !host.isEmpty,
      ["http", "https"].contains(address.scheme), address.query == nil, address.user == nil,
      ["", "/"].contains(address.path)
    else {
      throw Self.invalid(
        "“\(endpoint)” is no endpoint: write the store's address, such as https://s3.example.org.",
        endpoint)
    }
    self.settings = settings
    self.endpoint = endpoint.trimmingSlashes
    self.bucket = String(bucket)
    prefix = path.isEmpty ? "" : path + "/"
  }

  /// `s3://bucket/prefix`
  package var url: String { "s3://\(bucket)/\(prefix)".trimmingSlashes }

  /// The address of an object, or of the bucket for an empty key.
  func address(of key: String) -> String {
    let key = key.isEmpty ? "" : prefix + key
    if settings.usesPathStyle { return "\(endpoint)/\(bucket)/\(key)".trimmingSlashes }
    let parts = endpoint.split(separator: "//", maxSplits: 1)
    return "\(parts[0])//\(bucket).\(parts[1])/\(key)"
  }

  private static func invalid(_ message: String, _ path: String) -> BlobStoreError {
    BlobStoreError(code: .invalid, message: message, path: path)
  }
}

/// The access key and the secret that requests are signed with.
package struct S3Credentials: Sendable, Hashable {
  package let key: String
  package let secret: String

  package init(key: String, secret: String) { (self.key, self.secret) = (key, secret) }
}

extension String {
  fileprivate var trimmingSlashes: String { trimmingCharacters(in: ["/"]) }
}
