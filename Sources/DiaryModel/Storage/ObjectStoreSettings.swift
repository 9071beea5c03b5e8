/// The place of a library's photos in an S3-compatible store. It holds no secret.
public struct ObjectStoreSettings: Sendable, Hashable, Codable {
  /// `s3://bucket/prefix`
  public var url: String
  /// The store's address, such as `https://s3.example.org`.
  public var endpoint: String
  /// Part of each signature. Stores without regions take any.
  public var region = "us-east-1"
  /// Whether the bucket is named in the path of a URL; otherwise in front of the host's name.
  public var usesPathStyle = true
  /// As `x-amz-storage-class` has it; nil is the store's default.
  public var storageClass: String?
  /// When the store gets what is changed in the library.
  public var journal = Journal.sync
  /// A file in PEM with the certificates that may vouch for the store; nil are the system's.
  public var authorities: String?

  public init(url: String, endpoint: String) { (self.url, self.endpoint) = (url, endpoint) }

  /// Whether both name the same place. How it is reached may change while the photos stay.
  package func isAtPlace(of other: ObjectStoreSettings) -> Bool {
    url == other.url && endpoint == other.endpoint
  }

  /// The order of a store's copy of a change, and of the report that it is made.
  public enum Journal: String, Sendable, Codable, CaseIterable {
    /// A change is reported when the store has it.
    case sync
    /// A change is reported when this machine has it, and sent at most ``maxLag`` later: together with others that
    /// were made meanwhile. Of a machine that is lost, so are the changes that were not sent yet.
    case async

    /// How long what the store lacks is held back.
    public static let maxLag = Duration.seconds(5)
  }
}
