import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// Connections of clients that are slow, greedy or wrong, and of others beside them.
@Suite struct ConnectionTests {
  private static let head = "Host: localhost\r\n"
  private static let get = "GET /healthz HTTP/1.1\r\n\(head)\r\n"
  private static let post =
    "POST /api/v1/session HTTP/1.1\r\n\(head)Content-Type: application/json\r\n"

  /// A server without photos and with a token, whose limits are changed.
  private func serve(
    _ change: (inout ServerLimits) -> Void = { _ in },
    _ body: (AccessFixture) async throws -> Void
  ) async throws {
    var options = ServerOptions()
    change(&options.limits)
    try await AccessFixture.run(options, body)
  }

  private func statuses(_ text: String) -> [Int] {
    text.matches(of: #/HTTP/1\.1 (\d{3}) /#).compactMap { Int($0.output.1) }
  }

  // MARK: What cannot be decoded for sure

  static let forms = [
    post + "Content-Length: 13\r\nContent-Length: 14\r\n\r\n",
    post + "Content-Length: 13\r\nContent-Length: 13\r\n\r\n",
    post + "Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\nContent-Length: 13\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: identity\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", post + "Content-Length: 5,5\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}X0\r\n\r\n",
    post
      + "Transfer-Encoding: chunked\r\n\r\n0\r\n\(String(repeating: "x: y\r\n", count: 200))\r\n",
    post + "Content-Length: +2\r\n\r\n{}", post + "Content-Length: -1\r\n\r\n",
    post + "Content-Length: 0x2\r\n\r\n", post + "Content-Length:\r\n\r\n",
    post + "Content-Length: 99999999999999999999999\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n",
    "GET /healthz HTTP/1.1\rHost: localhost\r\r", "GET /healthz HTTP/1.1\nHost: localhost\n\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \0\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\(head)X: \(String(repeating: "x", count: 17_000))\r\n\r\n",
    "GET /\(String(repeating: "x", count: 17_000)) HTTP/1.1\r\n\(head)\r\n",
    "GET /healthz HTTP/1.1\r\n\(head)\(String(repeating: "a: b\r\n", count: 101))\r\n",
    "GET /healthz HTTP/2.0\r\n\(head)\r\n", "GET /healthz\r\n\r\n", "\u{16}\u{3}\u{1}\0",
    "GE(T /healthz HTTP/1.1\r\n\(head)\r\n",
  ]

  @Test(arguments: forms)
  func `where a request ends in doubt, the connection ends too`(form: String) async throws {
    try await serve { fixture in
      let connection = try RawConnection(port: fixture.server.port)
      await connection.send(form + Self.get)
      let answer = try await connection.receive()
      #expect(statuses(answer) == [400])
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(try await fixture.server.answer("/healthz").status == 200)
    }
  }

  @Test func `a body that is cut off is not taken for a whole one`() async throws {
    try await serve { fixture in
      for (length, body) in [
        ("Content-Length: 100", #"{"token":"\#(fixture.secret)"}"#),
        ("Transfer-Encoding: chunked", "2\r\n{}\r\n"),
      ] {
        let connection = try RawConnection(port: fixture.server.port)
        await connection.send(Self.post + "\(length)\r\n\r\n" + body)
        connection.finish()
        #expect(statuses(try await connection.receive()) == [400])
      }
    }
  }

  @Test func `a request has one host`() async throws {
    try await serve { fixture in
      for hosts in ["", Self.head + Self.head] {
        let answer = try await fixture.server.send(
          "GET /healthz HTTP/1.1\r\n\(hosts)Connection: close\r\n\r\n")
        #expect(answer.status == 400)
      }
    }
  }

  // MARK: Which requests share a connection

  @Test func `requests one after another are answered in order`() async throws {
    try await serve { fixture in
      let connection = try RawConnection(port: fixture.server.port)
      let missing = Self.get.replacing("/healthz", with: "/missing")
      let last = Self.get.replacing("\r\n\r\n", with: "\r\nConnection: CLOSE\r\n\r\n")
      await connection.send(Self.get + missing + Self.get + last + Self.get)
      #expect(statuses(try await connection.receive()) == [200, 404, 200, 200])
    }
  }

  @Test(arguments: [
    "GET /healthz HTTP/1.0\r\n\(head)\r\n",
    "GET /healthz HTTP/1.1\r\n\(head)Connection: Close\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\(head)Connection: keep-alive, close\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\(head)Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "CONNECT localhost:80 HTTP/1.1\r\n\(head)\r\n",
  ])
  func `the connection ends where the client has it so, or wants another protocol`(
    request: String
  ) async throws {
    try await serve { fixture in
      let connection = try RawConnection(port: fixture.server.port)
      await connection.send(request)
      let answer = try await connection.receive()
      #expect(statuses(answer).count == 1)
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  @Test func `a connection has so many requests`() async throws {
    try await serve {
      $0.requestsPerConnection = 3
    } _: { fixture in
      let connection = try RawConnection(port: fixture.server.port)
      await connection.send(String(repeating: Self.get, count: 5))
      #expect(statuses(try await connection.receive()) == [200, 200, 200])
    }
  }

  /// In three parts, since the runner prints arguments.
  @Test(arguments: [
    ("", "\r\n", 500_000), (post + "Transfer-Encoding: chunked\r\n\r\n2;", "x", 1_000_000),
  ])
  func `bytes that become no part of a request are not read for ever`(
    start: String, repeated: String, count: Int
  ) async throws {
    try await serve { fixture in
      let connection = try RawConnection(port: fixture.server.port)
      await connection.send(start + String(repeating: repeated, count: count))
      #expect(try await connection.receive() == "")
    }
  }

  // MARK: Slow clients

  @Test func `a head has a time, an idle connection another`() async throws {
    try await serve {
      $0.head = .milliseconds(50)
    } _: { fixture in
      let slow = try RawConnection(port: fixture.server.port)
      let idle = try RawConnection(port: fixture.server.port)
      for piece in ["GET /hea", "lthz HTTP/1.1\r\n"] { await slow.send(piece) }
      #expect(try await slow.receive() == "")
      await idle.send(Self.get)
      #expect(statuses(try await idle.receive(until: "}")) == [200])
    }
    try await serve {
      $0.idle = .milliseconds(50)
    } _: { fixture in
      let idle = try RawConnection(port: fixture.server.port)
      #expect(try await idle.receive() == "")
    }
  }

  @Test func `a body has to come at a rate`() async throws {
    try await serve {
      $0.bodySpan = .milliseconds(50)
    } _: { fixture in
      let connection = try RawConnection(port: fixture.server.port)
      await connection.send(Self.post + "Content-Length: 1000\r\n\r\n{")
      let answer = try await connection.receive()
      #expect(statuses(answer) == [408])
      #expect(answer.contains("application/problem+json"))
    }
  }

  @Test func `a client that takes nothing of its answer is let go`() async throws {
    let folder = try TemporaryFolder()
    let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
    let path = try folder.write(photo + Data(count: 32 << 20), to: "large.jpg")
    var options = ServerOptions()
    options.limits.stalledAnswer = .milliseconds(100)
    try await RunningServer.run(importing: [path], options) { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let connection = try RawConnection(port: server.port, bufferByteCount: 4096)
      await connection.send("GET /api/v1/photos/\(entry.id)/original HTTP/1.1\r\n")
      // A busy machine may take it later than the requests that look for it.
      try await server.wait(untilConnected: 2)
      await connection.send("\(Self.head)\r\n")
      try await server.waitUntilAlone()
      #expect(try await connection.receive().utf8.count < 32 << 20)
    }
  }

  // MARK: Bodies that nobody reads

  @Test func `a body that is refused is not read to its end`() async throws {
    try await serve {
      $0.closing = .milliseconds(100)
    } _: { fixture in
      for request in [
        Self.post + "Content-Length: 4000000000\r\n\r\n",
        Self.post.replacing("/session", with: "/missing") + "Content-Length: 4000000000\r\n\r\n",
        Self.post + "Transfer-Encoding: chunked\r\n\r\nffffff\r\n",
      ] {
        let connection = try RawConnection(port: fixture.server.port)
        await connection.send(request + String(repeating: "x", count: 100_000))
        let answer = try await connection.receive()
        #expect([413, 404].contains(statuses(answer).first))
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
        // All that a client sends is nothing to the server after a while.
        await connection.send(String(repeating: "x", count: 64 << 20))
        #expect(try await connection.receive() == "")
      }
    }
  }

  @Test func `a connection ends with the client's end, though a refused body was never read`()
    async throws
  {
    try await serve {
      // Far longer than the test: only the client's end is waited for.
      $0.closing = .seconds(600)
      // The refusal comes once more of the body has arrived than waits for whoever takes it.
      $0.refusal = .milliseconds(200)
      $0.bodiesByteCountPerClient = 1
    } _: { fixture in
      let post = Self.post.replacing("/session", with: "/entries/delete")
      for count in [1, 500_000] {
        let connection = try RawConnection(port: fixture.server.port)
        await connection.send(
          post + "\(fixture.bearer)\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n"
            + String(repeating: "x", count: count))
        #expect(statuses(try await connection.receive()).first == 429)
        await connection.send(String(repeating: "x", count: count - 1))
        connection.finish()
        try await fixture.server.waitUntilAlone()
      }
    }
  }

  @Test func `who asks before sending is told to go on, or why not`() async throws {
    try await serve { fixture in
      let body = #"{"token":"\#(fixture.secret)"}"#
      let length = "Expect: 100-Continue\r\nContent-Length: \(body.utf8.count)\r\n"
      let connection = try RawConnection(port: fixture.server.port)
      await connection.send(Self.post + length + "\r\n")
      #expect(statuses(try await connection.receive(until: "\r\n\r\n")) == [100])
      await connection.send(body + Self.get)
      #expect(statuses(try await connection.receive(until: #"{"status":"ok"}"#)) == [200, 200])

      for (lines, status) in [
        ("Authorization: Bearer x\r\n", 401), ("Origin: https://evil.example\r\n", 403),
      ] {
        let refused = try RawConnection(port: fixture.server.port)
        await refused.send(
          Self.post.replacing("session", with: "tokens") + lines + length + "\r\n")
        #expect(statuses(try await refused.receive()) == [status])
      }
      let other = try await fixture.server.answer(
        "POST", "/api/v1/session", ["Expect: 200-ok"], body: Array((body).utf8))
      #expect(other.status == 417)
    }
  }

  // MARK: Many connections

  @Test func `of too many connections those go that did nothing for the longest time`()
    async throws
  {
    try await serve {
      $0.connectionCount = 8
    } _: { fixture in
      var idle: [RawConnection] = []
      for _ in 0..<20 {
        let connection = try RawConnection(port: fixture.server.port)
        await connection.send(Self.get)
        #expect(statuses(try await connection.receive(until: "}")) == [200])
        idle.append(connection)
      }
      for connection in idle.prefix(12) { #expect(try await connection.receive() == "") }
      for connection in idle.suffix(8).reversed() {
        await connection.send(Self.get)
        #expect(statuses(try await connection.receive(until: "}")) == [200])
      }
      let answer = try await fixture.server.answer("/healthz")
      #expect(answer.status == 200)
      // It was used before the others of the eight.
      #expect(try await idle[19].receive() == "")
    }
  }

  @Test func `while clients dawdle the others are served`() async throws {
    try await serve { fixture in
      var slow: [RawConnection] = []
      for number in 0..<100 {
        let connection = try RawConnection(port: fixture.server.port)
        let request = [
          "", "GET /hea", Self.get, Self.post + "Content-Length: 100\r\n\r\n{",
          Self.post + "Transfer-Encoding: chunked\r\n\r\n64\r\n{",
        ][number % 5]
        await connection.send(request)
        if number % 2 == 0 { connection.finish() }
        slow.append(connection)
      }
      for _ in 0..<20 {
        let answer = try await fixture.server.answer("/api/v1/plants")
        #expect(answer.status == 200)
      }
      withExtendedLifetime(slow) {}
    }
  }

  // MARK: Methods

  @Test(arguments: [
    ("PUT", "/api/v1/timeline", "GET, HEAD"), ("DELETE", "/healthz", "GET, HEAD"),
    ("OPTIONS", "/api/v1/plants/basil", "DELETE, GET, HEAD, PATCH"),
    ("TRACE", "/healthz", "GET, HEAD"),
    ("PATCH", "/api/v1/session", "DELETE, GET, HEAD, POST"),
    ("PUT", "/api/v1/tokens/ab", "DELETE, GET, HEAD"),
    ("OPTIONS", "/api/v1/activities/order", "PUT"),
    ("PUT", "/api/v1/factors", "GET, HEAD, POST"),
    ("POST", "/api/v1/factors/tea", "DELETE, GET, HEAD, PATCH"),
    ("POST", "//api/v1/timeline/", "GET, HEAD"),
  ])
  func `another method is refused with those there are`(
    method: String, path: String, allowed: String
  ) async throws {
    try await serve { fixture in
      let answer = try await fixture.server.answer(method, path)
      #expect(answer.status == 405 && answer.headers["allow"] == allowed)
      #expect(try answer.json["detail"] as? String == "This address does not support \(method).")
      let unknown = try await fixture.server.answer(method, path + "/x/y")
      #expect(unknown.status == 404)
    }
  }
}
