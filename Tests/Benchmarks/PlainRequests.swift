import BlobStorage
import CPlainRequests
import DiaryModel
import Foundation

/// The C loop over libcurl, for the objects of a blob store.
struct PlainRequests {
  private enum Failure: Error {
    /// The environment has no access key.
    case noKey
    case failedRequests(Int)
  }

  private let location: S3Location
  private let credentials: S3Credentials
  /// The number of connections.
  private let width: Int

  /// Takes the access key from the environment.
  init(_ location: S3Location, width: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    guard let key = environment["AWS_ACCESS_KEY_ID"],
      let secret = environment["AWS_SECRET_ACCESS_KEY"]
    else { throw Failure.noKey }
    (self.location, self.width) = (location, width)
    credentials = S3Credentials(key: key, secret: secret)
  }

  func put(_ blobs: [PendingBlob], _ store: S3BlobStore) throws {
    try send(blobs, store, gets: false)
  }

  func get(_ blobs: [PendingBlob], _ store: S3BlobStore) throws {
    try send(blobs, store, gets: true)
  }

  private func send(_ blobs: [PendingBlob], _ store: S3BlobStore, gets: Bool) throws {
    var texts: [UnsafeMutablePointer<CChar>] = []
    defer { texts.forEach { free($0) } }
    func text(_ string: String) -> UnsafePointer<CChar>? {
      guard let copy = strdup(string) else { return nil }
      texts.append(copy)
      return UnsafePointer(copy)
    }
    let objects = blobs.map { blob in
      leaflog_plain_object(
        url: text(address(of: blob.id, store)), hex_digest: text(blob.id.hex),
        base64_digest: text(Data(blob.id.bytes).base64EncodedString()),
        bytes: blob.bytes.withUnsafeBytes { $0.baseAddress }, byte_count: blob.bytes.count)
    }
    let keys = leaflog_plain_keys(
      key: text(credentials.key), secret: text(credentials.secret),
      region: text(location.settings.region))
    let failed = withExtendedLifetime(blobs) {
      leaflog_plain_requests(gets ? 1 : 0, keys, objects, objects.count, Int32(width))
    }
    guard failed == 0 else { throw Failure.failedRequests(failed) }
  }

  /// The same keys that the store uses.
  private func address(of id: BlobID, _ store: S3BlobStore) -> String {
    let key = store.place(of: id).dropFirst("s3://\(location.bucket)/".count)
    return "\(location.endpoint)/\(location.bucket)/\(key)"
  }
}
