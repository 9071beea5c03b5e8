internal import DiaryModel
internal import Synchronization

/// The digests of photos that are being imported right now, so that two files with the same bytes are
/// not both processed.
final class DigestReservations: Sendable {
  private let digests = Mutex<Set<BlobID>>([])

  /// Reserves a digest; false when another file with these bytes is in progress.
  func reserve(_ digest: BlobID) -> Bool { digests.withLock { $0.insert(digest).inserted } }

  func release(_ digest: BlobID) { _ = digests.withLock { $0.remove(digest) } }
}
