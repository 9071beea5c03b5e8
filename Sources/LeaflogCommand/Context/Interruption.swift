@preconcurrency internal import Dispatch
internal import Glibc
internal import Leaflog
internal import Synchronization

/// An interruption of work before it is done: Ctrl-C, SIGTERM, or a closed terminal.
package final class Interruption: Sendable {
  private struct State {
    var isHeard = false
    var cancel: (@Sendable () -> Void)?
    var sources: [any DispatchSourceSignal] = []
  }

  private let state = Mutex(State())
  private let executor: (any TaskExecutor)?

  /// Creates an interruption that is triggered by `hear`.
  ///
  /// - Parameter executor: runs the work; by default, Swift's own threads.
  package init(executor: (any TaskExecutor)? = nil) { self.executor = executor }

  /// Creates an interruption that is triggered by signals: the first ends the work cleanly, a second ends the process
  /// at once. It listens from now on, before the work starts.
  static func bySignals() -> Interruption {
    let interruption = Interruption()
    let signals = [SIGINT, SIGTERM] + (ImportProcess.ignoresHangup ? [] : [SIGHUP])
    let sources = signals.map { signal in
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

  /// The result of work that was started. It stops listening once the result is there.
  func value<Result: Sendable>(of work: Task<Result, any Error>) async throws -> Result {
    defer { state.withLock { for source in $0.sources { source.cancel() } } }
    return try await work.value
  }
}

/// A report of work on many things, each told once it is done.
protocol WorkReport: Sendable {
  func end(isInterrupted: Bool)
  /// The status that the command ends with, unless it was interrupted.
  var status: ExitStatus { get }
}

extension CommandContext {
  /// Does work that an interruption ends early, and ends its report. Throws unless all of the work was done.
  ///
  /// - Parameter work: returns whether it was interrupted.
  func run(
    _ report: some WorkReport, _ work: @escaping @Sendable () async throws -> Bool
  ) async throws {
    let interruption = process.interruption()
    let isInterrupted = try await interruption.value(of: interruption.start(work))
    report.end(isInterrupted: isInterrupted)
    if isInterrupted { throw ExitStatus.interrupted.exitCode }
    if report.status != .done { throw report.status.exitCode }
  }
}
