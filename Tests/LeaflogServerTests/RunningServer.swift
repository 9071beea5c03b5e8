import BlobStorage
import Foundation
import Leaflog
import LeaflogServer
import Logging
import Synchronization
import TestSupport

/// A server in this process, on a free port, and its library.
struct RunningServer {
  let port: Int
  let library: Library
  private let folder: TemporaryFolder
  private let task: Task<Void, any Error>
  private static let seats = Seats(count: 8)
  static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// - Parameters:
  ///   - paths: photos that it has; four of basil, unless given.
  ///   - options: its port is a free one, and what no test sets ends no request: the processor may be busy.
  ///   - files: the file system that the server sees.
  ///   - access: what the server opens the library for.
  ///   - jobKinds: kinds of jobs besides the standard ones.
  ///   - prepare: changes the library before the server starts.
  init(
    importing paths: [String] = [Fixtures.path("Photos/basil")],
    _ options: ServerOptions = ServerOptions(), clock: WallClock = .system,
    logger: Logger = Self.silence, files: any FileSystem = POSIXFileSystem(),
    access: Library.Access = .writing, isTimeZoneGuess: Bool = false,
    jobKinds: [any JobKind.Type] = [], prepare: (Library) throws -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    let library = try Library.create(
      at: folder.file("library"),
      .init(policy: .exact, timeZone: zone, isTimeZoneGuess: isTimeZoneGuess),
      clock: clock)
    if !paths.isEmpty { _ = try await Importer(library).run(ImportRequest(paths: paths)) { _ in } }
    try prepare(library)
    var options = options
    options.port = 0
    options.limits.wait()
    let ports = AsyncStream<Int>.makeStream()
    task = Task { [options] in
      defer { ports.continuation.finish() }
      let served = try Library.open(at: library.path, for: access, clock: clock, files: files)
      var server = LeaflogServer(served, options)
      server.jobKinds = JobKinds(server.jobKinds.all + jobKinds)
      try await server.run(
        logger: logger, stopsAtSignals: false
      ) { ports.continuation.yield($0) }
      try served.close()
    }
    guard let port = await ports.stream.first(where: { _ in true }) else {
      try await task.value
      throw CocoaError(.executableLoad)
    }
    (self.port, self.library) = (port, library)
  }

  /// Runs a test against it, and stops it.
  static func run(
    importing paths: [String] = [Fixtures.path("Photos/basil")],
    _ options: ServerOptions = ServerOptions(), clock: WallClock = .system,
    logger: Logger = Self.silence, files: any FileSystem = POSIXFileSystem(),
    access: Library.Access = .writing, isTimeZoneGuess: Bool = false,
    jobKinds: [any JobKind.Type] = [], prepare: (Library) throws -> Void = { _ in },
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    await seats.take()
    defer { seats.leave() }
    let server = try await RunningServer(
      importing: paths, options, clock: clock, logger: logger, files: files, access: access,
      isTimeZoneGuess: isTimeZoneGuess, jobKinds: jobKinds, prepare: prepare)
    do { try await body(server) } catch {
      server.task.cancel()
      throw error
    }
    server.task.cancel()
    _ = await server.task.result
    try server.library.close()
  }

  /// Sends a request on a connection of its own.
  ///
  /// - Parameters:
  ///   - headers: lines, besides `Connection: close`; a `Host` that is not among them is added.
  ///   - body: sent with its length, where it is given.
  ///   - address: the client's: one of 127.0.0.0/8.
  func answer(
    _ method: String = "GET", _ path: String, _ headers: [String] = [], body: [UInt8]? = nil,
    from address: String = "127.0.0.1"
  ) async throws -> Answer {
    try await HTTPExchange(port: port, from: address).answer(method, path, headers, body: body)
  }

  /// The same with JSON.
  func answer(
    _ method: String, _ path: String, _ headers: [String] = [], text: String,
    from address: String = "127.0.0.1"
  ) async throws -> Answer {
    try await answer(
      method, path, headers + ["Content-Type: application/json"], body: Array(text.utf8),
      from: address)
  }

  /// Sends a request with a JSON body.
  func write(
    _ method: String, _ path: String, _ json: String = "", _ headers: [String] = []
  ) async throws -> Answer {
    try await answer(method, "/api/v1/" + path, headers, text: json)
  }

  /// Sends bytes as they are, and reads until the server closes the connection.
  ///
  /// - Parameter ends: whether nothing more can come after them.
  func send(
    _ bytes: [UInt8], ends: Bool = false, from address: String = "127.0.0.1"
  ) async throws -> Answer {
    try await HTTPExchange(port: port, from: address).send(bytes, ends: ends)
  }

  /// The same with a text.
  func send(_ text: String, from address: String = "127.0.0.1") async throws -> Answer {
    try await send(Array(text.utf8), from: address)
  }
}

extension RunningServer {
  /// Returns once nobody but the one who asks is connected.
  func waitUntilAlone() async throws { try await wait(untilConnected: 1) }

  /// Returns once so many are connected, the one who asks included.
  func wait(untilConnected count: Int) async throws {
    // Nothing tells when a connection has come or has ended at the other end.
    while true {
      let metrics = String(decoding: try await answer("/metrics").body, as: UTF8.self)
      if metrics.contains("\nleaflog_http_connections \(count).0\n") { return }
    }
  }
}

/// Lets so many servers run at once: with a thousand open files, Foundation's `Process` reads past the end of its list
/// of them.
private final class Seats: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

extension ServerLimits {
  /// Makes the times that no test has set long enough for a busy processor.
  fileprivate mutating func wait() {
    let standard = ServerLimits()
    let times: [WritableKeyPath<ServerLimits, Duration>] = [
      \.handshake, \.head, \.idle, \.bodySpan, \.unauthenticatedBody, \.stalledAnswer,
    ]
    for time in times where self[keyPath: time] == standard[keyPath: time] {
      self[keyPath: time] = .seconds(600)
    }
  }
}
