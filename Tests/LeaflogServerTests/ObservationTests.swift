import Foundation
import Leaflog
import LeaflogServer
import Logging
import Synchronization
import TestSupport
import Testing

/// What the service tells of itself.
@Suite struct ObservationTests {
  // MARK: Metrics

  @Test func `requests are counted by route and status, never by path`() async throws {
    try await RunningServer.run { server in
      for path in [
        "/api/v1/plants/basil", "/api/v1/plants/monstera", "/api/v1/secret?q=private",
        "/api/v1/search?q=private",
      ] {
        _ = try await server.answer(path)
      }
      for method in ["PRIVATE", "PROPFIND", "MKCOL"] {
        _ = try await server.answer(method, "/healthz")
      }
      try await server.waitUntilAlone()
      let answer = try await server.answer("/metrics")
      #expect(answer.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
      let lines = String(decoding: answer.body, as: UTF8.self).components(separatedBy: "\n")
      let plants = #"method="GET",route="/api/v1/plants/{name}""#
      for line in [
        "# TYPE leaflog_http_requests_total counter",
        #"leaflog_http_requests_total{\#(plants),status="200"} 1.0"#,
        #"leaflog_http_requests_total{\#(plants),status="404"} 1.0"#,
        #"leaflog_http_requests_total{method="GET",route="none",status="404"} 1.0"#,
        #"leaflog_http_requests_total{method="other",route="none",status="405"} 2.0"#,
        "# TYPE leaflog_http_request_duration_seconds histogram",
        #"leaflog_http_request_duration_seconds_bucket{\#(plants),le="+Inf"} 2"#,
        #"leaflog_http_request_duration_seconds_count{\#(plants)} 2"#,
        "# TYPE leaflog_http_connections gauge", "leaflog_http_connections 1.0",
      ] {
        #expect(lines.contains(line), "\(line)")
      }
      let text = lines.joined().lowercased()
      for word in ["private", "monstera", "secret", "propfind"] { #expect(!text.contains(word)) }
      #expect(lines.last == "")
    }
  }

  @Test func `buckets of a histogram count all that is below`() async throws {
    try await RunningServer.run(importing: []) { server in
      for _ in 0..<5 { _ = try await server.answer("/healthz") }
      let text = String(decoding: try await server.answer("/metrics").body, as: UTF8.self)
      let counts = text.matches(
        of: #/duration_seconds_bucket{method="GET",route="/healthz",le="[^"]+"} (\d+)/#
      ).compactMap { Int($0.output.1) }
      #expect(counts.count == 15 && counts == counts.sorted() && counts.last == 5)
    }
  }

  @Test func `when the last backup ended well is a metric`() async throws {
    try await RunningServer.run(importing: []) { server in
      let folder = try TemporaryFolder()
      _ = try Backup(server.library).run(BackupRequest(path: folder.file("backup"))) { _ in }
      let time = try #require(server.library.store.backups().first).lastSuccess
      let text = String(decoding: try await server.answer("/metrics").body, as: UTF8.self)
      let name = "leaflog_backup_last_success_timestamp_seconds"
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + "{place=") }
      let value = try #require(line?.split(separator: " ").last.flatMap { Double($0) })
      #expect(abs(value - Double(time.milliseconds) / 1000) < 1)
    }
  }

  @Test func `space, entries, jobs and verifications are metrics`() async throws {
    try await RunningServer.run { server in
      _ = try Verifier(server.library).run(VerifyRequest()) { _ in }
      let text = String(decoding: try await server.answer("/metrics").body, as: UTF8.self)
      let values = Dictionary(
        uniqueKeysWithValues: text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
          line -> (String, Double)? in
          let end = line.lastIndex(of: " ") ?? line.endIndex
          return Double(line[end...].dropFirst()).map { (String(line[..<end]), $0) }
        })
      #expect(values["leaflog_photos"] == 4 && values[#"leaflog_entries{kind="photo"}"#] == 4)
      #expect(values[#"leaflog_entries{kind="symptom"}"#] == 0)
      #expect(values[#"leaflog_build_info{version="\#(About.version)"}"#] == 1)
      #expect(values[#"leaflog_jobs{state="running"}"#] == 0)
      #expect(try #require(values["leaflog_disk_free_bytes"]) > 0)
      #expect(values[#"leaflog_verify_faults{extent="quick"}"#] == 0)
      #expect(values[#"leaflog_verify_complete{extent="quick"}"#] == 1)
      #expect(values[#"leaflog_verify_last_timestamp_seconds{extent="quick"}"#] != nil)
      #expect(values[#"leaflog_verify_last_timestamp_seconds{extent="full"}"#] == nil)
      // Again, after a fault.
      let blobs = server.library.path + "/blobs"
      let blob = try #require(
        try FileManager.default.subpathsOfDirectory(atPath: blobs).first { $0.count > 40 })
      try FileManager.default.removeItem(atPath: blobs + "/" + blob)
      var request = VerifyRequest()
      request.readsEverything = true
      _ = try Verifier(server.library).run(request) { _ in }
      let next = String(decoding: try await server.answer("/metrics").body, as: UTF8.self)
      #expect(next.contains(#"leaflog_verify_faults{extent="full"} 1.0"#))
      #expect(next.contains(#"leaflog_verify_faults{extent="quick"} 0.0"#))
    }
  }

  @Test(arguments: [
    ("198.51.100.1", "198.51.100.1"), ("203.0.113.9, 198.51.100.1", "198.51.100.1"),
    ("203.0.113.9, 198.51.100.1, 10.1.2.3, 127.0.0.2", "198.51.100.1"),
    ("10.1.2.3, 10.4.5.6", "10.1.2.3"), ("unknown, 10.1.2.3", "127.0.0.2"), ("", "127.0.0.2"),
    ("10.1.2.3:80", "127.0.0.2"), ("2001:db8::1,10.0.0.1", "2001:db8::1"),
  ])
  func `the client is the last address that is no proxy`(field: String, client: String) async throws
  {
    let lines = Lines()
    var options = ServerOptions()
    options.proxies = ["127.0.0.2", "10.0.0.0/8"].compactMap { AddressRange($0) }
    options.alwaysRequiresToken = true
    try await RunningServer.run(
      importing: [], options, logger: logger(.logfmt, lines),
      prepare: { _ = try $0.tokens.add("phone") }
    ) { server in
      // In one header, and in one for each proxy.
      let parts = field.split(separator: ",").map { "X-Forwarded-For: \($0)" }
      for headers in [["X-Forwarded-For: \(field)"], parts] {
        _ = try await server.answer("GET", "/healthz", headers, from: "127.0.0.2")
      }
      // From elsewhere it counts for nothing.
      _ = try await server.answer(
        "GET", "/healthz", ["X-Forwarded-For: \(field)"], from: "127.0.0.1")
    }
    let clients = lines.text.compactMap { $0.firstMatch(of: /client=(\S+)/)?.1 }
    #expect(clients == [client[...], client[...], "127.0.0.1"])
  }

  @Test func `whoever may not read the diary may not read the metrics`() async throws {
    try await AccessFixture.run { fixture in
      let refused = try await fixture.server.answer("/metrics")
      #expect(refused.status == 401)
      let answer = try await fixture.server.answer("/metrics", [fixture.bearer])
      #expect(answer.status == 200)
    }
  }

  // MARK: The log

  /// The lines that a log has, as a test sees them.
  private final class Lines: Sendable {
    private let all = Mutex<[String]>([])

    func add(_ line: String) { all.withLock { $0.append(line) } }

    var text: [String] { all.withLock { $0 } }
  }

  private func logger(_ format: LogLines.Format, _ lines: Lines) -> Logger {
    Logger(label: "test") { _ in
      LogLines(format, clock: TestClock(at: .noonInJune).wallClock) { lines.add($0) }
    }
  }

  @Test func `a request has a line, with its id and without words of the diary`() async throws {
    let lines = Lines()
    try await RunningServer.run(logger: logger(.json, lines)) { server in
      let answer = try await server.answer("/api/v1/search?q=basil", ["X-Request-Id: abc-1"])
      #expect(answer.headers["x-request-id"] == "abc-1")
      let plant = try await server.answer("/api/v1/plants/basil")
      let id = try #require(plant.headers["x-request-id"])
      let requests = try lines.text.compactMap { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
      }.filter { $0["message"] == "request" }
      #expect(requests.map { $0["request"] } == ["abc-1", id])
      #expect(requests.map { $0["route"] } == ["/api/v1/search", "/api/v1/plants/{name}"])
      #expect(requests.allSatisfy { $0["status"] == "200" && $0["level"] == "info" })
      #expect(requests.allSatisfy { $0["time"] == "2026-06-01T12:00:00Z" })
      #expect(requests.allSatisfy { $0["client"] == "127.0.0.1" && $0["method"] == "GET" })
      #expect(!lines.text.joined().contains("basil"))
    }
  }

  @Test(arguments: ["a b", "", String(repeating: "x", count: 65), "a\"b", "ä", "a=b"])
  func `an id that could be taken for something else is replaced`(id: String) async throws {
    try await RunningServer.run(importing: []) { server in
      let answer = try await server.answer("/healthz", ["X-Request-Id: \(id)"])
      let given = try #require(answer.headers["x-request-id"])
      #expect(given != id && given.wholeMatch(of: /[0-9a-f]{1,16}/) != nil)
    }
  }

  @Test func `lines for systemd's journal begin with their priority and have no time`() {
    let lines = Lines()
    var logger = Logger(label: "test") { _ in
      LogLines(.logfmt, isForJournal: true) { lines.add($0) }
    }
    logger.logLevel = .trace
    for level in Logger.Level.allCases { logger.log(level: level, "told", metadata: ["a": "1"]) }
    #expect(
      lines.text == [
        "<7>level=trace message=told a=1", "<7>level=debug message=told a=1",
        "<6>level=info message=told a=1", "<5>level=notice message=told a=1",
        "<4>level=warning message=told a=1", "<3>level=error message=told a=1",
        "<2>level=critical message=told a=1",
      ])
  }

  @Test func `a value that is no plain word is quoted`() {
    let lines = Lines()
    let logger = logger(.logfmt, lines)
    logger.info("two words", metadata: ["a": "x=1", "b": "line\nend \"q\"", "c": "", "d": "plain"])
    logger.debug("unseen")
    #expect(
      lines.text == [
        "time=2026-06-01T12:00:00Z level=info message=\"two words\" a=\"x=1\" "
          + #"b="line\nend \"q\"" c="" d=plain"#
      ])
  }
}
