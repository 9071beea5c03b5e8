import Foundation
import LeaflogServer
import TestSupport
import Testing

/// Clients without a token that occupy the server, and others beside them.
@Suite struct UnauthenticatedClientTests {
  private static let head = "Host: localhost\r\n"
  private static let get = "GET /healthz HTTP/1.1\r\n\(head)\r\n"
  private static let start =
    "POST /api/v1/session HTTP/1.1\r\n\(head)Content-Type: application/json\r\n"
    + "Content-Length: 100\r\n\r\n{"

  /// The same, once the server is ready to read it.
  private static let asking = String(
    start.dropLast().replacing("Host:", with: "Expect: 100-continue\r\nHost:"))

  /// A server that requires a token, whose limits are changed.
  private func serve(
    isBehindProxy: Bool = false, _ change: (inout ServerLimits) -> Void = { _ in },
    _ body: (AccessFixture) async throws -> Void
  ) async throws {
    var options = ServerOptions()
    (options.alwaysRequiresToken, options.proxies) = (
      true, isBehindProxy ? AddressRange.loopback : []
    )
    change(&options.limits)
    try await AccessFixture.run(options, body)
  }

  private func isOpen(_ connection: RawConnection, _ lines: String = head) async throws -> Bool {
    await connection.send("GET /healthz HTTP/1.1\r\n\(lines)\r\n")
    return try await connection.receive(until: #"{"status":"ok"}"#).contains(" 200 ")
  }

  @Test
  func `the address with the most unauthenticated clients loses the one that waited the longest`()
    async throws
  {
    try await serve {
      $0.connectionCount = 32  // of which 8 are for unauthenticated clients
    } _: { fixture in
      let port = fixture.server.port
      let known = try RawConnection(port: port, from: "127.0.0.2")
      #expect(try await isOpen(known))
      await known.send("GET /api/v1/plants HTTP/1.1\r\n\(Self.head)\(fixture.bearer)\r\n\r\n")
      _ = try await known.receive(until: "}")
      let quiet = try RawConnection(port: port, from: "127.0.0.3")
      #expect(try await isOpen(quiet))
      var slow: [RawConnection] = []
      for _ in 0..<40 {
        let connection = try RawConnection(port: port, from: "127.0.0.4")
        await connection.send(Self.asking)
        #expect(try await connection.receive(until: "\r\n\r\n").contains(" 100 "))
        slow.append(connection)
        let answer = try await fixture.server.answer("GET", "/healthz", from: "127.0.0.5")
        #expect(answer.status == 200)
      }
      for connection in slow.prefix(32) { #expect(try await connection.receive() == "") }
      #expect(try await isOpen(quiet))
      #expect(try await isOpen(known))
    }
  }

  @Test func `an address has so many connections without a token`() async throws {
    try await serve {
      $0.unauthenticatedPerAddress = 4
    } _: { fixture in
      var idle: [RawConnection] = []
      for _ in 0..<6 {
        let connection = try RawConnection(port: fixture.server.port)
        #expect(try await isOpen(connection))
        idle.append(connection)
      }
      for connection in idle.prefix(2) { #expect(try await connection.receive() == "") }
      for connection in idle.suffix(4) { #expect(try await isOpen(connection)) }
    }
  }

  @Test func `behind a proxy, the requests of each client in progress are counted`() async throws {
    try await serve(isBehindProxy: true) {
      $0.unauthenticatedPerAddress = 4
    } _: { fixture in
      let forwarded = Self.head + "X-Forwarded-For: 192.0.2.1\r\n"
      var slow: [RawConnection] = []
      for _ in 0..<6 {
        let connection = try RawConnection(port: fixture.server.port)
        await connection.send(Self.asking.replacing(Self.head, with: forwarded))
        #expect(try await connection.receive(until: "\r\n\r\n").contains(" 100 "))
        slow.append(connection)
      }
      for connection in slow.prefix(2) { #expect(try await connection.receive() == "") }
      // A connection is nobody's between two requests.
      for client in ["192.0.2.1", "192.0.2.2"] {
        var kept: [RawConnection] = []
        for _ in 0..<6 {
          let connection = try RawConnection(port: fixture.server.port)
          let lines = Self.head + "X-Forwarded-For: \(client)\r\n"
          #expect(try await isOpen(connection, lines))
          kept.append(connection)
        }
        for connection in kept { #expect(try await isOpen(connection)) }
      }
    }
  }

  @Test
  func
    `the body of an unauthenticated client comes soon, that of a client with a token may take longer`()
    async throws
  {
    try await serve {
      $0.unauthenticatedBody = .milliseconds(50)
    } _: { fixture in
      let unauthenticated = try RawConnection(port: fixture.server.port)
      await unauthenticated.send(Self.start)
      #expect(try await unauthenticated.receive().hasPrefix("HTTP/1.1 408 "))

      let known = try RawConnection(port: fixture.server.port)
      await known.send("GET /api/v1/about HTTP/1.1\r\n\(Self.head)\(fixture.bearer)\r\n\r\n")
      #expect(try await known.receive(until: "}").contains(" 200 "))
      let body = #"{"name":"basil"}"#
      await known.send(
        "POST /api/v1/plants HTTP/1.1\r\n\(Self.head)\(fixture.bearer)\r\n"
          + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n{")
      let other = try RawConnection(port: fixture.server.port)
      await other.send(Self.start)
      #expect(try await other.receive().hasPrefix("HTTP/1.1 408 "))
      await known.send("\(body.dropFirst())")
      #expect(try await known.receive(until: "}").hasPrefix("HTTP/1.1 201 "))
    }
  }

  @Test(arguments: [
    ("/api/v1/session", "application/json", #"{"token":""#, #""}"#),
    ("/sign-in", "application/x-www-form-urlencoded", "token=", ""),
    ("/pair", "application/x-www-form-urlencoded", "code=", ""),
  ])
  func `a route that is open to everybody takes a kilobyte`(
    path: String, type: String, start: String, end: String
  ) async throws {
    try await serve { fixture in
      for (byteCount, statuses) in [(1024, [401, 403]), (1025, [413])] {
        let rest = byteCount - start.utf8.count - end.utf8.count
        let answer = try await fixture.server.answer(
          "POST", path, ["Content-Type: \(type)"],
          body: Array((start + String(repeating: "x", count: rest) + end).utf8))
        #expect(statuses.contains(answer.status), "\(byteCount): \(answer.status)")
      }
    }
  }

  @Test func `a malformed body counts as a wrong token does`() async throws {
    try await serve { fixture in
      for number in 0..<10 {
        let answer = try await fixture.server.answer(
          "POST", "/api/v1/session", text: number % 2 == 0 ? "{" : #"{"token":"\#(number)"}"#)
        #expect(answer.status == (number % 2 == 0 ? 400 : 401))
      }
      let refused = try await fixture.server.answer("POST", "/api/v1/session", text: "{")
      #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
      #expect(try await fixture.signIn().status == 200)
    }
  }

  @Test func `a long address is not kept for after signing in`() async throws {
    try await serve { fixture in
      for (length, isKept) in [(200, true), (400, false)] {
        let back = "/search%3Fq%3D" + String(repeating: "x", count: length)
        let page = try await fixture.server.answer("/sign-in?back=\(back)")
        #expect(String(decoding: page.body, as: UTF8.self).contains("/search?q=xxx") == isKept)
      }
    }
  }

  // MARK: Bodies in memory

  @Test func `the bodies of a client have a budget, and so have all together`() async throws {
    try await serve {
      ($0.bodiesByteCount, $0.bodiesByteCountPerClient) = (250_000, 100_000)
    } _: { fixture in
      let other = try fixture.server.library.tokens.add("other").secret
      func send(_ secret: String, _ byteCount: Int) async throws -> RawConnection {
        let connection = try RawConnection(port: fixture.server.port)
        await connection.send(
          "POST /api/v1/plants HTTP/1.1\r\n\(Self.head)Authorization: Bearer \(secret)\r\n"
            + "Content-Type: application/json\r\nContent-Length: 500000\r\n\r\n"
            + String(repeating: " ", count: byteCount))
        return connection
      }
      let unfinished = try await send(fixture.secret, 90_000)
      let refused = try await send(fixture.secret, 200_000)
      #expect(try await refused.receive().hasPrefix("HTTP/1.1 429 "))
      // Another client is not concerned.
      let body = String(repeating: " ", count: 90_000) + #"{"name":"basil"}"#
      let answer = try await fixture.server.answer(
        "POST", "/api/v1/plants", ["Authorization: Bearer \(other)"], text: body)
      #expect(answer.status == 201)
      unfinished.finish()
      _ = try await unfinished.receive()
      // What was taken is free again.
      let again = try await fixture.server.answer(
        "POST", "/api/v1/plants", [fixture.bearer],
        text: body.replacing("basil", with: "fern"))
      #expect(again.status == 201)
    }
  }
}
