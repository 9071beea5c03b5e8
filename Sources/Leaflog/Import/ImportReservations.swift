internal import DiaryModel
internal import Foundation
internal import Synchronization

/// The digests of photos that are being imported right now, so that two files with the same bytes
/// are not both worked on.
final class DigestReservations: Sendable {
  private let digests = Mutex<Set<BlobID>>([])

  /// False when another file with these bytes is under way.
  func reserve(_ digest: BlobID) -> Bool { digests.withLock { $0.insert(digest).inserted } }

  func release(_ digest: BlobID) { _ = digests.withLock { $0.remove(digest) } }
}

/// Memory for pictures at work. Whoever asks for more than there is waits; a picture larger than
/// all of it is worked on alone.
final class MemoryBudget: @unchecked Sendable {  // the condition guards all of it
  private let condition = NSCondition()
  private let capacity: Int
  private var available: Int
  /// Whose turn it is, so that a large picture is not kept waiting by small ones for ever.
  private var nextTicket = 0
  private var served = 0

  init(byteCount: Int) {
    capacity = byteCount
    available = byteCount
  }

  func withReservation<Result>(of byteCount: Int, _ body: () throws -> Result) rethrows -> Result {
    let share = min(byteCount, capacity)
    condition.withLock {
      let ticket = nextTicket
      nextTicket += 1
      while served != ticket || available < share { condition.wait() }
      served += 1
      available -= share
      condition.broadcast()
    }
    defer {
      condition.withLock {
        available += share
        condition.broadcast()
      }
    }
    return try body()
  }
}
