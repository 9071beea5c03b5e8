import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// Who may use the service.
@Suite struct AccessTests {
  // MARK: Every route

  /// The lines of requests that nobody may send, and their answers' statuses.
  private func refused(_ fixture: AccessFixture) async throws -> [(lines: [String], status: Int)] {
    let cookie = try await fixture.cookie()
    let revoked = try fixture.server.library.tokens.add("lost").secret
    try fixture.server.library.tokens.revoke(matching: "lost")
    let origin = "Origin: http://localhost:\(fixture.server.port)"
    return [
      ([], 401), (["Authorization: Bearer \(revoked)"], 401), (["Authorization: Bearer x"], 401),
      (["Authorization: Bearer"], 401), (["Authorization: Basic eDp5"], 401),
      (["Authorization: \(fixture.secret)"], 401), (["Cookie: leaflog=\(fixture.secret)"], 401),
      (["Cookie: __Host-leaflog=x; leaflog=y", origin], 401),
      ([fixture.bearer, "Host: evil.example"], 421), ([cookie, "Host: evil.example"], 421),
      ([fixture.bearer, "Host: localhost", "Host: evil.example"], 400),
    ]
  }

  @Test func `no route answers who may not use it`() async throws {
    try await AccessFixture.run { fixture in
      let routes = try await fixture.routes()
      #expect(routes.count > 20)
      for (lines, status) in try await refused(fixture) {
        for (method, path) in routes
        where !Self.isOpen(method, path) || status == 400
          || status == 421 && !["/healthz", "/readyz"].contains(path)
        {
          fixture.clock.pass(seconds: 61)  // no address has too many failures
          let answer = try await fixture.server.answer(method, path, lines)
          #expect(answer.status == status, "\(method) \(path) \(lines)")
        }
      }
    }
  }

  private static func isOpen(_ method: String, _ path: String) -> Bool {
    [
      "/healthz", "/readyz", "/trust", "/trust/ca.crt", "/pair", "/calendar/ab", "/sign-in",
      "/offline",
      "/manifest.webmanifest", "/service-worker.js", "/assets/ab/ab",
    ].contains(path)
      || (method, path) == ("POST", "/api/v1/session")
  }

  @Test func `a request that was made for another token is refused`() async throws {
    try await AccessFixture.run { fixture in
      let tokens = fixture.server.library.tokens
      let (own, other) = (try tokens.named("phone")?.id, try tokens.add("other").token.id)
      for (id, status) in [(own, 201), (other, 409)] {
        let id = try #require(id)
        let answer = try await fixture.server.answer(
          "POST", "/api/v1/plants",
          [fixture.bearer, "Leaflog-Token: \(id)"],
          text: #"{"name":"Fern \#(id)"}"#)
        #expect(answer.status == status)
      }
    }
    // Where nobody has a token, none is the one that it was made for.
    try await RunningServer.run(importing: []) { server in
      let answer = try await server.answer("/api/v1/plants", ["Leaflog-Token: x"])
      #expect(answer.status == 409)
    }
  }

  @Test func `a proxy that sends its own name for the service is told which host is needed`()
    async throws
  {
    var options = ServerOptions()
    (options.hostNames, options.proxies) = (["plants.example"], AddressRange.loopback)
    try await AccessFixture.run(options) { fixture in
      let port = fixture.server.port
      for (host, origin, word) in [
        ("127.0.0.1:\(port)", "https://plants.example:8443", "127.0.0.1"),
        ("127.0.0.1:\(port)", "https://other.example", "127.0.0.1"),
        ("plants.example", "https://plants.example:8443", "no port"),
      ] {
        let answer = try await fixture.server.answer(
          "POST", "/api/v1/plants",
          ["Host: \(host)", "Origin: \(origin)", "X-Forwarded-Proto: https", fixture.bearer],
          text: #"{"name":"Fern"}"#)
        #expect(answer.status == 403)
        let remedy = try #require(try answer.json["remedy"] as? String)
        #expect(remedy.contains("proxy_set_header Host $http_host;") && remedy.contains(word))
      }
    }
    try await RunningServer.run(importing: []) { server in
      let answer = try await server.answer(
        "POST", "/api/v1/plants", ["Origin: https://evil.example"], text: #"{"name":"Fern"}"#)
      #expect(try answer.status == 403 && answer.json["remedy"] == nil)
    }
  }

  @Test func `no write comes from another site's page`() async throws {
    try await AccessFixture.run { fixture in
      let (cookie, port) = (try await fixture.cookie(), fixture.server.port)
      let writes = try await fixture.routes().filter { !["GET", "HEAD"].contains($0.method) }
      #expect(!writes.isEmpty)
      let foreign = [
        ["Origin: https://evil.example"], ["Origin: null"], ["Origin: http://localhost:1"],
        ["Origin: http://localhost.evil.example:\(port)"], ["Sec-Fetch-Site: cross-site"],
        ["Origin: http://evil@localhost:\(port)"], ["Sec-Fetch-Site: same-site"],
        ["Origin: http://localhost:\(port)", "Sec-Fetch-Site: cross-site"],
        ["Origin: http://localhost:\(port)", "Origin: https://evil.example"], ["Origin: "],
        ["Origin: http://localhost"], ["Origin: file://localhost:\(port)"],
      ]
      for lines in foreign {
        for (method, path) in writes + [("PATCH", "/api/v1/nothing")] {
          for credential in [cookie, fixture.bearer] {
            let answer = try await fixture.server.answer(
              method, path, lines + [credential, "Host: localhost:\(port)"])
            #expect(answer.status == 403, "\(method) \(path) \(lines)")
            #expect(try answer.json["code"] as? String == "foreignOrigin")
          }
        }
      }
      let cut = try await fixture.server.answer(
        "POST", "/api/v1/tokens", ["Origin: http://localhost:4711", cookie, "Host: localhost"])
      #expect(cut.status == 403)
      let remedy = try #require(try cut.json["remedy"] as? String)
      #expect(
        remedy.contains("localhost:4711") && remedy.contains("proxy_set_header Host $http_host;"))
      let own = [
        ["Origin: http://localhost:\(port)"], ["Origin: http://127.0.0.1:\(port)"], [],
        ["Sec-Fetch-Site: same-origin"], ["Sec-Fetch-Site: none"],
        ["Origin: http://localhost:4711", "Host: localhost:4711"],
      ]
      for (number, lines) in own.enumerated() {
        let answer = try await fixture.server.answer(
          "POST", "/api/v1/tokens", lines + [cookie], text: #"{"name":"\#(number)"}"#)
        #expect(answer.status == 201, "\(lines)")
      }
    }
  }

  @Test func `another site's page reads nothing, and its links lead here`() async throws {
    try await AccessFixture.run { fixture in
      let reads = try await fixture.routes().filter { ["GET", "HEAD"].contains($0.method) }
      let foreign = [
        ["cross-site", "no-cors", "image"], ["same-site", "cors", "empty"],
        ["cross-site", "navigate", "iframe"], ["cross-site", "no-cors", "document"],
      ]
      for facts in foreign {
        let lines = zip(["Site", "Mode", "Dest"], facts).map { "Sec-Fetch-\($0): \($1)" }
        for (method, path) in reads {
          let answer = try await fixture.server.answer(method, path, lines + [fixture.bearer])
          #expect(answer.status == 403, "\(method) \(path) \(lines)")
        }
      }
      for facts in [
        ["cross-site", "navigate", "document"], ["same-origin", "cors", "empty"],
        ["none", "navigate", "document"],
      ] {
        let lines = zip(["Site", "Mode", "Dest"], facts).map { "Sec-Fetch-\($0): \($1)" }
        for path in ["/", "/api/v1/timeline", "/assets/ab/style.css"] {
          let answer = try await fixture.server.answer("GET", path, lines + [fixture.bearer])
          #expect(answer.status < 400, "\(path) \(lines)")
        }
      }
    }
  }

  @Test func `the authority of the target counts, whatever the Host is`() async throws {
    try await AccessFixture.run { fixture in
      for (target, host, status) in [
        ("http://localhost/api/v1/timeline?limit=1", "evil.example", 200),
        ("http://127.0.0.1/api/v1/timeline", "localhost", 200),
        ("HTTP://LOCALHOST/api/v1/timeline", "localhost", 200),
        ("http://localhost?limit=1", "localhost", 303),
        ("http://evil.example/api/v1/timeline", "localhost", 421),
        ("http://evil.example/a|b", "localhost", 421),
        ("http://localhost@evil.example/api/v1/timeline", "localhost", 421),
        ("http://evil@localhost/api/v1/timeline", "localhost", 421),
        ("http:///api/v1/timeline", "localhost", 421),
      ] {
        let answer = try await fixture.server.answer(
          "GET", target, ["Host: \(host)", fixture.bearer])
        #expect(answer.status == status, "\(target)")
      }
      let origin = "Origin: http://evil.example"
      let write = try await fixture.server.answer(
        "POST", "http://localhost/api/v1/tokens", ["Host: evil.example", origin, fixture.bearer],
        text: #"{"name":"camera"}"#)
      #expect(write.status == 403)
      for hosts in [[], ["Host: localhost", "Host: localhost"]] {
        let text =
          ["GET http://localhost/healthz HTTP/1.1"] + hosts + ["Connection: close", "", ""]
        #expect(try await fixture.server.send(text.joined(separator: "\r\n")).status == 400)
      }
    }
  }

  @Test func `no reading changes the library`() async throws {
    try await AccessFixture.run { fixture in
      let reads = try await fixture.routes().filter { ["GET", "HEAD"].contains($0.method) }
      // Notes the use, once.
      _ = try await fixture.server.answer("/api/v1/timeline", [fixture.bearer])
      func files() throws -> [String: Date?] {
        let folder = fixture.server.library.path
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
          .filter { !$0.hasPrefix("cache") && !$0.hasPrefix("catalog.sqlite-") }
        return try Dictionary(
          uniqueKeysWithValues: names.map { name in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return (name, facts[.modificationDate] as? Date)
          })
      }
      let before = (try files(), fixture.server.library.history.lastChange)
      for (method, path) in reads where !path.hasSuffix("/events") {
        _ = try await fixture.server.answer(method, path, [fixture.bearer])
      }
      #expect(try files() == before.0)
      #expect(fixture.server.library.history.lastChange == before.1)
    }
  }

  @Test func `a token lets in, until it is revoked`() async throws {
    try await AccessFixture.run { fixture in
      let cookie = try await fixture.cookie()
      for line in [fixture.bearer, "authorization: bearer \(fixture.secret)", cookie] {
        #expect(try await fixture.server.answer("/api/v1/timeline", [line]).status == 200)
      }
      #expect(try await fixture.server.answer("/healthz").status == 200)
      try fixture.server.library.tokens.revoke(matching: "phone")
      for line in [fixture.bearer, cookie] {
        let answer = try await fixture.server.answer("/api/v1/timeline", [line])
        #expect(answer.status == 401)
        #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(try answer.json["code"] as? String == "unauthorized")
      }
    }
  }

  @Test func `a damaged file with tokens lets nobody in, and tells no path`() async throws {
    try await AccessFixture.run { fixture in
      let path = fixture.server.library.path + "/access.json"
      try Data("{".utf8).write(to: URL(fileURLWithPath: path))
      let answer = try await fixture.server.answer("/api/v1/timeline", [fixture.bearer])
      #expect(answer.status == 500)
      #expect(try answer.json["code"] as? String == "damaged")
      #expect(!String(decoding: answer.body, as: UTF8.self).contains("/"))
    }
  }

  // MARK: Sessions

  @Test func `a session begins with a token, says who one is, and ends`() async throws {
    try await AccessFixture.run { fixture in
      let begun = try await fixture.signIn()
      #expect(begun.status == 200 && begun.headers["cache-control"] == "no-store")
      let cookie = try #require(begun.headers["set-cookie"])
      #expect(cookie.hasPrefix("__Host-leaflog=leaflog_session_"))
      for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Secure"] {
        #expect(cookie.contains(part), "\(part)")
      }
      #expect(!cookie.contains("Domain") && !cookie.contains(fixture.secret))
      let line = try await fixture.cookie()
      let session = try await fixture.server.answer("/api/v1/session", [line]).json
      #expect((session["token"] as? [String: Any])?["name"] as? String == "phone")
      #expect(session["requiresToken"] as? Bool == true)
      let ended = try await fixture.server.answer("DELETE", "/api/v1/session", [line])
      #expect(ended.status == 204 && ended.headers["set-cookie"]?.contains("Max-Age=0") == true)
      #expect(try await fixture.server.answer("/api/v1/session", [line]).status == 401)
    }
  }

  @Test func `a session is over when nobody used it for ninety days`() async throws {
    try await AccessFixture.run { fixture in
      let line = try await fixture.cookie()
      for days: Int64 in [89, 89] {
        fixture.clock.pass(days: days)
        #expect(try await fixture.server.answer("/api/v1/timeline", [line]).status == 200)
      }
      fixture.clock.pass(days: 91)
      for (method, path) in try await fixture.routes() where !Self.isOpen(method, path) {
        fixture.clock.pass(seconds: 61)
        #expect(try await fixture.server.answer(method, path, [line]).status == 401, "\(path)")
      }
    }
  }

  @Test func `on a name that could be listened to the cookie is an ordinary one`() async throws {
    var options = ServerOptions()
    (options.hostNames, options.proxies) = (["plants.example"], AddressRange.loopback)
    try await AccessFixture.run(options) { fixture in
      let plain = try await fixture.signIn(nil, ["Host: plants.example"])
      let cookie = try #require(plain.headers["set-cookie"])
      #expect(cookie.hasPrefix("leaflog=") && !cookie.contains("Secure"))
      #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"))
      let secure = try await fixture.signIn(
        nil, ["Host: plants.example", "X-Forwarded-Proto: https"])
      #expect(secure.headers["set-cookie"]?.hasPrefix("__Host-leaflog=") == true)
      let line = try #require(cookie.split(separator: ";").first)
      let answer = try await fixture.server.answer(
        "/api/v1/timeline", ["Host: plants.example", "Cookie: \(line)"])
      #expect(answer.status == 200)
      for origin in ["https://plants.example", "http://plants.example"] {
        let written = try await fixture.server.answer(
          "DELETE", "/api/v1/session",
          ["Host: plants.example", "Origin: \(origin)", "Cookie: \(line)"])
        #expect(written.status != 403)
      }
    }
  }

  @Test(arguments: ["", "{}", "null", "[1]", #"{"token":1}"#, #"{"token":"#])
  func `a text that is no token in JSON is refused`(body: String) async throws {
    try await AccessFixture.run { fixture in
      let answer = try await fixture.server.answer("POST", "/api/v1/session", text: body)
      #expect(answer.status == 400)
      let long = String(repeating: " ", count: 2 << 20)
      let tooLong = try await fixture.server.answer("POST", "/api/v1/session", text: body + long)
      #expect(tooLong.status == 413)
    }
  }

  // MARK: Attempts

  @Test func `after ten wrong tokens in a minute an address has to wait, and no other`()
    async throws
  {
    try await AccessFixture.run { fixture in
      let wrong = ["Authorization: Bearer leaflog_x"]
      for number in 0..<13 {
        let answer =
          number % 2 == 0
          ? try await fixture.server.answer("/api/v1/timeline", wrong)
          : try await fixture.signIn("leaflog_x")
        #expect(answer.status == (number < 10 ? 401 : 429))
      }
      fixture.clock.pass(seconds: 20)
      let answer = try await fixture.server.answer("/api/v1/timeline", wrong)
      #expect(answer.status == 429 && answer.headers["retry-after"] == "40")
      #expect(try answer.json["code"] as? String == "tooManyAttempts")
      let other = try await fixture.server.answer(
        "GET", "/api/v1/timeline", wrong, from: "127.0.0.9")
      #expect(other.status == 401)
      // Whoever has the right one is let in: the address may be a proxy's.
      #expect(try await fixture.server.answer("/api/v1/timeline", [fixture.bearer]).status == 200)
      fixture.clock.pass(seconds: 40)
      #expect(try await fixture.server.answer("/api/v1/timeline", wrong).status == 401)
    }
  }

  @Test func `a request without a token is no attempt`() async throws {
    try await AccessFixture.run { fixture in
      for _ in 0..<12 {
        let answer = try await fixture.server.answer("/api/v1/timeline")
        #expect(answer.status == 401)
      }
    }
  }

  @Test func `behind a proxy the client's address counts, as the proxy tells it`() async throws {
    var options = ServerOptions()
    (options.hostNames, options.proxies) = (["plants.example"], AddressRange.loopback)
    try await AccessFixture.run(options) { fixture in
      func expect(_ status: Int, for addresses: String) async throws {
        let lines = ["Authorization: Bearer x", "X-Forwarded-For: \(addresses)"]
        let answer = try await fixture.server.answer("/api/v1/timeline", lines)
        #expect(answer.status == status, "\(addresses)")
      }
      for number in 0..<11 {
        // The client can say what it likes before the address that the proxy adds.
        try await expect(number < 10 ? 401 : 429, for: "10.0.0.\(number), 192.0.2.1")
      }
      try await expect(401, for: "192.0.2.1, 192.0.2.2")
      for number in 0..<11 {
        // One subscriber has all addresses of a network.
        try await expect(number < 10 ? 401 : 429, for: "2001:db8::\(number)")
      }
      try await expect(401, for: "2001:db8:0:1::1")
    }
    // From anybody but a proxy it means nothing, whatever the names.
    options.proxies = []
    try await AccessFixture.run(options) { fixture in
      for number in 0..<11 {
        let answer = try await fixture.server.answer(
          "/api/v1/timeline", ["Authorization: Bearer x", "X-Forwarded-For: 192.0.2.\(number)"])
        #expect(answer.status == (number < 10 ? 401 : 429))
      }
    }
  }

  // MARK: Tokens

  @Test func `tokens are added, listed and revoked by whoever has one`() async throws {
    try await AccessFixture.run { fixture in
      let added = try await fixture.server.answer(
        "POST", "/api/v1/tokens", [fixture.bearer], text: #"{"name":"camera"}"#)
      #expect(added.status == 201 && added.headers["cache-control"] == "no-store")
      let secret = try #require(try added.json["secret"] as? String)
      let camera = "Authorization: Bearer \(secret)"
      let listing = try await fixture.server.answer("/api/v1/tokens", [camera])
      #expect(try listing.json.texts("name") == ["camera", "phone"])
      #expect(!String(decoding: listing.body, as: UTF8.self).contains("leaflog_"))
      let taken = try await fixture.server.answer(
        "POST", "/api/v1/tokens", [fixture.bearer], text: #"{"name":"Camera"}"#)
      #expect(taken.status == 409)
      let id = try #require(try added.json["id"] as? String)
      let revoked = try await fixture.server.answer(
        "DELETE", "/api/v1/tokens/\(id)", [fixture.bearer])
      #expect(revoked.status == 204)
      #expect(try await fixture.server.answer("/api/v1/timeline", [camera]).status == 401)
      let again = try await fixture.server.answer(
        "DELETE", "/api/v1/tokens/\(id)", [fixture.bearer])
      #expect(again.status == 404)
    }
  }

  @Test func `where none is needed nobody makes one for later`() async throws {
    try await AccessFixture.run(ServerOptions()) { fixture in
      let session = try await fixture.server.answer("/api/v1/session").json
      #expect(session["token"] is NSNull && session["requiresToken"] as? Bool == false)
      #expect(try await fixture.server.answer("/api/v1/timeline").status == 200)
      for (method, path, body) in [
        ("GET", "/api/v1/tokens", nil), ("POST", "/api/v1/tokens", #"{"name":"x"}"#),
        ("DELETE", "/api/v1/tokens/phone", nil),
      ] as [(String, String, String?)] {
        let refused = try await fixture.server.answer(
          method, path, body: body.map { Array($0.utf8) })
        #expect(refused.status == 401, "\(method)")
      }
      #expect(try fixture.server.library.tokens.all().map(\.name) == ["phone"])
      let listing = try await fixture.server.answer("/api/v1/tokens", [fixture.bearer])
      #expect(listing.status == 200)
      let wrong = try await fixture.server.answer("/api/v1/timeline", ["Authorization: Bearer x"])
      #expect(wrong.status == 401)
      let stale = try await fixture.server.answer("/api/v1/timeline", ["Cookie: leaflog=x"])
      #expect(stale.status == 200)
    }
  }

  // MARK: Places

  @Test func `who is reached from elsewhere needs a token in the library`() async throws {
    for change in [
      { $0.address = try #require(IPAddress("0.0.0.0")) }, { $0.hostNames = ["plants.example"] },
      { $0.proxies = AddressRange.loopback },
      { $0.alwaysRequiresToken = true },
    ] as [(inout ServerOptions) throws -> Void] {
      var options = ServerOptions()
      try change(&options)
      #expect(options.requiresToken)
      let error = await #expect(throws: LeaflogError.self) {
        _ = try await RunningServer(importing: [], options)
      }
      #expect(error?.code == .notFound && error?.remedy == .addToken)
    }
  }

  @Test func `a server on all addresses is known by the one that the client connected to`()
    async throws
  {
    var options = ServerOptions()
    options.address = try #require(IPAddress("0.0.0.0"))
    try await AccessFixture.run(options) { fixture in
      for (host, status) in [
        ("127.0.0.1", 200), ("localhost", 200), ("127.0.0.2", 421), ("192.0.2.1", 421),
        ("plants.example", 421), ("[::ffff:127.0.0.1]", 200), ("[::1]", 200),
      ] {
        let answer = try await fixture.server.answer(
          "/api/v1/timeline", [fixture.bearer, "Host: \(host):\(fixture.server.port)"])
        #expect(answer.status == status, "\(host)")
      }
    }
  }
}

extension [String: Any] {
  /// A text of a listing's items.
  fileprivate func texts(_ key: String) -> [String] {
    (self["items"] as? [[String: Any]] ?? []).compactMap { $0[key] as? String }
  }
}
