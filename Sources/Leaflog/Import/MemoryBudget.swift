internal import Foundation
internal import Imaging
internal import Synchronization

/// A memory budget for photos being processed, including the bytes of their files. A request for more
/// than is free waits; a photo larger than the whole budget is processed alone.
final class MemoryBudget: @unchecked Sendable {  // the condition guards all of it
  /// A part of the budget, held until it is released.
  final class Reservation: Sendable {
    private let budget: MemoryBudget
    private let share = Mutex(0)

    fileprivate init(_ budget: MemoryBudget, _ share: Int) {
      self.budget = budget
      self.share.withLock { $0 = share }
    }

    deinit { release() }

    /// Asks for more without waiting: two reservations that waited for each other's share would deadlock.
    ///
    /// - Returns: false when there is not enough; the reservation is unchanged.
    func grow(to byteCount: Int) -> Bool {
      share.withLock { share in
        let wanted = min(byteCount, budget.capacity)
        guard wanted > share else { return true }
        guard budget.take(wanted - share) else { return false }
        share = wanted
        return true
      }
    }

    /// Waits for more if there is not enough, and holds nothing meanwhile: what the former share was for is still in
    /// memory, but others' work comes to an end.
    func enlarge(to byteCount: Int) {
      if grow(to: byteCount) { return }
      release()
      let wanted = min(byteCount, budget.capacity)
      budget.wait(for: wanted)
      share.withLock { $0 = wanted }
    }

    /// Releases everything above `byteCount`.
    func shrink(to byteCount: Int) {
      share.withLock { share in
        guard byteCount < share else { return }
        budget.give(share - byteCount)
        share = byteCount
      }
    }

    func release() { shrink(to: 0) }
  }

  private let condition = NSCondition()
  fileprivate let capacity: Int
  private var available: Int
  /// Requests are served in order, so that small photos cannot keep a large one waiting for ever.
  private var nextTicket = 0
  private var served = 0

  init(byteCount: Int) {
    capacity = byteCount
    available = byteCount
  }

  /// The budget of the process for all photos being processed or waiting to be written, however many imports, uploads
  /// and jobs there are.
  static let ofProcess: MemoryBudget = {
    ProcessMemory.fitBlocks()
    return MemoryBudget(byteCount: ImageLimits().maxWorkingByteCount)
  }()

  /// Reserves memory; waits until that much is free.
  func reserve(_ byteCount: Int) -> Reservation {
    let share = min(byteCount, capacity)
    wait(for: share)
    return Reservation(self, share)
  }

  private func wait(for share: Int) {
    condition.withLock {
      let ticket = nextTicket
      nextTicket += 1
      while served != ticket || available < share { condition.wait() }
      served += 1
      available -= share
      condition.broadcast()
    }
  }

  private func take(_ byteCount: Int) -> Bool {
    condition.withLock {
      guard available >= byteCount else { return false }
      available -= byteCount
      return true
    }
  }

  private func give(_ byteCount: Int) {
    condition.withLock {
      available += byteCount
      condition.broadcast()
    }
  }
}
