internal import Foundation
internal import Synchronization

/// Threads that run calls which wait for a disk, a lock or another process, in the order in which they were asked for.
/// Swift's own threads, of which there is one a core, stay free; those of Dispatch, and so of OperationQueue, are no more
/// on Linux. A thread that has nothing to do ends.
final class BlockingThreads: @unchecked Sendable {  // the condition guards what changes
  /// A call that has yet to run.
  private final class Call: Sendable {
    private enum State {
      case asked
      case waiting(run: @Sendable () -> Void, cancel: @Sendable () -> Void)
      case over
    }

    private let state = Mutex(State.asked)

    /// Waits until it is run or cancelled, one of which is called; if it is cancelled already, that is done now.
    func wait(run: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
      let isOver = state.withLock { state in
        guard case .asked = state else { return true }
        state = .waiting(run: run, cancel: cancel)
        return false
      }
      if isOver { cancel() }
    }

    func run() { end()?.run() }

    func cancel() { end()?.cancel() }

    private func end() -> (run: @Sendable () -> Void, cancel: @Sendable () -> Void)? {
      state.withLock { state in
        defer { state = .over }
        if case .waiting(let run, let cancel) = state { return (run, cancel) }
        return nil
      }
    }
  }

  private static let patience: TimeInterval = 10

  private let maxCount: Int
  private let condition = NSCondition()
  private var calls: [Call] = []
  private var count = 0
  private var idleCount = 0

  /// - Parameter count: how many threads there are at most.
  init(count: Int) { maxCount = count }

  /// Runs a call, unless the task is cancelled before its turn comes.
  ///
  /// - Throws: what the call throws, or `CancellationError`.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let call = Call()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.wait {
          continuation.resume(with: Result { try body() })
        } cancel: {
          continuation.resume(throwing: CancellationError())
        }
        add(call)
      }
    } onCancel: {
      call.cancel()
    }
  }

  private func add(_ call: Call) {
    let needsThread = condition.withLock {
      calls.append(call)
      if idleCount >= calls.count || count == maxCount {
        condition.signal()
        return false
      }
      count += 1
      return true
    }
    if needsThread { Thread.detachNewThread { [self] in work() } }
  }

  private func work() {
    while let call = next() { call.run() }
  }

  /// The next call; nil when there was none for some time, after which the thread ends.
  private func next() -> Call? {
    condition.withLock {
      let end = Date(timeIntervalSinceNow: Self.patience)
      while calls.isEmpty {
        idleCount += 1
        let isLate = !condition.wait(until: end)
        idleCount -= 1
        if isLate, calls.isEmpty {
          count -= 1
          return nil
        }
      }
      return calls.removeFirst()
    }
  }
}

extension Library {
  /// Runs calls that read, on a thread of the library's own.
  ///
  /// A read waits for the disk, and in a library that is open for `editing` for a write in progress, too. The plain
  /// calls block the thread they are called on, which must not be one of Swift's own where many tasks do that.
  ///
  /// - Parameter body: receives the library with its present settings. It is not interrupted once it runs.
  /// - Throws: what the calls throw, or `CancellationError` when the task is cancelled before they begin.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await shared.readers.run { [self] in try body(refreshed()) }
  }

  /// Runs calls that write, on a thread of the library's own, one after the other in the order in which they are asked
  /// for. Other writers, in this process and others, take turns with them.
  ///
  /// - Parameter body: receives the library with its present settings. It is not interrupted once it runs: what it has
  ///   changed is durable, even if the task is cancelled meanwhile.
  /// - Throws: what the calls throw, or `CancellationError` when the task is cancelled before they begin.
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await shared.writer.run { [self] in try body(refreshed()) }
  }
}
