import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// Settings, reminders and devices as pages.
@Suite struct SettingPagesTests {
  @Test func `settings are one change, and the next page speaks the language`() async throws {
    try await RunningServer.visit { server in
      let fields = [("language", "de"), ("dayEnd", "3"), ("name", "Åsa <b>")]
      let refused = try await server.submit(
        "/me/settings", fields + [("severityScales", "one"), ("maxFileSize", "2 GB")])
      #expect(refused.status == 422 && refused.html.contains("Åsa &lt;b&gt;"))
      #expect(refused.html.contains(#"<option value="3" selected>03:00</option>"#))
      #expect(refused.html.contains("Two to eleven different words"))
      #expect(try server.library.settings.value(of: .reportName) == "")
      let saved = try await server.submit(
        "/me/settings", fields + [("severityScales", "low, high"), ("maxFileSize", "2 GB")])
      #expect(saved.headers["location"] == "/me/settings?changed=1")
      #expect(try server.library.settings.value(of: .importMaxFileSize) == "2 GB")
      let page = try await server.look(at: "/me/settings", "en")
      #expect(page.contains(#"<html lang="de""#) && page.contains(#"value="low, high""#))
      // The page of the store sends the policy alone.
      _ = try await server.submit("/me/settings", [("policy", "lossless")])
      #expect(try server.library.settings.value(of: .dayEnd) == "3")
    }
  }

  @Test func `until the day's end the pages show the day before`() async throws {
    let clock = TestClock(at: .noonInJune)
    // One o'clock at night in Berlin.
    clock.pass(seconds: 11 * 3600)
    try await RunningServer.visit(clock: clock.wallClock) { server in
      #expect(try await server.look(at: "/").contains(#"data-day="2026-06-02""#))
      try server.library.settings.set(.dayEnd, to: "2")
      let page = try await server.look(at: "/")
      #expect(page.contains(#"data-day="2026-06-01" data-day-ends="2026-06-02T02:00:00+02:00""#))
      #expect(page.contains("It is past midnight: this still counts for Monday 1 June."))
      clock.pass(seconds: 3600)
      let next = try await server.look(at: "/")
      #expect(next.contains(#"data-day="2026-06-02""#) && !next.contains("past midnight"))
    }
  }

  @Test func `one is reminded of something, at a time of day`() async throws {
    try await RunningServer.visit { server in
      let none = try await server.submit("/me/reminders", [("time", "21:30")])
      #expect(none.status == 422 && none.html.contains(#"value="21:30""#))
      let saved = try await server.submit(
        "/me/reminders", [("time", "21:30"), ("part", "mood"), ("part", "log")])
      #expect(saved.status == 303)
      let reminder = try server.library.diary.reminder()
      #expect(!reminder.isOn && reminder.time == "21:30" && reminder.parts == [.log, .mood])
    }
  }

  @Test func `tokens are made and revoked by whoever has one`() async throws {
    try await RunningServer.visit { server in
      #expect(try await !server.look(at: "/me/devices").contains(#"action="/me/devices""#))
      let refused = try await server.submit("/me/devices", [("name", "Phone")])
      #expect(refused.status >= 400 && !refused.html.contains("leaflog_"))
      let secret = try server.library.tokens.add("Desk").secret
      let header = "Authorization: Bearer \(secret)"
      func submit(_ path: String, _ body: String) async throws -> Answer {
        try await server.answer(
          "POST", path, ["Content-Type: application/x-www-form-urlencoded", header],
          body: Array(body.utf8))
      }
      let made = try await submit("/me/devices", "use=everything&name=Phone+%3Cb%3E")
      #expect(made.status == 200 && made.html.contains("The token of “Phone &lt;b&gt;”"))
      #expect(made.headers["cache-control"] == "no-store")
      let shown = try #require(made.html.firstMatch(of: /leaflog_[0-9A-Za-z_-]+/)).0
      #expect(try server.library.tokens.holder(of: String(shown))?.name == "Phone <b>")
      #expect(try await submit("/me/devices", "use=everything&name=desk").status == 422)
      for body in ["name=x", "name=x&use=all", "name=x&use=send&until=31.12.2026"] {
        #expect([400, 422].contains(try await submit("/me/devices", body).status), "\(body)")
      }
      let calendar = try await submit("/me/devices", "name=Calendar&use=health")
      #expect(calendar.html.contains("/calendar/leaflog_calendar_"))
      #expect(calendar.html.contains("care, reminders and health"))
      let phone = try #require(try server.library.tokens.all().first { $0.name == "Phone <b>" })
      #expect(try await submit("/me/devices/\(phone.id)/revoke", "").status == 303)
      #expect(try server.library.tokens.all().map(\.name) == ["Calendar", "Desk"])
    }
  }
}

/// Devices that are paired from the page.
@Suite struct DevicePairingTests {
  @Test func `the page makes a link that works once, with what was chosen, and no lasting secret`()
    async throws
  {
    try await RunningServer.visit { server in
      let secret = try server.library.tokens.add("Desk").secret
      func submit(_ path: String, _ body: String) async throws -> Answer {
        try await server.answer(
          "POST", path,
          ["Content-Type: application/x-www-form-urlencoded", "Authorization: Bearer \(secret)"],
          body: Array(body.utf8))
      }
      let calendar = try await submit("/me/devices", "name=x&use=health&pair=true")
      #expect(calendar.status == 422 && calendar.html.contains("Calendars cannot be paired"))
      let made = try await submit("/me/devices", "name=Tablet+%3Cb%3E&use=photos&pair=true")
      #expect(made.status == 200 && made.headers["cache-control"] == "no-store")
      #expect(made.html.contains("Scan this with “Tablet &lt;b&gt;”"))
      #expect(made.html.contains("Only this machine can open that address."))
      #expect(!made.html.contains("leaflog_") && made.html.contains(#"<svg class="qr""#))
      #expect(try server.library.tokens.all().map(\.name) == ["Desk"])
      let link = try #require(
        made.html.firstMatch(of: /data-copy="http:\/\/[^"]*\/pair\?code=([0-9A-Za-z_-]+)"/))
      let paired = try await server.submit("/pair", [("code", String(link.1))])
      #expect(paired.status == 200)
      let token = try #require(try server.library.tokens.all().first { $0.name != "Desk" })
      #expect(token.name == "Tablet <b>" && token.scope == AccessScope(.photos))
      #expect(try await server.submit("/pair", [("code", String(link.1))]).status == 403)
    }
  }

  @Test func `a link gives no more than whoever makes it has`() async throws {
    try await RunningServer.visit { server in
      let until = server.library.today.advanced(by: 5)
      let giver = try server.library.tokens.add(
        "guest", grant: AccessGrant(.everything, until: until))
      func pair(_ fields: String) async throws -> Answer {
        try await server.answer(
          "POST", "/me/devices",
          [
            "Content-Type: application/x-www-form-urlencoded",
            "Authorization: Bearer \(giver.secret)",
          ], body: Array(("name=x&pair=true&use=everything" + fields).utf8))
      }
      #expect(try await pair("").status == 422)
      #expect(try await pair("&until=\(until)").status == 200)
    }
  }
}

/// The diary as files.
@Suite struct ExportPagesTests {
  @Test func `a table is made and downloaded, and the calendar comes at once`() async throws {
    try await RunningServer.visit { server in
      _ = try server.library.diary.setMood(.happy, on: server.library.today)
      let posted = try await server.submit(
        "/me/export", [("kind", "csv"), ("table", "mood"), ("from", ""), ("to", "")])
      #expect(
        posted.status == 303
          && posted.headers["location"] == "/me/export?changed=0&started=csv#jobs")
      #expect(try await server.look(at: "/me/export").contains("Table (CSV)"))
      let wrong = try await server.submit(
        "/me/export", [("kind", "report"), ("days", "0")])
      #expect(wrong.status == 422 && wrong.html.contains("Not saved yet"))
      for page in ["/me/export", "/insights"] {
        let html = try await server.look(at: page, "de-AT")
        #expect(html.contains(#"name="language" value="de-AT""#), "\(page)")
      }
      _ = try await server.submit(
        "/me/export", [("kind", "report"), ("days", "30"), ("language", "de-AT")])
      let jobs = try await server.answer("GET", "/api/v1/jobs").json["items"] as? [[String: Any]]
      #expect((jobs?.first?["request"] as? [String: Any])?["language"] as? String == "de-AT")
      let calendar = try await server.answer("GET", "/export/calendar.ics")
      #expect(calendar.headers["content-type"] == "text/calendar; charset=utf-8")
      #expect(String(decoding: calendar.body, as: UTF8.self).hasPrefix("BEGIN:VCALENDAR"))
    }
  }
}
