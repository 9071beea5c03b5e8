internal import DiaryModel
internal import Synchronization

/// The digests of photos that are being imported right now, so that two files with the same bytes
/// are not both worked on.
final class DigestReservations: Sendable {
  private let digests = Mutex<Set<BlobID>>([])

  /// False when another file with these bytes is under way.
  func reserve(_ digest: BlobID) -> Bool { digests.withLock { $0.insert(digest).inserted } }

  func release(_ digest: BlobID) { _ = digests.withLock { $0.remove(digest) } }
}
