import Foundation
import Leaflog
import LeaflogServer
import Logging
import Synchronization
import TestSupport
import Testing

/// The lines of the log that fail2ban counts, by the manual's filter.
@Suite struct Fail2banTests {
  private static let program = ["/usr/bin/fail2ban-regex", "/usr/local/bin/fail2ban-regex"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The lines of a service behind a proxy: wrong secrets of every kind, malformed bodies, and requests that are none.
  private func lines() async throws -> [String] {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { _ in
      LogLines(.logfmt) { line in lines.withLock { $0.append(line) } }
    }
    var options = ServerOptions()
    (options.hostNames, options.proxies) = (["plants.example"], AddressRange.loopback)
    try await RunningServer.run(
      importing: [], options, logger: logger, prepare: { _ = try $0.tokens.add("phone") }
    ) { server in
      for (method, path, type, body, fields) in [
        ("GET", "/api/v1/timeline", "", "", ["Authorization: Bearer x"]),
        ("GET", "/timeline", "", "", ["Cookie: leaflog=x"]),
        ("GET", "/calendar/x.ics", "", "", []),
        ("POST", "/api/v1/session", "application/json", #"{"token":"x"}"#, []),
        ("POST", "/api/v1/session", "application/json", "{", []),
        ("POST", "/sign-in", "application/x-www-form-urlencoded", "token=x", []),
        ("POST", "/pair", "application/x-www-form-urlencoded", "code=x", []),
        // These are no attempts.
        ("GET", "/api/v1/timeline", "", "", []), ("GET", "/healthz", "", "", []),
        ("GET", "/sign-in?back=message=refused%20client=192.0.2.9", "", "", []),
      ] {
        _ = try await server.answer(
          method, path,
          fields + ["X-Forwarded-For: 198.51.100.7, 192.0.2.1", "Content-Type: \(type)"],
          body: Array(body.utf8))
      }
    }
    return lines.withLock { $0 }
  }

  @Test func `each wrong secret has a line with the client's address`() async throws {
    let refused = try await lines().filter { $0.contains(" message=refused ") }
    #expect(refused.count == 7)
    #expect(refused.allSatisfy { $0.contains(" client=192.0.2.1 ") })
  }

  @Test(.enabled(if: program != nil, "fail2ban is not installed (apt: fail2ban)"))
  func `the manual's filter finds these lines and no others`() async throws {
    let manual = try String(
      contentsOfFile: Fixtures.path("../Sources/Leaflog/Leaflog.docc/RunningLeaflog.md"),
      encoding: .utf8)
    let filter = try #require(manual.firstMatch(of: /```ini\n(\[Definition\]\n[^`]*)```/))
    let folder = try TemporaryFolder()
    let log = try await lines()
    let paths = (
      try folder.write(Data((log.joined(separator: "\n") + "\n").utf8), to: "leaflog.log"),
      try folder.write(Data(filter.output.1.utf8), to: "leaflog.conf")
    )
    let result = try Command(library: nil).start(
      [paths.0, paths.1], program: Self.program ?? ""
    ).wait()
    #expect(result.output.contains("\(log.count) lines, 0 ignored, 7 matched"), "\(result.output)")
  }
}
