internal import Foundation

/// The place of objects in an S3-compatible store. It holds no secret.
package struct S3Location: Sendable, Hashable, Codable {
  /// `https://host:port`, without a path.
  package let endpoint: String
  package let bucket: String
  /// What all keys begin with: empty, or with a slash at its end.
  package let prefix: String
  /// Part of each signature. Stores without regions take any.
  package var region = "us-east-1"
  /// Whether the bucket is named in the path of a URL; otherwise in front of the host's name.
  package var usesPathStyle = true
  /// As `x-amz-storage-class` has it; nil is the store's default.
  package var storageClass: String?
  /// A file in PEM with the certificates that may vouch for the store; nil are the system's.
  package var authorities: String?

  /// - Parameters:
  ///   - url: `s3://bucket/prefix`
  ///   - endpoint: `https://host` or `http://host:port`
  /// - Throws: `BlobStoreError` with code `invalid`.
  package init(_ url: String, endpoint: String) throws(BlobStoreError) {
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
    self.endpoint = endpoint.trimmingSlashes
    self.bucket = String(bucket)
    prefix = path.isEmpty ? "" : path + "/"
  }

  /// `s3://bucket/prefix`
  package var url: String { "s3://\(bucket)/\(prefix)".trimmingSlashes }

  /// The address of an object, or of the bucket for an empty key.
  func address(of key: String) -> String {
    let key = key.isEmpty ? "" : prefix + key
    if usesPathStyle { return "\(endpoint)/\(bucket)/\(key)".trimmingSlashes }
    let parts = endpoint.split(separator: "//", maxSplits: 1)
    return "\(parts[0])//\(bucket).\(parts[1])/\(key)"
  }

  private static func invalid(_ message: String, _ path: String) -> BlobStoreError {
    BlobStoreError(code: .invalid, message: message, path: path)
  }
}

/// The secret that requests are signed with.
package struct S3Credentials: Sendable, Hashable {
  package let key: String
  package let secret: String

  package init(key: String, secret: String) { (self.key, self.secret) = (key, secret) }
}

extension String {
  fileprivate var trimmingSlashes: String { trimmingCharacters(in: ["/"]) }
}
