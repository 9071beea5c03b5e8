import Foundation
import Leaflog
import TestSupport
import Testing

/// Forms change what was touched, and nothing else.
@Suite struct FormTests {
  /// Everything that a browser or a form could lose.
  private static let text =
    "“1, 2”; \"x\" & <y>\n\n\tשלום, 👩‍👩‍👧 ‮rtl‬ – é\r\nlast"
  private static let line = "שלום, “a, b” & <\"c\"> 👩‍👩‍👧"
  private static let list = ["Painaway 400, slow release", "\"quoted\"", "עברית, 💊", "tea"]

  /// 40 minutes past midnight on 2 June 2026 in Berlin, where the day ends at three.
  private func night() -> TestClock {
    let clock = TestClock()
    clock.set(.wall("2026-06-02T00:40:12"))
    return clock
  }

  @Test func `a form of any kind that is saved as it was opened changes nothing`() async throws {
    let clock = TestClock(at: .noonInJune)
    try await RunningServer.visit(
      importing: [Fixtures.path("Photos/basil")], clock: clock.wallClock
    ) { server in
      let addresses = try Self.fill(server.library)
      for (page, action) in addresses {
        let last = try server.library.history.page(limit: 1).changes.first?.id
        let form = try #require(FormFields(of: try await server.look(at: page), to: action))
        let saved = try await server.submit(action, form.fields)
        #expect(saved.status == 303, "\(page): \(saved.html)")
        #expect(saved.headers["location"]?.contains("changed=0") == true, "\(page)")
        #expect(try server.library.history.page(limit: 1).changes.first?.id == last, "\(page)")
      }
    }
  }

  @Test func `so it does after travelling west`() async throws {
    let clock = TestClock()
    clock.set(.wall("2026-06-02T00:40:12"))
    try await RunningServer.visit(clock: clock.wallClock) { server in
      let addresses = try Self.fill(server.library, on: "2026-06-02")
      try server.library.settings.set(.timeZone, to: "America/Los_Angeles")
      let last = try server.library.history.page(limit: 1).changes.first?.id
      for (page, action) in addresses {
        let form = try #require(FormFields(of: try await server.look(at: page), to: action))
        let saved = try await server.submit(action, form.fields)
        #expect(saved.status == 303, "\(page): \(saved.html)")
        #expect(try server.library.history.page(limit: 1).changes.first?.id == last, "\(page)")
      }
      // What is edited is read with the offset that it has.
      let symptom = try #require(addresses.first { $0.page.hasPrefix("/symptoms/") }).page
      var form = try #require(
        FormFields(of: try await server.look(at: symptom), to: symptom))
      form.type("slept badly", into: "notes")
      form.type("2026-06-02T00:30", into: "at")
      #expect(try await server.submit(symptom, form.fields).status == 303)
      let entry = try server.library.diary.entry(
        matching: String(symptom.dropFirst("/symptoms/".count)))
      #expect(entry.time.recorded.iso8601 == "2026-06-02T00:30:00+02:00")
      form.type("2026-06-02T00:50", into: "at")
      form.renew()
      form.type(entry.versionDigest, into: "version")
      let ahead = try await server.submit(symptom, form.fields)
      #expect(ahead.status == 422 && ahead.html.contains("This date is in the future."))
    }
  }

  /// Makes one of everything that has a form, with every field filled.
  ///
  /// - Returns: the address of each form's page, and the address that it is posted to.
  static func fill(
    _ library: Library, on day: String = "2026-06-01"
  ) throws -> [(page: String, action: String)] {
    let (diary, day, yesterday) = (library.diary, day.day, day.day.advanced(by: -1))
    let tags = list.map { "tag: " + $0 }
    var addresses: [(page: String, action: String)] = []
    let now = EntryTime(library.now, in: library.timeZone).wall
    let early = RecordedTime("\(day)T00:10:05.078+02:00")
    for time in [library.now, .wall(now), early, .day(day)].compactMap(\.self) {
      let symptom = try diary.addSymptom(
        Symptom(name: line, severity: Severity(2.5), medications: list + ["two\nlines"]),
        at: time, notes: text, tags: tags, confirmed: [.late])
      addresses.append(("/symptoms/\(symptom.id)", "/symptoms/\(symptom.id)"))
    }
    let episode = try diary.addEpisode(
      Episode(
        endDay: day, type: .sinus, symptoms: [.headache, .cough], severity: 4, mucus: .yellow,
        worstTime: .allDay, medications: list, doctorVisit: text, testResult: line),
      from: yesterday, notes: text, tags: tags)
    addresses.append(("/episodes/\(episode.id)", "/episodes/\(episode.id)"))
    _ = try diary.setDailyLog(on: day, notes: text, tags: tags) { log in
      (log.sleepHours, log.sleepQuality, log.stress, log.exerciseMinutes) = (7.25, 2, 3, 45)
      (log.exerciseType, log.sugar, log.alcohol) = (.walk, .low, .some)
      (log.officeDay, log.sickContact, log.humidifier) = (true, false, true)
    }
    addresses.append(("/log?on=\(day)", "/log"))
    let plant = try library.plants.add(
      PlantDetails(name: line, scientificName: line, location: line, notes: text))
    addresses.append(("/plants/\(plant.id)/edit", "/plants/\(plant.id)"))
    let activity = try library.activities.add(
      ActivityDetails(
        name: line, emoji: "👩‍👩‍👧", category: line, startFrom: day, notes: text, everyDays: 3,
        weeklyGoal: 2, monthlyGoal: 7), plant: plant.id, doneOn: [day, yesterday])
    addresses.append(("/activities/\(activity.id)/edit", "/activities/\(activity.id)"))
    let month = "/activities/\(activity.id)?month=\(CalendarMonth(of: day))"
    addresses.append((month, "/activities/\(activity.id)/days"))
    let done = try library.activities.completion(
      of: library.activities.find(matching: line), on: day)
    _ = try library.activities.edit(done, notes: text, tags: tags)
    let mood = try diary.setMood(.lonely, on: day, notes: text, tags: tags)
    addresses += ["\(done.id)", "\(mood.id)"].map { ("/entries/\($0)", "/entries/\($0)") }
    for (photo, time) in zip(
      try library.photos.entries(.matching(TimelineQuery())), [nil, library.now, .wall(now)])
    {
      _ = try library.photos.edit(
        .photos([photo.id]), notes: text, tags: tags, plant: .set(plant.id)
      ) { _ in time }
      addresses.append(("/photos/\(photo.id)/edit", "/photos/\(photo.id)"))
    }
    try library.settings.set(.reportName, to: line)
    try library.settings.set(.severityScales, to: "faint, strong; low, high")
    try library.settings.set(.reminderTime, to: "21:30")
    return addresses + [("/me/settings", "/me/settings"), ("/me/reminders", "/me/reminders")]
  }

  @Test func `after midnight a form is filled in with the moment, and saves it`() async throws {
    let clock = night()
    try await RunningServer.visit(
      clock: clock.wallClock, prepare: { try $0.settings.set(.dayEnd, to: "3") }
    ) { server in
      // The link of the page of today, and that of the page of adding.
      for page in ["/symptoms/new?on=2026-06-01", "/symptoms/new", "/symptoms/new?on=2026-06-09"] {
        var form = try #require(FormFields(of: try await server.look(at: page), to: "/symptoms"))
        #expect(form.value("at") == "2026-06-02T00:40")
        form.fields += [("severity", "mild")]
        form.type("fever", into: "name")
        let saved = try await server.submit("/symptoms", form.fields)
        #expect(saved.status == 303, "\(saved.html)")
        let entry = try #require(try server.library.diary.symptoms().elements.first)
        #expect(entry.time.recorded.iso8601 == "2026-06-02T00:40:12+02:00")
      }
      // On a day before, the time of day counts for that day.
      let before = try #require(
        FormFields(of: try await server.look(at: "/symptoms/new?on=2026-05-31"), to: "/symptoms"))
      #expect(before.value("at") == "2026-06-01T00:40" && before.value("at.filled") == nil)
      // The calendar's day has begun, and is accepted.
      let episode = try await server.submit(
        "/episodes", [("type", "cold"), ("startDay", "2026-06-02")])
      #expect(episode.status == 303)
      #expect(try await server.look(at: "/episodes/new").contains(#"max="2026-06-02""#))
      #expect(try await server.look(at: "/add").contains(#"max="2026-06-02T23:59:59""#))
    }
  }

  @Test func `a time that is not touched is the moment that it was, in the repeated hour too`()
    async throws
  {
    let clock = TestClock()
    // The second 02:40 of the night in which clocks are put back.
    clock.set(try #require(RecordedTime("2026-10-25T02:40:31+01:00")))
    try await RunningServer.visit(clock: clock.wallClock) { server in
      var form = try #require(
        FormFields(of: try await server.look(at: "/symptoms/new"), to: "/symptoms"))
      form.fields += [("severity", "mild")]
      form.type("fever", into: "name")
      // It takes a while to fill in.
      clock.pass(seconds: 600)
      _ = try await server.submit("/symptoms", form.fields)
      let entry = try #require(try server.library.diary.symptoms().elements.first)
      #expect(entry.time.recorded.iso8601 == "2026-10-25T02:40:31+01:00")
      // A client that sends the minute alone.
      _ = try await server.submit(
        "/symptoms", [("name", "x"), ("severity", "mild"), ("at", "2026-10-25T02:50")])
      let next = try #require(try server.library.diary.symptoms().elements.first)
      #expect(next.time.recorded.iso8601 == "2026-10-25T02:50:31+01:00")
      form.type("2026-10-25T01:15", into: "at")
      form.renew()
      _ = try await server.submit("/symptoms", form.fields)
      let typed = try #require(try server.library.diary.symptoms().elements.last)
      #expect(typed.time.recorded.iso8601 == "2026-10-25T01:15:00")
    }
  }

  @Test func `items of a list are changed, added and removed one by one`() async throws {
    let clock = TestClock(at: .noonInJune)
    try await RunningServer.visit(clock: clock.wallClock) { server in
      let made = try await server.submit(
        "/symptoms",
        [
          ("name", "ache"), ("severity", "mild"), ("at", "2026-06-01T13:00"),
          ("medications", "tea, \"Painaway 400, slow release\", 5\" \"\"dose, \"a \"\"b\"\", c\""),
        ])
      #expect(made.status == 303)
      func medications() throws -> [String] {
        guard
          case .symptom(let symptom)? = try server.library.diary.symptoms().elements.first?
            .content
        else { return [] }
        return symptom.medications
      }
      #expect(
        try medications() == ["tea", "Painaway 400, slow release", "5\" \"\"dose", "a \"b\", c"])
      let id = try #require(try server.library.diary.symptoms().elements.first?.id)
      var form = try #require(
        FormFields(of: try await server.look(at: "/symptoms/\(id)"), to: "/symptoms/\(id)"))
      let items = form.fields.indices.filter { form.fields[$0].0 == "medications" }
      #expect(items.count == 4)
      form.fields[items[0]].1 = ""
      form.fields[items[1]].1 = "Painaway 500, slow release"
      form.type("honey, rest", into: "medications.new")
      // A refused form keeps what was typed.
      form.type("", into: "name")
      let refused = try await server.submit("/symptoms/\(id)", form.fields)
      #expect(refused.status == 422)
      form = try #require(FormFields(of: refused.html, to: "/symptoms/\(id)"))
      form.type("ache", into: "name")
      #expect(try await server.submit("/symptoms/\(id)", form.fields).status == 303)
      #expect(
        try medications()
          == ["Painaway 500, slow release", "5\" \"\"dose", "a \"b\", c", "honey", "rest"])
    }
  }
}

extension RecordedTime {
  /// A time without an offset.
  fileprivate static func wall(_ text: String) -> RecordedTime {
    guard let time = RecordedTime(text) else { preconditionFailure("\(text) is no time") }
    return time
  }
}
