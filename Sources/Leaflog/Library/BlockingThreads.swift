internal import Foundation
internal import Synchronization

/// Threads for tasks that wait for a disk, a lock or another process. Swift's own threads, of which there is one a core,
/// stay free; those of Dispatch, and so of OperationQueue, are no more on Linux. A thread is started when all others are
/// busy, and one that has nothing to do ends.
// The condition guards what changes.
final class BlockingThreads: TaskExecutor, @unchecked Sendable {
  /// The threads of the process.
  static let shared = BlockingThreads()

  private static let name = "leaflog.waiting"
  private static let patience: TimeInterval = 10

  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var idleCount = 0

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = condition.withLock {
      jobs.append(job)
      guard idleCount >= jobs.count else { return true }
      condition.signal()
      return false
    }
    if needsThread { Thread.detachNewThread { [self] in work() } }
  }

  private func work() {
    Thread.current.name = Self.name
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// The next job; nil when there was none for some time, after which the thread ends.
  private func next() -> UnownedJob? {
    condition.withLock {
      let end = Date(timeIntervalSinceNow: Self.patience)
      while jobs.isEmpty {
        idleCount += 1
        let isLate = !condition.wait(until: end)
        idleCount -= 1
        if isLate, jobs.isEmpty { return nil }
      }
      return jobs.removeFirst()
    }
  }
}

/// Turns at something that only so many may use at a time, in the order in which they are asked for.
final class Turns: Sendable {
  private struct State {
    var freeCount: Int
    var lastNumber = 0
    /// Those whose turn has yet to come; without a continuation, they have asked and do not wait yet.
    var line: [(number: Int, continuation: CheckedContinuation<Void, any Error>?)] = []
  }

  private let state: Mutex<State>

  /// - Parameter count: the number of turns that there are at the same time.
  init(count: Int) { state = Mutex(State(freeCount: count)) }

  /// Runs a call in its turn, in the caller's task and on a thread that may wait. Calls of one actor keep their order.
  ///
  /// - Throws: what the call throws, or `CancellationError` when the task is cancelled before the call begins, even if
  ///   others have not ended theirs.
  nonisolated(nonsending) func run<Value: Sendable>(
    _ body: @Sendable () throws -> Value
  ) async throws -> Value {
    // Asked for before the thread changes: afterwards, later calls could come first.
    let number = ask()
    return try await use(number, body)
  }

  /// Asks for a turn.
  ///
  /// - Returns: nil when there is a free one.
  private func ask() -> Int? {
    state.withLock { state in
      if state.freeCount > 0 {
        state.freeCount -= 1
        return nil
      }
      state.lastNumber += 1
      state.line.append((state.lastNumber, nil))
      return state.lastNumber
    }
  }

  /// Waits for the turn that was asked for.
  private func wait(_ number: Int) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          guard let place = state.line.lastIndex(where: { $0.number == number }) else {
            return .success(())
          }
          // A task that is cancelled after this has been looked at is found in the line.
          guard Task.isCancelled else {
            state.line[place].continuation = continuation
            return nil
          }
          state.line.remove(at: place)
          return .failure(CancellationError())
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.line.lastIndex { $0.number == number && $0.continuation != nil }
          .map { state.line.remove(at: $0) }
      }
      waiting?.continuation?.resume(throwing: CancellationError())
    }
  }

  /// Runs a call once its turn has come, on a thread that none of Swift's own has to be free for.
  @concurrent private func use<Value: Sendable>(
    _ number: Int?, _ body: @Sendable () throws -> Value
  ) async throws -> Value {
    try await withTaskExecutorPreference(BlockingThreads.shared) {
      if let number { try await wait(number) }
      defer { pass() }
      try Task.checkCancellation()
      return try body()
    }
  }

  /// Gives a turn to the next in the line.
  private func pass() {
    let next = state.withLock { state in
      guard state.line.isEmpty else { return state.line.removeFirst().continuation }
      state.freeCount += 1
      return nil
    }
    next?.resume()
  }
}

extension Library {
  /// Runs calls that read, on a thread of the library's own, in the caller's task: they see its cancellation and its
  /// task-local values.
  ///
  /// A read waits for the disk, and in a library that is open for `writingSerially` for a write in progress, too. The plain
  /// calls block the thread they are called on, which must not be one of Swift's own where many tasks do that. Few reads
  /// run at a time: long work is called in `work`. Each call reads for itself: `snapshot` shows several one state.
  ///
  /// - Parameter body: receives the library with its present settings.
  /// - Throws: what the calls throw, or `CancellationError` when the task is cancelled before they begin.
  nonisolated(nonsending) public func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await shared.readers.run { [self] in try body(refreshed()) }
  }

  /// Runs calls that write, on a thread of the library's own, one after the other in the order in which they are asked
  /// for. Other writers, in this process and others, take turns with them. They run in the caller's task: they see its
  /// cancellation and its task-local values. Each call is a change of its own: `change` makes several one.
  ///
  /// - Parameter body: receives the library with its present settings. What it has changed is durable, even if the task
  ///   is cancelled meanwhile.
  /// - Throws: what the calls throw, or `CancellationError` when the task is cancelled before they begin.
  nonisolated(nonsending) public func write<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await shared.writer.run { [self] in try body(refreshed()) }
  }

  /// Runs long work, such as `Backup`, `Verifier` or `PhotoExporter`, in the caller's task. Each call has a thread, and
  /// reads and writes do not wait for it.
  ///
  /// - Parameter body: receives the library with its present settings. When the task is cancelled, the work ends after
  ///   the item that it is at, and its result says so.
  /// - Throws: what the work throws.
  public func work<Value: Sendable>(
    _ body: @Sendable (Library) async throws -> Value
  ) async throws -> Value {
    try await Self.work { try await body(refreshed()) }
  }

  /// Runs long work that opens its libraries itself, such as `Restore` and `Repairer`, on a thread of its own, in the
  /// caller's task.
  ///
  /// - Throws: what the work throws.
  public static func work<Value: Sendable, Failure: Error>(
    _ body: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(BlockingThreads.shared, operation: body)
  }
}
