internal import Glibc
internal import Synchronization
package import SystemPackage

/// Counts operations that change files or end transactions, and makes one of them fail or ends the process there.
///
/// Operations run one at a time, between `enter` and `leave`, so that nothing changes while unsynced changes are
/// reverted.
package final class FaultInjector: @unchecked Sendable {  // `lock`
  /// The kind of an operation, with its letter in a trace.
  package enum Operation: Character, Sendable {
    case folder = "m"
    case creation = "n"
    case opening = "a"
    case write = "w"
    case sync = "s"
    /// A rename or a hard link.
    case naming = "l"
    case folderSync = "y"
    case removal = "r"
    /// Before a transaction begins, before it is committed, and after that; nothing can fail there.
    case boundary = "b"
    /// One of SQLite's writes.
    case page = "p"
    /// Any other operation of SQLite on its files.
    case catalog = "c"
    /// SQLite truncates or removes a file.
    case catalogRemoval = "d"
  }

  /// The injector's decision about an operation.
  package enum Verdict: Sendable, Equatable {
    case proceed, shorten
    case fail(Errno)
  }

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var trace: [Operation] = []
  private var plan: FaultPlan?
  private var isHit = false
  private var isPausing = false
  private var losses: [(part: FaultPlan.Part, drop: () -> Void)] = []

  package init(_ plan: FaultPlan? = nil) {
    self.plan = plan
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Sets the closure that reverts the unsynced changes to a part at a power cut. It is called with the lock held.
  package func onLoss(of part: FaultPlan.Part, _ drop: @escaping () -> Void) {
    withLock { losses.append((part, drop)) }
  }

  /// The operations so far, and whether the plan's was among them.
  package var progress: (trace: [Operation], isHit: Bool) { withLock { (trace, isHit) } }

  /// Resets the count to 0.
  package func arm(_ plan: FaultPlan?) {
    withLock {
      self.plan = plan
      trace = []
      isHit = false
    }
  }

  /// Makes the next operation wait until nothing else is running, so that everything prepared in the meantime is
  /// written together, and every run does the same.
  package func pauseBeforeNext() { withLock { isPausing = true } }

  /// Begins an operation, which is ended by `leave` whatever the verdict.
  package func enter(_ operation: Operation) -> Verdict {
    pthread_mutex_lock(lock)
    if isPausing {
      isPausing = false
      ThreadStates.waitUntilOthersWait()
    }
    let position = trace.count
    trace.append(operation)
    guard let plan, position >= plan.position else { return .proceed }
    let isHere = position == plan.position
    if isHere { isHit = true }
    switch plan.action {
    case .fail(let error): return isHere ? .fail(error) : .proceed
    case .failFromHere(let error): return operation.needsRoom ? .fail(error) : .proceed
    case .shortWrite: return isHere ? .shorten : .proceed
    case .stop(let parts):
      for (part, drop) in losses where parts.contains(part) { drop() }
      kill(getpid(), SIGKILL)
      while true { pause() }
    }
  }

  package func leave() { pthread_mutex_unlock(lock) }

  /// Passes a point that is not an operation: the process may end there, but nothing can fail.
  package func pass() {
    _ = enter(.boundary)
    leave()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

extension FaultInjector.Operation {
  fileprivate var needsRoom: Bool {
    switch self {
    case .removal, .boundary, .catalogRemoval: false
    default: true
    }
  }
}
