import Foundation
import Glibc
import Leaflog
import LeaflogServer
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport

/// A server in this process that is stopped in order, and can be started again in the same library.
final class JobServer: Sendable {
  private struct Running {
    let port: Int
    let group: ServiceGroup
    let task: Task<Void, any Error>
  }

  let folder: TemporaryFolder
  let library: Library
  private let jobPatience: Duration
  private let access: Library.Access
  private let running = Mutex<Running?>(nil)

  /// - Parameters:
  ///   - paths: photos that its library has.
  ///   - jobPatience: how long it waits for a job when it stops.
  ///   - access: what it opens the library for.
  init(
    importing paths: [String] = [], jobPatience: Duration = .seconds(300),
    access: Library.Access = .reading
  ) async throws {
    (self.jobPatience, self.access) = (jobPatience, access)
    folder = try TemporaryFolder()
    let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    library = try Library.create(
      at: folder.file("library"), .init(policy: .exact, timeZone: zone))
    if !paths.isEmpty {
      _ = try await Importer(library).run(ImportRequest(paths: paths)) { _ in }
    }
    try await start()
  }

  /// A second one of the same library.
  init(beside other: JobServer) async throws {
    (folder, library) = (other.folder, other.library)
    (jobPatience, access) = (other.jobPatience, other.access)
    try await start()
  }

  /// Runs a test against it, and stops it.
  static func run(
    importing paths: [String] = [], _ body: (JobServer) async throws -> Void
  ) async throws {
    let server = try await JobServer(importing: paths)
    do { try await body(server) } catch {
      try await server.stop()
      throw error
    }
    try await server.stop()
    try server.library.close()
  }

  private struct Served: Service {
    let path: String
    let jobPatience: Duration
    let access: Library.Access
    let ports: AsyncStream<Int>.Continuation

    func run() async throws {
      defer { ports.finish() }
      let served = try Library.open(at: path, for: access)
      var options = ServerOptions()
      options.port = 0
      var server = LeaflogServer(served, options)
      server.jobKinds = JobKinds(server.jobKinds.all + [SteppedJob.self, StubbornJob.self])
      // Other tests keep the processor busy.
      server.patience.all = .seconds(300)
      server.patience.job = jobPatience
      try await server.run(logger: .silent, stopsAtSignals: false) { ports.yield($0) }
      try served.close()
    }
  }

  func start() async throws {
    let ports = AsyncStream<Int>.makeStream()
    let group = ServiceGroup(
      services: [
        Served(
          path: library.path, jobPatience: jobPatience, access: access, ports: ports.continuation)
      ], logger: .silent)
    let task = Task { try await group.run() }
    guard let port = await ports.stream.first(where: { _ in true }) else {
      try await task.value
      throw CocoaError(.executableLoad)
    }
    running.withLock { $0 = Running(port: port, group: group, task: task) }
  }

  /// As a signal does, and waits for the end.
  func stop() async throws {
    guard let running = running.withLock({ $0.take() }) else { return }
    await running.group.triggerGracefulShutdown()
    try await running.task.value
  }

  var port: Int { running.withLock { $0?.port ?? 0 } }

  /// The list of jobs as it is on the disk.
  var list: URL { URL(fileURLWithPath: library.path + "/jobs.json") }

  // MARK: Requests

  func answer(
    _ method: String, _ path: String, _ body: String? = nil, headers: [String] = []
  ) async throws -> Answer {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
    if let body {
      lines += ["Content-Length: \(body.utf8.count)"]
      if !headers.contains(where: { $0.hasPrefix("Content-Type") }) {
        lines += ["Content-Type: application/json"]
      }
    }
    let text = (lines + ["", body ?? ""]).joined(separator: "\r\n")
    let port = port
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try Answer(Loopback.exchange(Array(text.utf8), port)) })
      }
    }
  }

  func post(_ body: String) async throws -> Answer {
    try await answer("POST", "/api/v1/jobs", body)
  }

  func job(_ id: String) async throws -> [String: Any] {
    try await answer("GET", "/api/v1/jobs/\(id)").json
  }

  /// The states of all jobs, the newest first.
  func states() async throws -> [String] {
    let list = try await answer("GET", "/api/v1/jobs").json["items"] as? [[String: Any]]
    return (list ?? []).compactMap { $0["state"] as? String }
  }

  func events(of id: String, last: Int? = nil) throws -> EventReader {
    try EventReader(port: port, "/api/v1/jobs/\(id)/events", last: last)
  }

  /// Posts a job and waits for its end.
  func run(_ body: String) async throws -> ServerEvent.Job {
    let answer = try await post(body)
    guard let id = try answer.json["id"] as? String else {
      throw UnexpectedAnswer(text: String(decoding: answer.body, as: UTF8.self))
    }
    return try await end(of: id)
  }

  func end(of id: String) async throws -> ServerEvent.Job {
    for await event in try events(of: id).events where event.name == "end" { return event.job }
    throw UnexpectedAnswer(text: "the events of \(id) ended without `end`")
  }
}

struct UnexpectedAnswer: Error {
  let text: String
}

extension Logger {
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// The lock of a library, held as another process holds it.
final class LibraryLock {
  private let file: CInt

  init?(_ library: Library) {
    file = open(library.path + "/lock", O_RDWR)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { return nil }
  }

  func release() { flock(file, LOCK_UN) }

  deinit { close(file) }
}
