import Foundation
import Leaflog
import TestSupport
import Testing

/// Forms that are sent twice.
@Suite struct RepeatedFormTests {
  private let clock = TestClock(at: .noonInJune).wallClock

  /// Each form that makes something, and two versions of a field of it.
  static let forms: [(page: String, action: String, fields: [(String, String)], field: String)] = [
    ("/symptoms/new", "/symptoms", [("name", "Cough"), ("severity", "mild")], "name"),
    ("/episodes/new", "/episodes", [("type", "cold"), ("notes", "since noon")], "notes"),
    ("/plants/new", "/plants", [("name", "Mint")], "name"),
    ("/activities/new", "/activities", [("name", "Weed")], "name"),
    ("/log", "/log", [("notes", "a long day")], "notes"),
    ("/", "/log", [("notes", "a long day")], "notes"),
    ("/quotes", "/quotes", [("text", "Sow.")], "text"),
  ]

  @Test(arguments: forms)
  func `a form makes one thing, and with other words shows both`(
    page: String, action: String, fields: [(String, String)], field: String
  ) async throws {
    try await RunningServer.visit(clock: clock) { server in
      var form = try #require(FormFields(of: try await server.look(at: page), to: action))
      for (name, value) in fields {
        if form.value(name) == nil { form.fields.append((name, value)) }
        form.type(value, into: name)
      }
      let first = try await server.submit(action, form.fields)
      #expect(first.status == 303, "\(first.html)")
      let change = try server.library.history.page(limit: 1).changes.first
      let second = try await server.submit(action, form.fields)
      #expect(second.status == 303)
      #expect(second.headers["location"] == first.headers["location"])
      // Whatever the page itself has filled in anew is none of its words.
      form.type("/plants", into: "back")
      form.type("2026-06-01T12:00:05+02:00", into: "at.filled")
      #expect(try await server.submit(action, form.fields).status == 303)
      let before = try #require(form.value(field))
      form.type("Others", into: field)
      let other = try await server.submit(action, form.fields)
      #expect(other.status == 409)
      #expect(other.html.contains("This form was already saved, with other words"))
      let cell = #"<td class="keep" dir="auto">"#
      #expect(other.html.contains("\(cell)\(before)</td>\(cell)Others</td>"))
      #expect(try server.library.history.page(limit: 1).changes.first?.id == change?.id)
      // The form is there again with a key of its own.
      let again = try #require(FormFields(of: other.html, to: action))
      #expect(again.value(field) == "Others" && again.value("key") != form.value("key"))
    }
  }

  @Test func `a page with a key is never taken for an older one`() async throws {
    try await RunningServer.visit { server in
      var keys: Set<String> = []
      for form in Self.forms + Self.forms {
        let answer = try await server.answer("GET", form.page, [])
        #expect(answer.headers["etag"] == nil && answer.headers["last-modified"] == nil)
        let key = FormFields(of: answer.html, to: form.action)?.value("key")
        #expect(keys.insert(try #require(key)).inserted)
      }
    }
  }

  @Test func `a form returns only to a page of this service`() async throws {
    try await RunningServer.visit { server in
      let own = try await server.look(at: "/symptoms/new?back=%2Ftimeline%3Fkind%3Dphoto")
      #expect(
        FormFields(of: own, to: "/symptoms")?.value("back") == "/timeline?kind=photo")
      for other in ["%2F%2Fexample.org", "https%3A%2F%2Fexample.org", "%2F%09%2Fexample.org"] {
        let page = try await server.look(at: "/symptoms/new?back=\(other)")
        #expect(FormFields(of: page, to: "/symptoms")?.value("back") == nil)
      }
    }
  }
}
