@preconcurrency internal import Dispatch
internal import Glibc

/// Ctrl-C, a friendly kill and a terminal that is closed: the first ends the work in order, a second at once.
final class Interruption: Sendable {
  private let sources: [any DispatchSourceSignal]

  init(_ cancel: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { signal in
      Glibc.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        cancel()
        Glibc.signal(signal, SIG_DFL)
      }
      source.activate()
      return source
    }
  }

  func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    defer { sources.forEach { $0.cancel() } }
    return try await body()
  }
}
