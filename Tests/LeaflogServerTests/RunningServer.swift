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
  static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// - Parameters:
  ///   - paths: photos that it has; four of basil, unless given.
  ///   - options: its port is a free one.
  ///   - prepare: changes the library before the server starts.
  init(
    importing paths: [String] = [Fixtures.path("Photos/basil")],
    _ options: ServerOptions = ServerOptions(), clock: WallClock = .system,
    logger: Logger = Self.silence, prepare: (Library) throws -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    let library = try Library.create(
      at: folder.file("library"), .init(policy: .exact, timeZone: zone), clock: clock)
    if !paths.isEmpty { _ = try await Importer(library).run(ImportRequest(paths: paths)) { _ in } }
    try prepare(library)
    var options = options
    options.port = 0
    let ports = AsyncStream<Int>.makeStream()
    task = Task { [options] in
      defer { ports.continuation.finish() }
      let served = try Library.open(at: library.path, clock: clock)
      try await LeaflogServer(served, options).run(
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
    logger: Logger = Self.silence, prepare: (Library) throws -> Void = { _ in },
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    let server = try await RunningServer(
      importing: paths, options, clock: clock, logger: logger, prepare: prepare)
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
    let host = headers.contains { $0.lowercased().hasPrefix("host:") } ? [] : ["Host: localhost"]
    let length = body.map { ["Content-Length: \($0.count)"] } ?? []
    let lines =
      ["\(method) \(path) HTTP/1.1"] + host + headers + length + ["Connection: close", "", ""]
    return try await send(
      Array(lines.joined(separator: "\r\n").utf8) + (body ?? []), from: address)
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
    let port = port
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try Answer(Self.exchange(bytes, port, ends: ends, from: address)) })
      }
    }
  }

  /// The same with a text.
  func send(_ text: String, from address: String = "127.0.0.1") async throws -> Answer {
    try await send(Array(text.utf8), from: address)
  }

  private static func exchange(
    _ bytes: [UInt8], _ port: Int, ends: Bool, from address: String
  ) throws -> [UInt8] {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard connection >= 0 else { throw POSIXError(.ENOTCONN) }
    defer { close(connection) }
    guard on(address, 0, { bind(connection, $0, $1) }) == 0,
      on("127.0.0.1", port, { connect(connection, $0, $1) }) == 0
    else {
      throw POSIXError(.ECONNREFUSED)
    }
    // A server that refuses a request may close the connection before it has read all of it.
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      sent += count
    }
    if ends { shutdown(connection, CInt(SHUT_WR)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }

  /// Calls the system with an address.
  private static func on(
    _ host: String, _ port: Int, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension RunningServer {
  /// Returns once nobody but the one who asks is connected.
  func waitUntilAlone() async throws {
    // Nothing tells when a connection has ended at the other end.
    while true {
      let metrics = String(decoding: try await answer("/metrics").body, as: UTF8.self)
      if metrics.contains("\nleaflog_http_connections 1.0\n") { return }
    }
  }
}

/// The answer to a request.
struct Answer {
  let status: Int
  /// By lower-case name.
  let headers: [String: String]
  let body: [UInt8]

  init(_ bytes: [UInt8]) throws {
    let end = Data(bytes).range(of: Data("\r\n\r\n".utf8))
    guard let end else { throw CocoaError(.fileReadCorruptFile) }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    headers = lines.dropFirst().reduce(into: [:]) { headers, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    body = Array(bytes[end.upperBound...])
  }

  /// The body as a JSON object.
  var json: [String: Any] {
    get throws {
      try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }
  }
}
