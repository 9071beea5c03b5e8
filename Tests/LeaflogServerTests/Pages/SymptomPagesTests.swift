import Foundation
import Leaflog
import TestSupport
import Testing

/// Symptoms as pages.
@Suite struct SymptomPagesTests {
  /// Twelve o'clock in UTC on 1 June 2026, two in Berlin.
  private let clock = TestClock(at: .noonInJune).wallClock
  private let fields = [
    ("name", "Head & neck"), ("severity", "moderate"), ("notes", "<img onerror=x>"),
    ("medications", "Tea, Honey"), ("tags", "woke up"),
  ]

  @Test func `a symptom is noted, shown on its day, and edited without losing its seconds`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let made = try await server.submit("/symptoms", fields + [("at", "2026-05-31T22:10")])
      #expect(made.status == 303)
      #expect(made.headers["location"] == "/symptoms?on=2026-05-31&changed=1")
      let day = try await server.look(at: "/symptoms?on=2026-05-31")
      #expect(day.contains("Head &amp; neck") && day.contains("moderate · 22:10 · Tea, Honey"))
      #expect(day.contains(#"aria-label="31 May: 1 symptom""#) && !day.contains("<img onerror"))
      let entry = try #require(try server.library.diary.symptoms().elements.first)
      #expect(entry.tags == ["woke up"])
      let exact = try server.library.diary.editSymptom(
        entry, at: RecordedTime("2026-05-31T22:10:42"))
      let edited = try await server.submit(
        "/symptoms/\(entry.id)", fields + [("at", "2026-05-31T22:10"), ("tags", "")])
      #expect(edited.status == 303)
      let now = try server.library.diary.entry(entry.id)
      #expect(now.time == exact.changed.first?.time)
    }
  }

  @Test func `one of more than two days ago is asked about, one that lies ahead refused`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let late = try await server.submit("/symptoms", fields + [("at", "2026-05-20T10:00")])
      #expect(late.status == 422 && late.html.contains(#"name="allowLate""#))
      #expect(late.html.contains("Head &amp; neck") && late.html.contains("Tea, Honey"))
      let meant = try await server.submit(
        "/symptoms", fields + [("at", "2026-05-20T10:00"), ("allowLate", "true")])
      #expect(meant.headers["location"] == "/symptoms?on=2026-05-20&changed=1")
      let ahead = try await server.submit("/symptoms", fields + [("at", "2026-06-01T14:05")])
      #expect(ahead.status == 422 && ahead.html.contains("This date is in the future."))
      #expect(try server.library.diary.symptoms().elements.count == 1)
    }
  }

  @Test func `while the clock is behind, pages take each day and time, as the library does`()
    async throws
  {
    let clock = TestClock(at: .noonInJune)
    try await RunningServer.visit(clock: clock.wallClock) { server in
      _ = try server.library.plants.add(PlantDetails(name: "fern"))
      clock.pass(days: -200)
      let symptom = try await server.submit(
        "/symptoms", fields + [("at", "2026-05-31T10:00"), ("allowLate", "true")])
      #expect(symptom.status == 303)
      let episode = try await server.submit(
        "/episodes", [("type", "cold"), ("startDay", "2026-05-30"), ("endDay", "2026-05-31")])
      #expect(episode.status == 303)
      for path in ["/episodes/new", "/activities/new", "/add"] {
        let page = try await server.look(at: path)
        #expect(!page.contains(/type="date(time-local)?"[^>]* max=/), "\(path)")
      }
      let later = try await server.look(at: "/log?on=2026-05-31")
      #expect(later.contains(#"name="day" value="2026-05-31""#))
      #expect(later.contains(#"href="/log?on=2026-06-01""#))
      let boxes = try await server.look(at: "/activities/new")
      #expect(boxes.contains(#"name="doneOn""#) && !boxes.contains(" disabled"))
    }
  }

  @Test func `a severity of a scale that is no more stays as it is`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      _ = try await server.submit("/symptoms", fields + [("at", "2026-06-01T10:00")])
      try server.library.settings.set(.severityScales, to: "faint, unbearable")
      let entry = try #require(try server.library.diary.symptoms().elements.first)
      #expect(try await server.look(at: "/symptoms/\(entry.id)").contains(#"value="moderate""#))
      let edited = try await server.submit(
        "/symptoms/\(entry.id)", fields + [("at", "2026-06-01T09:00")])
      #expect(edited.status == 303)
      let now = try server.library.diary.entry(entry.id)
      #expect(now.time.wall.hour == 9 && now.content == entry.content)
    }
  }

  @Test func `a symptom over time is counted by week, in the reader's language`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      for day in ["2026-05-04", "2026-05-05", "2026-05-30"] {
        _ = try await server.submit(
          "/symptoms", fields + [("at", "\(day)T10:00"), ("allowLate", "true")])
      }
      let trend = try await server.look(at: "/symptoms/trend?name=head%20%26%20neck&days=30", "de")
      #expect(trend.contains("3 Mal") && trend.contains("<title>4. Mai: 2</title>"))
      #expect(
        try await server.look(at: "/symptoms/trend?name=none").contains("Nothing in this period."))
    }
  }
}
