internal import BlobStorage

/// The place of a library's photos in an S3-compatible store.
public struct ObjectStoreSettings: Sendable, Hashable, Codable {
  /// `s3://bucket/prefix`
  public var url: String
  /// The store's address, such as `https://s3.example.org`.
  public var endpoint: String
  /// Part of each signature. Stores without regions take any.
  public var region = "us-east-1"
  /// Whether the bucket is named in the path of a URL; otherwise in front of the host's name.
  public var usesPathStyle = true
  /// As the store names it; nil is the store's default.
  public var storageClass: String?
  /// A file in PEM with the certificates that may vouch for the store; nil are the system's.
  public var authorities: String?

  public init(url: String, endpoint: String) { (self.url, self.endpoint) = (url, endpoint) }

  var location: S3Location {
    get throws(BlobStoreError) {
      var location = try S3Location(url, endpoint: endpoint)
      location.region = region
      location.usesPathStyle = usesPathStyle
      location.storageClass = storageClass
      location.authorities = authorities
      return location
    }
  }
}
