@preconcurrency internal import Dispatch
internal import Glibc
internal import Synchronization

/// The end of work before it is done: Ctrl-C, a friendly kill, or a terminal that is closed.
package final class Interruption: Sendable {
  private struct State {
    var isHeard = false
    var cancel: (@Sendable () -> Void)?
    var sources: [any DispatchSourceSignal] = []
  }

  private let state = Mutex(State())
  private let executor: (any TaskExecutor)?

  /// One that comes when `hear` is called.
  ///
  /// - Parameter executor: runs the work; Swift's own threads, unless given.
  package init(executor: (any TaskExecutor)? = nil) { self.executor = executor }

  /// One by signals: the first ends the work in order, a second the process at once. They are heard
  /// from now on, which is before the work starts.
  static func bySignals() -> Interruption {
    let interruption = Interruption()
    let sources = [SIGINT, SIGTERM, SIGHUP].map { signal in
      Glibc.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        interruption.hear()
        Glibc.signal(signal, SIG_DFL)
      }
      source.activate()
      return source
    }
    interruption.state.withLock { $0.sources = sources }
    return interruption
  }

  /// Cancels the work.
  package func hear() {
    state.withLock {
      $0.isHeard = true
      return $0.cancel
    }?()
  }

  /// Starts work that an interruption cancels.
  func start<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) -> Task<Result, any Error> {
    let task = Task(executorPreference: executor, operation: work)
    let isHeard = state.withLock {
      $0.cancel = { task.cancel() }
      return $0.isHeard
    }
    if isHeard { task.cancel() }
    return task
  }

  /// The result of work that was started. Nothing is listened for any more once it is there.
  func value<Result: Sendable>(of work: Task<Result, any Error>) async throws -> Result {
    defer { state.withLock { for source in $0.sources { source.cancel() } } }
    return try await work.value
  }
}
