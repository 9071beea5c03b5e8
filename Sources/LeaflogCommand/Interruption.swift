@preconcurrency internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C, a friendly kill and a terminal that is closed: the first ends the work in order, a second at
/// once. Heard from when it is made, which is before the work starts.
final class Interruption: Sendable {
  private final class Hearing: Sendable {
    private struct State {
      var isHeard = false
      var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func hear() {
      state.withLock {
        $0.isHeard = true
        return $0.cancel
      }?()
    }

    func cancels(_ cancel: @escaping @Sendable () -> Void) {
      let isHeard = state.withLock {
        $0.cancel = cancel
        return $0.isHeard
      }
      if isHeard { cancel() }
    }
  }

  private let hearing: Hearing
  private let sources: [any DispatchSourceSignal]

  init() {
    let hearing = Hearing()
    self.hearing = hearing
    sources = [SIGINT, SIGTERM, SIGHUP].map { signal in
      Glibc.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        hearing.hear()
        Glibc.signal(signal, SIG_DFL)
      }
      source.activate()
      return source
    }
  }

  /// What the work comes to, which an interruption cancels.
  func value<Result: Sendable>(of work: Task<Result, any Error>) async throws -> Result {
    defer { sources.forEach { $0.cancel() } }
    hearing.cancels { work.cancel() }
    return try await work.value
  }
}
