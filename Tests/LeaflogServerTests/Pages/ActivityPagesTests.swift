import Foundation
import Leaflog
import TestSupport
import Testing

/// Activities as pages.
@Suite struct ActivityPagesTests {
  /// Twelve o'clock on 1 June 2026.
  private let clock = TestClock(at: .noonInJune).wallClock

  @Test func `a new activity has its days, and what was typed stays when it is refused`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let fields = [
        ("emoji", ""), ("newCategory", "Own <b>"), ("everyDays", "4"), ("notes", "kept & safe"),
        ("doneOn", "2026-05-20"), ("doneOn", "2026-05-24"),
      ]
      let refused = try await server.submit("/activities", fields + [("name", " ")])
      #expect(refused.status == 422 && refused.html.contains("Please give it a name."))
      #expect(refused.html.contains("kept &amp; safe") && refused.html.contains("Own &lt;b&gt;"))
      #expect(refused.html.contains(#"value="2026-05-24" aria-label="24 May" checked"#))
      let made = try await server.submit(
        "/activities", fields + [("name", "<img onerror=x> watering")])
      #expect(made.status == 303 && made.headers["location"] == "/activities?changed=1")
      let activity = try #require(try server.library.activities.all().first)
      #expect(activity.completionCount == 2 && activity.details.emoji == "💧")
      for path in ["/activities", "/activities/\(activity.id)", "/compact", "/activities/new"] {
        #expect(try await !server.look(at: path).contains("<img onerror"))
      }
      let list = try await server.look(at: "/activities")
      #expect(list.contains("4 days late · every 4 days") && list.contains("1 to do"))
    }
  }

  @Test
  func `this week and the calendar begin on the same day, the reader's or the one that was set`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      // A Sunday and today, a Monday.
      let activity = try server.library.activities.add(
        ActivityDetails(name: "swim", startFrom: "2026-05-01".day, weeklyGoal: 2),
        doneOn: ["2026-05-31", "2026-06-01"].map(\.day))
      let path = "/activities/\(activity.id)"
      func begins(_ language: String, onSunday: Bool) async throws {
        let page = try await server.look(at: path, language)
        #expect(page.contains(onSunday ? "2 of 2" : "1 of 2"), "\(language)")
        let sunday = page.firstRange(of: ">Su<")
        let monday = page.firstRange(of: ">Mo<")
        let (first, second) = (try #require(sunday).lowerBound, try #require(monday).lowerBound)
        #expect((first < second) == onSunday, "\(language)")
        #expect(page.contains(onSunday ? "1 week" : "0"), "\(language)")
      }
      try await begins("en-US", onSunday: true)
      try await begins("en-GB", onSunday: false)
      try server.library.settings.set(.weekStart, to: "sunday")
      try await begins("en-GB", onSunday: true)
      let record = try await server.answer("/api/v1" + path).json
      #expect((record["thisWeek"] as? [String: Any])?["count"] as? Int == 2)
      #expect((record["currentStreak"] as? [String: Any])?["unit"] as? String == "week")
      try server.library.settings.set(.weekStart, to: "monday")
      try await begins("en-US", onSunday: false)
    }
  }

  @Test func `the small view shows days ago, and what keeps it up to date`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      _ = try server.library.activities.add(
        ActivityDetails(name: "swim", startFrom: "2026-05-01".day, everyDays: 7),
        doneOn: ["2026-05-29".day])
      _ = try server.library.activities.add(
        ActivityDetails(name: "read", startFrom: "2026-05-01".day))
      let page = try await server.look(at: "/compact")
      #expect(page.contains("3 days ago · due in 4 days") && page.contains("Not done yet"))
      #expect(page.contains(#"data-live="/compact" data-follow"#))
      let manifest = try await server.look(at: "/manifest.webmanifest")
      #expect(manifest.contains(#""url": "/compact""#))
    }
  }

  @Test func `a tick has its place and its time, and one for a past day has the day alone`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let library = server.library
      let activity = try library.activities.add(
        ActivityDetails(name: "swim", startFrom: "2026-05-01".day))
      let path = "/activities/\(activity.id)"
      for (page, source) in [("/", "app"), ("/activities", "app"), ("/compact", "widget")] {
        let html = try await server.look(at: page)
        #expect(html.contains(#"name="source" value="\#(source)""#), "\(page)")
        #expect(html.contains("&quot;source&quot;:&quot;\(source)&quot;"), "\(page)")
      }
      func tick(_ day: String, from source: String) async throws -> Entry {
        _ = try await server.submit(
          path + "/tick", ["on": day, "done": "true", "source": source, "back": "/"])
        let entry = try #require(
          library.timeline.page(
            TimelineQuery(kinds: [.completion], firstDay: day.day, lastDay: day.day)
          )
          .elements.first)
        try library.diary.delete([entry.id], of: .completion)
        return entry
      }
      func source(_ entry: Entry) -> String? {
        if case .completion(let completion) = entry.content { completion.source } else { nil }
      }
      let today = try await tick("2026-06-01", from: "app")
      #expect(source(today) == "app" && today.time == EntryTime(library.now, in: library.timeZone))
      let small = try await tick("2026-06-01", from: "widget")
      #expect(source(small) == "widget" && !small.time.recorded.isDate)
      let past = try await tick("2026-05-30", from: "app")
      #expect(source(past) == "app" && past.time.recorded == .day("2026-05-30".day))
      // As the pages' scripts send it.
      let answer = try await server.write(
        "POST", "\(path)/completions",
        #"{"days":["2026-06-01","2026-05-29"],"skipDone":true,"source":"app"}"#)
      #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
      let items = try #require(answer.json["items"] as? [[String: Any]])
      #expect(
        items.compactMap { ($0["completion"] as? [String: Any])?["source"] as? String } == [
          "app", "app",
        ])
      #expect(
        items.compactMap { ($0["occurredAt"] as? String)?.contains("T") } == [false, true])
      let bulk = try await server.write(
        "POST", "\(path)/completions", #"{"days":["2026-05-28"]}"#)
      let recorded = try #require(bulk.json["items"] as? [[String: Any]])
      #expect((recorded.first?["completion"] as? [String: Any])?["source"] as? String == "bulk")
    }
  }

  @Test func `a month's days are listed with their notes, which are edited and undone`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let activities = server.library.activities
      let activity = try activities.add(
        ActivityDetails(name: "Repot", startFrom: "2025-01-01".day),
        doneOn: ["2026-03-01", "2026-03-20"].map(\.day))
      let path = "/activities/\(activity.id)"
      let now = try await server.look(at: path)
      #expect(now.contains("Last done 2 months ago, on 20 March"))
      #expect(now.contains(path + "?month=2026-03\">Last done on 20 March</a>"))
      let first = try activities.completion(of: activity, on: "2026-03-01".day)
      let form = "/entries/\(first.id)"
      let edit = try await server.look(at: form)
      let fields = try #require(FormFields(of: edit, to: form))
      var typed = fields
      typed.type("larger <pot>", into: "notes")
      typed.type("care, hall", into: "tags")
      let saved = try await server.submit(form, typed.fields)
      #expect(saved.headers["location"]?.hasPrefix(path + "?month=2026-03&changed=") == true)
      let listed = try await server.look(at: path + "?month=2026-03")
      #expect(listed.contains("larger &lt;pot&gt; · #care #hall"))
      #expect(!listed.contains("<pot>") && listed.contains("20 March"))
      // Somebody else was first.
      var late = fields
      late.renew()
      late.type("other words", into: "notes")
      let conflict = try await server.submit(form, late.fields)
      #expect(conflict.status == 409 && conflict.html.contains("larger &lt;pot&gt;"))
      _ = try server.library.history.undo()
      #expect(try activities.completion(of: activity, on: "2026-03-01".day).notes == nil)
      let removed = try await server.submit(form + "/delete", [("back", path)])
      #expect(removed.status == 303)
      #expect(try activities.completionDays(of: activity.id) == ["2026-03-20".day])
      #expect(try await server.answer("GET", form).status == 404)
    }
  }

  @Test func `the days of a month are exactly those that are ticked, and undone at once`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let activities = server.library.activities
      let activity = try activities.add(
        ActivityDetails(name: "Yoga", startFrom: "2026-01-01".day),
        doneOn: ["2026-04-30", "2026-05-01", "2026-05-02"].map(\.day))
      let path = "/activities/\(activity.id)"
      let answer = try await server.submit(
        path + "/days",
        [
          ("month", "2026-05"), ("doneOn", "2026-05-02"), ("doneOn", "2026-05-31"),
          ("back", path + "?month=2026-05"),
        ])
      let location = try #require(answer.headers["location"])
      #expect(answer.status == 303 && location == path + "?month=2026-05&changed=2")
      #expect(
        try activities.completionDays(of: activity.id)
          == ["2026-04-30", "2026-05-02", "2026-05-31"].map(\.day))
      #expect(try await server.look(at: location).contains("Ticked (2)"))
      _ = try await server.submit("/undo", [("change", "2"), ("back", path)])
      #expect(
        try activities.completionDays(of: activity.id)
          == ["2026-04-30", "2026-05-01", "2026-05-02"].map(\.day))
      for day in ["2026-06-02", "2026-04-01"] {
        let wrong = try await server.submit(
          path + "/days", [("month", "2026-05"), ("doneOn", day)])
        #expect(wrong.status == 422)
      }
      #expect(try activities.completionDays(of: activity.id).count == 3)
    }
  }

  @Test func `two windows edit one activity: the second sees both, and saves at will`()
    async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let activity = try server.library.activities.add(
        ActivityDetails(name: "Yoga", startFrom: "2026-01-01".day))
      let path = "/activities/\(activity.id)"
      func version(_ html: String) throws -> String {
        String(try #require(html.firstMatch(of: /name="version" value="([0-9a-f]+)"/)).1)
      }
      let seen = try version(try await server.look(at: path + "/edit"))
      let fields = [("category", "Health"), ("startFrom", "2026-01-01")]
      let first = try await server.submit(
        path, fields + [("version", seen), ("name", "Yoga at seven")])
      #expect(first.status == 303)
      let second = try await server.submit(
        path, fields + [("version", seen), ("name", "Yoga <at> eight")])
      #expect(second.status == 409 && second.html.contains("Yoga at seven"))
      #expect(second.html.contains(#"value="Yoga &lt;at&gt; eight""#))
      let again = try await server.submit(
        path,
        fields + [("version", try version(second.html)), ("name", "Yoga <at> eight")])
      #expect(again.status == 303)
      #expect(try server.library.activities.all().first?.name == "Yoga <at> eight")
    }
  }

  @Test func `activities are moved up and down by buttons`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      let activities = server.library.activities
      let ids = try ["A", "B", "C"].map {
        try activities.add(ActivityDetails(name: $0, startFrom: "2026-01-01".day)).id
      }
      func move(_ id: ActivityID, _ direction: String) async throws -> String {
        let answer = try await server.submit(
          "/activities/\(id)/move", [("direction", direction)])
        #expect(answer.headers["location"]?.hasPrefix("/activities?order=true&changed=") == true)
        return try activities.all().map(\.name).joined()
      }
      #expect(try await move(ids[2], "up") == "ACB")
      #expect(try await move(ids[0], "down") == "CAB")
      // At its end it stays where it is.
      #expect(try await move(ids[2], "up") == "CAB")
      #expect(try await server.look(at: "/activities?order=true").contains("Move up: B"))
    }
  }
}
