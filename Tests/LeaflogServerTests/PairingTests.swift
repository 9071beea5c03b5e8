import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// The link with which a device gets in once.
@Suite struct PairingTests {
  private func pair(
    _ fixture: AccessFixture, _ code: String, _ headers: [String] = []
  ) async throws -> Answer {
    try await fixture.server.answer(
      "POST", "/pair", headers + ["Content-Type: application/x-www-form-urlencoded"],
      body: Array("code=\(code)".utf8))
  }

  /// The line by which a browser says who it is.
  private func cookie(_ answer: Answer) throws -> String {
    let cookie = try #require(answer.headers["set-cookie"])
    return "Cookie: \(cookie.prefix { $0 != ";" })"
  }

  private func names(_ fixture: AccessFixture) throws -> [String] {
    try fixture.server.library.tokens.all().map(\.name)
  }

  @Test func `a look uses nothing up, the button does`() async throws {
    try await AccessFixture.run { fixture in
      let (code, _) = try fixture.server.library.tokens.beginPairing("tablet")
      for method in ["GET", "HEAD", "GET"] {
        let page = try await fixture.server.answer(method, "/pair?code=\(code)")
        #expect(page.status == 200 && page.headers["set-cookie"] == nil)
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.headers["cache-control"] == "no-store")
        #expect(String(decoding: page.body, as: UTF8.self).contains(code) == (method == "GET"))
      }
      #expect(try names(fixture) == ["phone"])
      let paired = try await pair(fixture, code)
      #expect(paired.status == 200)
      for part in ["__Host-leaflog=leaflog_session_", "; HttpOnly", "; SameSite=Strict"] {
        #expect(paired.headers["set-cookie"]?.contains(part) == true, "\(part)")
      }
      let line = try cookie(paired)
      let session = try await fixture.server.answer("/api/v1/session", [line]).json
      #expect((session["token"] as? [String: Any])?["name"] as? String == "tablet")
      #expect(try names(fixture) == ["phone", "tablet"])
      let again = try await pair(fixture, code)
      #expect(again.status == 403 && again.headers["set-cookie"] == nil)
      #expect(try names(fixture) == ["phone", "tablet"])
      try fixture.server.library.tokens.revoke(matching: "tablet")
      #expect(try await fixture.server.answer("/api/v1/timeline", [line]).status == 401)
    }
  }

  @Test func `a calendar is read with the secret in its address, and with nothing else`()
    async throws
  {
    try await AccessFixture.run { fixture in
      let (server, library) = (fixture.server, fixture.server.library)
      _ = try library.activities.add(
        ActivityDetails(name: "swim", startFrom: library.today, everyDays: 3),
        doneOn: [library.today])
      _ = try library.diary.setMood(.happy, on: library.today)
      let care = try library.tokens.add("calendar", calendar: .care)
      let health = try library.tokens.add("doctor", calendar: .health).secret
      #expect(try names(fixture) == ["calendar", "doctor", "phone"])
      func calendar(_ secret: String) async throws -> Answer {
        try await server.answer("/calendar/\(secret).ics")
      }
      let first = try await calendar(care.secret)
      let text = String(decoding: first.body, as: UTF8.self)
      #expect(first.status == 200 && text.contains("RRULE:") && text.contains("✓"))
      #expect(first.headers["content-type"] == "text/calendar; charset=utf-8")
      #expect(!text.contains("happy"))
      #expect(try await String(decoding: calendar(health).body, as: UTF8.self).contains("happy"))
      // It opens nothing else, and no token opens a calendar.
      #expect(
        try await server.answer("/api/v1/timeline", ["Authorization: Bearer \(health)"]).status
          == 401)
      #expect(try await fixture.signIn(health).status == 401)
      #expect(try await calendar(fixture.secret).status == 404)
      #expect(try await server.answer("/calendar/\(care.secret)").status == 404)
      let file = try String(contentsOfFile: library.path + "/access.json", encoding: .utf8)
      #expect(!file.contains(care.secret) && file.contains("\"health\""))
      try library.tokens.revoke(care.token.id)
      #expect(try await calendar(care.secret).status == 404)
      // These count against the limit of attempts, and a right secret is taken all the same.
      var last = 404
      for _ in 0..<8 { last = try await calendar("wrong").status }
      #expect(last == 429)
      #expect(try await calendar(health).status == 200)
    }
  }

  @Test func `a device comes back as itself, with the rights that it had`() async throws {
    try await AccessFixture.run { fixture in
      let tokens = fixture.server.library.tokens
      let tablet = try tokens.add("tablet", grant: AccessGrant(AccessScope(.read))).token
      let (code, _) = try tokens.beginPairing(with: tablet.id)
      let line = try cookie(try await pair(fixture, code))
      let session = try await fixture.server.answer("/api/v1/session", [line]).json
      let token = try #require(session["token"] as? [String: Any])
      #expect(token["id"] as? String == tablet.id.description)
      #expect(token["may"] as? String == "read")
      #expect(try names(fixture) == ["phone", "tablet"])
      #expect(try await pair(fixture, code).status == 403)
      // Not once its token is gone, and not for more than whoever lets it in may do.
      let (late, _) = try tokens.beginPairing(with: tablet.id)
      try tokens.revoke(tablet.id)
      #expect(try await pair(fixture, late).status == 403)
      #expect(try names(fixture) == ["phone"])
      #expect(throws: LeaflogError.self) { try tokens.beginPairing(with: tablet.id) }
      let reader = try tokens.add("reader", grant: AccessGrant(AccessScope(.read))).token
      let phone = try #require(try tokens.named("PHONE"))
      #expect(throws: LeaflogError.self) { try tokens.beginPairing(with: phone.id, by: reader) }
      let calendar = try tokens.add("calendar", calendar: .care).token
      #expect(throws: LeaflogError.self) { try tokens.beginPairing(with: calendar.id) }
    }
  }

  @Test func `the page of devices lets one sign in again`() async throws {
    try await AccessFixture.run { fixture in
      try fixture.server.library.settings.set(.disclaimer, to: "acknowledged")
      let tokens = fixture.server.library.tokens
      let id = try #require(try tokens.named("phone")?.id)
      let page = try await fixture.server.answer(
        "POST", "/me/devices/\(id)/pair",
        [fixture.bearer, "Content-Type: application/x-www-form-urlencoded"], body: [])
      let text = String(decoding: page.body, as: UTF8.self)
      #expect(page.status == 200 && page.headers["cache-control"] == "no-store")
      let code = try #require(text.firstMatch(of: /pair\?code=([A-Za-z0-9_-]+)/)?.output.1)
      #expect(try await pair(fixture, String(code)).status == 200)
      #expect(try names(fixture) == ["phone"])
    }
  }

  @Test func `it is good for ten minutes`() async throws {
    try await AccessFixture.run { fixture in
      for (seconds, status) in [(599, 200), (600, 403)] as [(Int64, Int)] {
        let (code, endsAt) = try fixture.server.library.tokens.beginPairing("tablet")
        #expect(try fixture.server.library.tokens.isPairing())
        fixture.clock.pass(seconds: seconds)
        let answer = try await pair(fixture, code)
        #expect(answer.status == status)
        fixture.clock.pass(seconds: 600 - seconds)
        #expect(fixture.server.library.clock.now == endsAt)
        #expect(try !fixture.server.library.tokens.isPairing())
      }
    }
  }

  @Test func `of many who come at once one gets in`() async throws {
    try await AccessFixture.run { fixture in
      let (code, _) = try fixture.server.library.tokens.beginPairing("tablet")
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try await pair(fixture, code).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 200 } == 1)
      #expect(statuses.allSatisfy { $0 == 200 || $0 == 403 })
      #expect(try names(fixture) == ["phone", "tablet"])
    }
  }

  @Test func `wrong links are counted as wrong tokens are`() async throws {
    try await AccessFixture.run { fixture in
      let (code, _) = try fixture.server.library.tokens.beginPairing("tablet")
      for number in 0..<12 {
        let answer =
          number % 2 == 0 ? try await pair(fixture, "x\(code)") : try await fixture.signIn("x")
        #expect(answer.status == (number >= 10 ? 429 : number % 2 == 0 ? 403 : 401))
        if number >= 10 { #expect(answer.headers["retry-after"] == "60") }
      }
      #expect(try await pair(fixture, code).status == 200)
    }
  }

  @Test func `a name that is taken gets a number`() async throws {
    try await AccessFixture.run { fixture in
      for name in ["phone 2", "phone 3"] {
        let (code, _) = try fixture.server.library.tokens.beginPairing("Phone")
        #expect(try await pair(fixture, code).status == 200)
        #expect(try names(fixture).contains { $0.lowercased() == name })
      }
    }
  }

  @Test func `no other site's page pairs, and what is no form is refused`() async throws {
    try await AccessFixture.run { fixture in
      let (code, _) = try fixture.server.library.tokens.beginPairing("tablet")
      let foreign = try await pair(fixture, code, ["Origin: https://evil.example"])
      #expect(foreign.status == 403)
      #expect(try foreign.json["code"] as? String == "foreignOrigin")
      let json = try await fixture.server.answer("POST", "/pair", text: #"{"code":"\#(code)"}"#)
      #expect(json.status == 415)
      let long = try await pair(fixture, String(repeating: "x", count: 5000))
      #expect(long.status == 413)
      for body in ["", "cod=x", "%"] {
        let answer = try await fixture.server.answer(
          "POST", "/pair", ["Content-Type: application/x-www-form-urlencoded"],
          body: Array(body.utf8))
        #expect(answer.status == 400, "\(body)")
      }
      let page = try await fixture.server.answer("/pair?code=%22%3E%3Cscript%3E")
      #expect(page.html.contains("value=\"&quot;&gt;&lt;script&gt;\""))
      #expect(try names(fixture) == ["phone"])
    }
  }

  @Test func `a service whose first device is to come with a link starts`() async throws {
    var options = ServerOptions()
    options.alwaysRequiresToken = true
    try await RunningServer.run(
      importing: [], options, prepare: { _ = try $0.tokens.beginPairing("phone") }
    ) { server in
      let answer = try await server.answer("/api/v1/timeline")
      #expect(answer.status == 401)
    }
  }

  @Test func `where it is reached is written down while it runs`() async throws {
    try await RunningServer.run(importing: []) { server in
      let file = ServiceAddressFile(of: server.library)
      let address = "http://127.0.0.1:\(server.port)/"
      #expect(file.read() == address)
      // Another service's is left alone.
      try file.remove("http://127.0.0.1:1/", former: nil)
      #expect(file.read() == address)
      // One that ran before it is found again.
      try file.remove(address, former: "http://127.0.0.1:1/")
      #expect(file.read() == "http://127.0.0.1:1/")
      try file.remove("http://127.0.0.1:1/", former: nil)
      #expect(file.read() == nil)
    }
  }
}
