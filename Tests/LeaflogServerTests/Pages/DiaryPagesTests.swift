import Foundation
import Leaflog
import TestSupport
import Testing

/// The daily log, episodes, moods, quotes and insights as pages.
@Suite struct DiaryPagesTests {
  /// Twelve o'clock in UTC on 1 June 2026.
  private let clock = TestClock(at: .noonInJune).wallClock

  @Test func `a log keeps apart what was not done and what was not said`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      let back = ("back", "/log?on=2026-05-31")
      let saved = try await server.submit(
        "/log",
        [
          ("day", "2026-05-31"), back, ("sleepHours", "7,5"), ("officeDay", "false"),
          ("sickContact", ""), ("notes", "<b>"),
        ])
      #expect(saved.headers["location"] == "/log?on=2026-05-31&changed=1")
      let log = try #require(try server.library.diary.dailyLog(on: "2026-05-31".day))
      guard case .dailyLog(let fields) = log.content else { throw CocoaError(.featureUnsupported) }
      #expect(fields.sleepHours == 7.5 && fields.officeDay == false && fields.sickContact == nil)
      let refused = try await server.submit(
        "/log", [("day", "2026-05-31"), back, ("sleepHours", "13"), ("notes", "typed")])
      #expect(refused.status == 422 && refused.html.contains(#"value="13""#))
      #expect(refused.html.contains("typed") && refused.html.contains("<h1>Daily log</h1>"))
      let stale = try await server.submit(
        "/log", [("day", "2026-05-31"), back, ("version", "0"), ("sleepHours", "8")])
      #expect(stale.status == 409 && stale.html.contains("&lt;b&gt;"))
      _ = try await server.submit("/log/delete", [("day", "2026-05-31"), back])
      #expect(try server.library.diary.dailyLog(on: "2026-05-31".day) == nil)
    }
  }

  @Test func `own fields are added, filled in, hidden and deleted on the pages`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      let refused = try await server.submit("/factors", [("name", "Coffee"), ("kind", "number")])
      #expect(refused.status == 422 && refused.html.contains("A number needs its highest value."))
      _ = try await server.submit(
        "/factors",
        [
          ("name", "Coffee"), ("kind", "number"), ("lowest", ""), ("highest", "10"),
          ("unit", "cups"),
        ])
      _ = try await server.submit(
        "/factors", [("name", "Place"), ("kind", "choice"), ("choices", "home, garden")])
      _ = try await server.submit("/factors", [("name", "Pill"), ("kind", "flag")])
      let all = try server.library.factors.all()
      #expect(all.map(\.details.words) == ["0 to 10 cups", "home or garden", "yes or no"])
      let fields = all.map { "factors.\($0.id)" }
      let form = try await server.look(at: "/log?on=2026-05-31")
      #expect(
        form.contains(
          #"name="\#(fields[0])" type="number" dir="auto" inputmode="decimal" min="0" max="10""#))
      #expect(form.contains("<span>cups</span>") && form.contains(#"value="garden""#))
      let day = ("day", "2026-05-31")
      let wrong = try await server.submit("/log", [day, (fields[0], "11")])
      #expect(
        wrong.status == 422 && wrong.html.contains("“Coffee” must be 0 to 10 cups, not “11”."))
      _ = try await server.submit(
        "/log", [day, (fields[0], "2,5"), (fields[1], "garden"), (fields[2], "true")])
      let log = try #require(try server.library.diary.dailyLog(on: "2026-05-31".day))
      #expect(log.content.summary == "Coffee 2.5 cups, Place garden, Pill yes")
      #expect(
        try await server.look(at: "/timeline").contains(
          "Coffee: 2.5 cups, Place: garden and Pill: yes"))
      #expect(
        try await server.look(at: "/timeline", "de").contains(
          "Coffee: 2,5 cups, Place: garden und Pill: ja"))
      // A form without the fields keeps their values, and an empty one removes its own.
      _ = try await server.submit("/log", [day, ("stress", "2"), (fields[2], "")])
      let kept = try #require(try server.library.diary.dailyLog(on: "2026-05-31".day))
      #expect(kept.content.summary == "stress 2 of 5, Coffee 2.5 cups, Place garden")
      #expect(try await server.look(at: "/insights").contains("2.5 cups (1 day)"))
      _ = try await server.submit("/factors/\(all[0].id)/move", [("direction", "down")])
      _ = try await server.submit("/factors/\(all[0].id)/hide", [("hidden", "true")])
      #expect(try server.library.factors.all().map(\.name) == ["Place", "Coffee", "Pill"])
      #expect(try await server.look(at: "/log?on=2026-05-31").contains(fields[0]))
      #expect(try await !server.look(at: "/log?on=2026-05-30").contains(fields[0]))
      #expect(try await server.look(at: "/factors").contains("0–10 cups · Hidden"))
      _ = try await server.submit(
        "/factors/\(all[0].id)", [("name", "Espresso"), ("highest", "20")])
      #expect(try server.library.factors.find(matching: "espresso").details.highest == 20)
      #expect(try server.library.factors.find(matching: "espresso").details.unit == nil)
      _ = try await server.submit("/factors/\(all[0].id)/delete", [("back", "/factors")])
      #expect(try server.library.factors.all().map(\.name) == ["Place", "Pill"])
      let history = try await server.look(at: "/me/history")
      #expect(history.contains("Own field deleted") && history.contains("Own fields reordered"))
    }
  }

  @Test func `a log reads as a sentence, and severity has as many dots as its scale`() async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      let diary = server.library.diary
      _ = try diary.setDailyLog(on: server.library.today, notes: nil) { log in
        (log.sleepHours, log.sleepQuality, log.stress, log.officeDay) = (7.5, 4, 2, true)
      }
      let severity = try diary.severityScales().severity("moderate")
      _ = try diary.addSymptom(Symptom(name: "cough", severity: severity))
      let page = try await server.look(at: "/")
      #expect(page.contains("Slept well for 7.5 h, had little stress and was at the office"))
      #expect(page.contains(#"<i class="full"></i><i class="full"></i><i></i></span>"#))
      let german = try await server.look(at: "/", "de")
      #expect(german.contains("7,5 h gut geschlafen, wenig Stress gehabt und im Büro gewesen"))
      #expect(german.contains("<blockquote dir=\"auto\" lang=\"de\">„"))
      #expect(page.contains("<blockquote dir=\"auto\" lang=\"en\">“"))
      let settings = try await server.look(at: "/me/settings")
      #expect(settings.contains(#"<option value="de" lang="de">Deutsch</option>"#))
      #expect(settings.contains(#"<option value="auto" selected>"#))
    }
  }

  @Test func `an overlap is said with names, and saved when it is meant`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      let first = [("type", "cold"), ("startDay", "2026-05-01"), ("endDay", "2026-05-05")]
      _ = try await server.submit("/episodes", first)
      let second = [
        ("type", "fever"), ("startDay", "2026-05-04"), ("symptoms", "cough"),
        ("symptoms", "headache"), ("notes", "kept"),
      ]
      let asked = try await server.submit("/episodes", second)
      #expect(asked.status == 422 && asked.html.contains(#"name="allowOverlap""#))
      #expect(asked.html.contains("Cold · 1 May to 5 May · 5 days"))
      #expect(asked.html.contains("kept") && asked.html.contains(#"value="cough" checked"#))
      let ids = try #require(
        asked.html.firstMatch(of: /name="allowOverlap" value="([0-9a-f ]+)"/)?.1)
      // An episode that came in since has not been accepted.
      _ = try server.library.diary.addEpisode(
        Episode(endDay: "2026-05-07".day, type: .allergy), from: "2026-05-06".day)
      let again = try await server.submit("/episodes", second + [("allowOverlap", String(ids))])
      #expect(again.status == 422 && again.html.contains("Allergy · 6 May to 7 May"))
      let both = try #require(
        again.html.firstMatch(of: /name="allowOverlap" value="([0-9a-f ]+)"/)?.1)
      let meant = try await server.submit("/episodes", second + [("allowOverlap", String(both))])
      #expect(meant.headers["location"] == "/episodes?changed=3")
      #expect(try await server.look(at: "/episodes").contains("Fever, day 29"))
      let wrong = try await server.submit(
        "/episodes", [("type", "cold"), ("startDay", "2026-04-05"), ("endDay", "2026-04-01")])
      #expect(wrong.status == 422 && !wrong.html.contains("allowOverlap"))
      #expect(wrong.html.contains("The last day is before the first."))
    }
  }

  @Test func `who is well again is not asked again, and the change says what it was`() async throws
  {
    try await RunningServer.visit(clock: clock) { server in
      _ = try await server.submit("/episodes", [("type", "cold"), ("startDay", "2026-05-30")])
      let entry = try #require(try server.library.diary.entries(of: .episode).first)
      let end = "/episodes/\(entry.id)/end"
      #expect(try await server.look(at: "/").contains(end))
      let ended = try await server.submit(end, [("endDay", "2026-06-01"), ("back", "/")])
      let page = try await server.look(at: try #require(ended.headers["location"]), "de")
      #expect(page.contains("seit heute wieder gesund") && page.contains("Krankheit beendet"))
      #expect(!page.contains(end))
      #expect(try await server.look(at: "/?on=2026-05-31").contains("until 1 June"))
    }
  }

  @Test func `moods are counted, and taken back`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      for (day, mood) in [
        ("2026-05-30", "lonely"), ("2026-05-31", "happy"), ("2026-06-01", "happy"),
      ] {
        _ = try await server.submit("/moods", [("day", day), ("mood", mood), ("back", "/moods")])
      }
      let page = try await server.look(at: "/moods", "de")
      #expect(page.contains(#"max="2" value="1" aria-label="Einsam""#))
      _ = try await server.submit("/moods", [("day", "2026-05-30"), ("mood", "none")])
      #expect(try await !server.look(at: "/moods", "de").contains("30. Mai"))
    }
  }

  @Test func `a mood has a note, and becomes another with it`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      _ = try await server.submit("/moods", [("day", "2026-06-01"), ("mood", "happy")])
      let mood = try #require(try server.library.diary.mood(on: "2026-06-01".day))
      let form = "/entries/\(mood.id)"
      #expect(try await server.look(at: "/").contains(form + "?back=%2F\">Add a note</a>"))
      var fields = try #require(FormFields(of: try await server.look(at: form), to: form))
      #expect(fields.value("mood") == "happy")
      fields.type("sun at last", into: "notes")
      fields.type("calm", into: "mood")
      #expect(
        try await server.submit(form, fields.fields).headers["location"] == "/moods?changed=2")
      for page in ["/", "/moods"] {
        #expect(try await server.look(at: page).contains("sun at last"), "\(page)")
      }
      let entry = try server.library.diary.entry(matching: "\(mood.id)")
      #expect(entry.content == .mood(.calm) && entry.notes == "sun at last")
      let symptom = try server.library.diary.addSymptom(
        Symptom(name: "cough", severity: Severity(2)))
      #expect(try await server.answer("GET", "/entries/\(symptom.id)").status == 404)
    }
  }

  @Test func `one's own quotes and favourites are found, and a card is a picture`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      let empty = try await server.submit("/quotes", [("text", " "), ("author", "Kept")])
      #expect(empty.status == 422 && empty.html.contains(#"value="Kept""#))
      let text = "Water first. <img onerror=x>"
      let made = try await server.submit("/quotes", [("text", text), ("author", "Me")])
      #expect(made.headers["location"]?.hasPrefix("/quotes?filter=own") == true)
      let own = try await server.look(at: "/quotes?filter=own")
      #expect(own.contains("Water first. &lt;img") && !own.contains("<img onerror"))
      _ = try await server.submit("/quotes/b1/favourite", [("favourite", "true")])
      #expect(try await server.look(at: "/quotes").contains("/quotes/b1/favourite"))
      #expect(
        try await server.look(at: "/quotes?filter=favourites&text=zzz").contains("No quotes here"))
      let card = try await server.answer("GET", "/quotes/b1/card")
      #expect(card.headers["content-type"] == "image/jpeg")
      #expect(card.body.starts(with: [0xFF, 0xD8, 0xFF]))
    }
  }

  @Test func `insights set the week before an episode beside the usual one`() async throws {
    try await RunningServer.visit(clock: clock) { server in
      #expect(try await server.look(at: "/insights").contains("Nothing to count yet."))
      let diary = server.library.diary
      for (day, hours) in [("2026-05-08", 5.0), ("2026-05-20", 8)] {
        _ = try diary.setDailyLog(on: day.day) { $0.sleepHours = hours }
      }
      _ = try diary.addEpisode(
        Episode(endDay: "2026-05-12".day, type: .cold, symptoms: [.soreThroat]),
        from: "2026-05-10".day)
      let page = try await server.look(at: "/insights?days=30")
      #expect(page.contains("Sore throat") && page.contains("Cold: 10 May to 12 May · 3 days"))
      let row = try #require(page.firstMatch(of: /<th scope="row">Sleep<\/th>(.*?)<\/tr>/)).1
      #expect(row.contains("5 h (1 day)") && row.contains("6.5 h (2 days)"))
      // What no day recorded is no nought.
      #expect(!page.contains("Office days"))
      // The mean is 7.25 hours.
      _ = try diary.setDailyLog(on: "2026-05-21".day) { log in
        (log.sleepHours, log.sleepQuality, log.exerciseType) = (8.75, 4, .yoga)
        (log.sugar, log.alcohol) = (.low, DailyLog.Alcohol.none)
      }
      _ = try server.library.diary.setMood(.happy, on: server.library.today)
      let moods = try await server.look(at: "/insights?days=30")
      #expect(moods.contains("Moods by week") && moods.contains("😊 Happy 1"))
      let german = try await server.look(at: "/insights?days=30", "de")
      #expect(german.contains("7,25 ") && german.contains("(3 Tage)"))
      for (name, value) in [
        ("Sleep quality", "4 (1 day)"), ("Kind of exercise", "Yoga 1 (1 day)"),
        ("Sugar", "Low 1 (1 day)"), ("Days with alcohol", "0 of 1"),
      ] {
        #expect(moods.contains(#"<dt>\#(name)</dt><dd class="number">\#(value)</dd>"#), "\(name)")
        // The week before the episode has none.
        #expect(
          moods.contains(
            #"<th scope="row">\#(name)</th><td class="number">\#(value)</td><td class="number">–</td>"#
          ),
          "\(name)")
      }
    }
  }
}
