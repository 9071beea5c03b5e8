/// The location of a library's photos in an S3-compatible store. It holds no secrets.
public struct ObjectStoreSettings: Sendable, Hashable, Codable {
  /// `s3://bucket/prefix`
  public var url: String
  /// The store's address, such as `https://s3.example.org`.
  public var endpoint: String
  /// Part of each signature. Stores without regions accept any.
  public var region = "us-east-1"
  /// Whether the bucket is named in the path of a URL rather than in its host name.
  public var usesPathStyle = true
  /// The value of `x-amz-storage-class`; nil means the store's default.
  public var storageClass: String?
  /// When changes to the library are sent to the store.
  public var journal = Journal.sync
  /// A PEM file of the certificate authorities to trust for the store; nil means the system's.
  public var authorities: String?

  public init(url: String, endpoint: String) { (self.url, self.endpoint) = (url, endpoint) }

  /// Whether both name the same location. How it is reached may change while the photos stay.
  package func isAtPlace(of other: ObjectStoreSettings) -> Bool {
    url == other.url && endpoint == other.endpoint
  }

  /// Whether a change is reported as done after or before the store has it.
  public enum Journal: String, Sendable, Codable, CaseIterable {
    /// A change is reported once the store has it.
    case sync
    /// A change is reported once this machine has it, and sent at most ``maxLag`` later, together with others made
    /// in the meantime. If the machine is lost, so are the changes not yet sent.
    case async

    /// The longest time for which a change is held back from the store.
    public static let maxLag = Duration.seconds(5)
  }
}
