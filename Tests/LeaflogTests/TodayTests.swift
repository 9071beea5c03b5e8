import Foundation
import Leaflog
import TestSupport
import Testing

/// The day at a glance, and what is reminded of.
@Suite struct TodayTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws {
    fixture = try LibraryFixture()
    fixture.clock.set(RecordedTime("2028-03-01T12:00:00+01:00")!)
  }

  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  private func note(_ text: String, on day: String) throws {
    let symptom = Symptom(name: text, severity: try Severity(1))
    _ = try library.diary.addSymptom(symptom, at: .day(self.day(day)), confirmed: [.late])
  }

  @Test func `an empty library has a day, too`() throws {
    let today = try library.diary.today(day("2028-02-29"))
    #expect(today.activeEpisodes.isEmpty && today.log == nil && today.mood == nil)
    #expect(today.symptoms.isEmpty && today.photos.count == 0 && today.memories.isEmpty)
    #expect(today.loggingStreak == 0)
  }

  @Test func `a day has what was noted of it, and nothing of its neighbours`() throws {
    for text in ["2028-02-28", "2028-02-29", "2028-03-01"] {
      try note("cough on \(text)", on: text)
      _ = try library.diary.setDailyLog(on: day(text)) { $0.stress = 1 }
      _ = try library.diary.setMood(.calm, on: day(text))
    }
    let today = try library.diary.today(day("2028-02-29"))
    #expect(today.symptoms.map(\.content.summary) == ["cough on 2028-02-29, 1 of 5"])
    #expect(today.log?.time.localDay == (try day("2028-02-29")))
    #expect(today.mood?.time.localDay == (try day("2028-02-29")))
    #expect(today.loggingStreak == 2)
  }

  @Test func `photos are counted, and the last few are shown`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos")])
    let today = try library.diary.today(day("2025-07-05"))
    #expect(today.photos.count == 1)
    #expect(today.photos.latest.first?.plant?.name == "tomato")
    let later = try library.diary.today(day("2026-07-05"))
    #expect(later.photos.count == 0)
    #expect(later.memories.map(\.photos.count) == [1])
    // Leap days and all, earlier years alone count.
    #expect(try library.diary.today(day("2024-07-05")).memories.isEmpty)
  }

  @Test func `a brief day counts the entries of earlier years`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos")])
    for text in ["cough", "fever"] { try note(text, on: "2025-07-05") }
    _ = try library.diary.setMood(.calm, on: day("2025-07-05"))
    let symptoms = try library.diary.today(day("2025-07-05")).symptoms
    let deleted = try #require(symptoms.first { $0.content.summary?.contains("fever") ?? false })
    _ = try library.diary.delete([deleted.id], of: .symptom)
    let whole = try library.diary.today(day("2026-07-05"))
    let brief = try library.diary.today(day("2026-07-05"), isBrief: true)
    #expect(whole.memories.map(\.entries.count) == [2])
    #expect(brief.memories.map(\.entryCount) == [2] && whole.memories.map(\.entryCount) == [2])
    #expect(brief.memories.map(\.entries.count) == [0])
    #expect(brief.memories.map(\.photos.count) == [1])
  }

  @Test(
    arguments: [
      ("2028-02-29", ["2024-02-29"]), ("2028-02-28", ["2027-02-28", "2024-02-28"]),
      ("2027-02-28", ["2024-02-29", "2024-02-28"]), ("2027-03-01", []), ("2029-01-01", []),
    ] as [(String, [String])])
  func `in a year without one, the leap day's memories come on the day before`(
    text: String, days: [String]
  ) throws {
    for noted in ["2024-02-28", "2024-02-29", "2027-02-28"] { try note("cough", on: noted) }
    #expect(try library.diary.today(day(text)).memories.map(\.day.description) == days)
  }

  @Test func `a day has the episodes that it belongs to, also when they ended since`() throws {
    _ = try library.diary.addEpisode(
      Episode(endDay: day("2028-02-20"), type: .cold), from: day("2028-02-15"))
    _ = try library.diary.addEpisode(Episode(type: .cough), from: day("2028-02-25"))
    func types(_ text: String) throws -> [String] {
      try library.diary.today(day(text)).activeEpisodes.compactMap { $0.content.summary }
    }
    #expect(try types("2028-02-14").isEmpty && types("2028-02-21").isEmpty)
    #expect(try types("2028-02-15").count == 1 && types("2028-02-18").count == 1)
    #expect(try types("2028-02-20").count == 1 && types("2028-02-29").count == 1)
    // On its last day nobody has to be reminded of its symptoms any more.
    let last = try library.diary.today(day("2028-02-20")).missing()
    #expect(!last.contains { $0.contains("episode") })
  }

  @Test func `missing things are named, and nothing when nothing is missing`() throws {
    let today = try day("2028-03-01")
    #expect(try library.diary.today(today).missing() == ["no daily log yet", "no mood yet"])
    _ = try library.diary.setDailyLog(on: today) { $0.stress = 1 }
    #expect(try library.diary.today(today).missing() == ["no mood yet"])
    _ = try library.diary.setMood(.okay, on: today)
    #expect(try library.diary.today(today).missing().isEmpty)
    _ = try library.diary.addEpisode(
      Episode(type: .cold), from: day("2028-02-29"), as: .episodeStart)
    #expect(
      try library.diary.today(today).missing() == ["no symptoms yet, and an episode is active"])
    try note("cough", on: "2028-03-01")
    #expect(try library.diary.today(today).missing().isEmpty)
  }

  // MARK: Reminders

  @Test func `reminders are on at eight in the evening unless somebody says otherwise`() throws {
    let standard = try library.diary.reminder()
    #expect(standard.isOn && standard.time == "20:00")
    try library.settings.set(.reminderTime, to: "21:30")
    try library.settings.set(.reminder, to: "off")
    let set = try library.diary.reminder()
    #expect(!set.isOn && set.time == "21:30")
  }

  @Test func `only the parts that are asked for are reminded of, in the calendar too`() throws {
    let today = try day("2028-03-01")
    _ = try library.activities.add(
      ActivityDetails(name: "water", startFrom: today.advanced(by: -3), everyDays: 3))
    _ = try library.diary.addEpisode(
      Episode(type: .cold), from: day("2028-02-29"), as: .episodeStart)
    #expect(try library.settings.value(of: .reminderParts) == "symptoms, log, mood, activities")
    func calendar() throws -> String {
      String(decoding: try library.insights.calendar(today: today).document.bytes, as: UTF8.self)
        .replacing("\r\n ", with: "")
    }
    #expect(
      try calendar().contains("Time to write down symptoms\\, the day’s log and the mood."))
    try library.settings.set(.reminderParts, to: "Mood,log")
    let parts = try library.diary.reminder().parts
    #expect(
      try library.settings.value(of: .reminderParts) == "log, mood" && parts == [.log, .mood])
    #expect(
      try library.diary.today(today).missing(of: parts) == ["no daily log yet", "no mood yet"])
    #expect(try calendar().contains("Time to write down the day’s log and the mood."))
    #expect(try !calendar().contains("water"))
    try library.settings.set(.reminderParts, to: "activities")
    #expect(
      try library.diary.today(today).missing(of: library.diary.reminder().parts) == [
        "💧 water is due"
      ])
    #expect(try calendar().contains("water"))
    #expect(try !calendar().contains("Time to write down"))
    try library.settings.set(.reminderParts, to: "symptoms")
    #expect(
      try library.diary.today(today).missing(of: library.diary.reminder().parts)
        == ["no symptoms yet, and an episode is active"])
  }

  // MARK: Settings

  @Test(arguments: [
    (LibrarySetting.reminderTime, "24:00"), (.reminderTime, "8"), (.reminderTime, "20:00:30"),
    (.reminder, "maybe"), (.quotesSource, "google"), (.policy, "tiny"), (.timeZone, "Mars/Base"),
    (.severityScales, "one"), (.reminderParts, "sleep"), (.disclaimer, "no"),
    (.serviceFolders, "photos"), (.serviceFolders, "/media:photos"), (.serviceFolders, "/a\nb"),
  ])
  func `a setting refuses what it does not take, and keeps what it has`(
    setting: LibrarySetting, value: String
  ) throws {
    let before = try library.settings.value(of: setting)
    let error = #expect(throws: LeaflogError.self) { try library.settings.set(setting, to: value) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains(" must be ") == true)
    #expect(error?.message.contains(value) == true)
    #expect(try library.settings.value(of: setting) == before)
  }

  // MARK: Reset

  @Test func `reset wants the library's name`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let error = #expect(throws: LeaflogError.self) {
      try library.store.reset(.everything, confirmedBy: "another")
    }
    #expect(error?.message.contains("“\(library.name)”") == true)
    #expect(try fixture.entries().count == 4)
  }

  @Test func `reset takes everything out, files and snapshots too, and import brings it back`()
    async throws
  {
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    try note("secret", on: "2028-02-28")
    try library.store.takeSnapshot()
    try library.store.reset(.everything, confirmedBy: library.name)
    #expect(try fixture.entries().isEmpty)
    #expect(try library.plants.all().isEmpty)
    #expect(fixture.storedFiles.isEmpty)
    // The journal goes on behind one that has nothing.
    #expect(fixture.folder.files(below: "library/snapshots").count == 1)
    for file in fixture.folder.files(below: "library") {
      let data = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("library/" + file)))
      #expect(data.range(of: Data("secret".utf8)) == nil, "\(file) still has it")
    }
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    #expect(try fixture.entries().count == 4)
  }

  @Test func `reset of the diary leaves plants and photos`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    try note("secret", on: "2028-02-28")
    _ = try library.diary.setMood(.sad, on: day("2028-02-28"))
    try library.store.reset(.diary, confirmedBy: library.name)
    #expect(try fixture.entries().map(\.kind) == Array(repeating: .photo, count: 4))
    #expect(try library.timeline.search("secret").page.elements.isEmpty)
    #expect(try library.history.page(limit: 9).changes.isEmpty)
  }
}
