internal import Glibc
internal import Synchronization
package import SystemPackage

/// Counts operations that change files or end transactions, lets one of them go wrong, or ends the
/// process there.
///
/// Operations run one at a time, between `enter` and `leave`, so that nothing changes while unsynced
/// changes are taken back.
package final class FaultInjector: @unchecked Sendable {  // `lock`
  /// The kind of an operation, by its letter in a trace.
  package enum Operation: Character, Sendable {
    case file = "f"
    case removal = "r"
    /// Before a transaction begins, before it is committed, after; nothing can fail there.
    case boundary = "b"
    /// One of SQLite's writes.
    case page = "p"
    /// Any other operation of SQLite on its files.
    case catalog = "c"
    /// SQLite makes a file shorter or removes it.
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

  /// Sets the closure that takes back a part's unsynced changes at a power cut. It is called with the
  /// lock held.
  package func onLoss(of part: FaultPlan.Part, _ drop: @escaping () -> Void) {
    withLock { losses.append((part, drop)) }
  }

  /// The operations so far, and whether the plan's was among them.
  package var progress: (trace: [Operation], isHit: Bool) { withLock { (trace, isHit) } }

  /// Counts from 0 again.
  package func arm(_ plan: FaultPlan?) {
    withLock {
      self.plan = plan
      trace = []
      isHit = false
    }
  }

  /// Lets the next operation wait until nothing else is at work, so that all that is made ready
  /// meanwhile is written together, and each run does the same.
  package func pauseBeforeNext() { withLock { isPausing = true } }

  /// Begins an operation, which `leave` ends, whatever the verdict.
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

  /// A place that is no operation: the process may end there, and nothing can fail.
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
  fileprivate var needsRoom: Bool { self == .file || self == .page || self == .catalog }
}
