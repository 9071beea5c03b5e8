import DiaryCatalog
import Foundation
import Leaflog
import TestSupport
import Testing

/// The rules of symptoms, daily logs, episodes and moods.
@Suite struct DiaryTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }
  /// Noon of a Friday in Berlin.
  private let now = RecordedTime("2026-03-27T12:00:00+01:00")!

  init() throws {
    fixture = try LibraryFixture()
    fixture.clock.set(now)
  }

  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  private func symptom(_ name: String, _ severity: Double = 3) throws -> Symptom {
    Symptom(name: name, severity: try Severity(severity))
  }

  private func refusal(_ body: () throws -> Void) -> LeaflogError? {
    #expect(throws: LeaflogError.self, performing: body)
  }

  // MARK: Symptoms

  @Test func `a symptom is logged at the time that is given, as it is given`() throws {
    for text in ["2026-03-27T09:30:00", "2026-03-27T09:30:00+09:00", "2026-03-26"] {
      let time = try #require(RecordedTime(text))
      let entry = try library.diary.addSymptom(symptom("cough"), at: time, confirmed: [.late])
      #expect(entry.time.recorded.iso8601 == text)
    }
    #expect(try library.diary.addSymptom(symptom("cough")).time.recorded == now)
  }

  @Test func `a symptom to come is refused`() throws {
    for text in ["2026-03-27T12:05:00+01:00", "2026-03-28"] {
      let time = try #require(RecordedTime(text))
      let error = refusal {
        _ = try library.diary.addSymptom(symptom("cough"), at: time, confirmed: [.late])
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("is in the future") == true)
    }
    // Later today is not known for a day alone.
    _ = try library.diary.addSymptom(
      symptom("cough"), at: .day(day("2026-03-27")), confirmed: [.late])
  }

  @Test func `a symptom at midnight belongs to the day that begins, in its own zone`() throws {
    let entry = try library.diary.addSymptom(
      symptom("cough"), at: RecordedTime("2026-03-27T00:00:00+01:00"), confirmed: [.late])
    #expect(entry.time.localDay == (try day("2026-03-27")))
    let before = try library.diary.addSymptom(
      symptom("cough"), at: RecordedTime("2026-03-26T23:59:59+01:00"), confirmed: [.late])
    #expect(before.time.localDay == (try day("2026-03-26")))
    let page = try library.diary.symptoms(from: day("2026-03-27"), to: day("2026-03-27"))
    #expect(page.elements.map(\.id) == [entry.id])
  }

  @Test func `days on which clocks change have all their symptoms, in order`() throws {
    // 02:30 is skipped in spring and comes twice in autumn.
    let times = [
      "2026-03-29T01:30:00", "2026-03-29T02:30:00", "2026-03-29T03:30:00",
      "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00",
    ]
    fixture.clock.set(try #require(RecordedTime("2026-12-01T12:00:00+01:00")))
    for text in times {
      _ = try library.diary.addSymptom(symptom("cough"), at: RecordedTime(text), confirmed: [.late])
    }
    let found = try library.diary.entries(of: .symptom)
    // The time that no clock showed is placed as an hour later was, and stays as it was typed.
    #expect(
      found.map(\.time.recorded.iso8601) == [
        times[0], times[1], times[2], times[3], times[4],
      ])
    #expect(
      try library.diary.symptoms(from: day("2026-03-29"), to: day("2026-03-29")).elements.count == 3
    )
    #expect(
      try library.diary.symptoms(from: day("2026-10-25"), to: day("2026-10-25")).elements.count == 2
    )
  }

  @Test func `names are suggested by how often and how lately they were logged`() throws {
    for (name, days) in [
      ("headache", ["2026-03-01", "2026-03-02"]), ("Heartburn", ["2026-03-26"]),
      ("hives", ["2024-01-01", "2024-01-02", "2024-01-03"]), ("cough", ["2026-03-27"]),
      ("Headache", ["2026-03-20"]),
    ] {
      for text in days {
        _ = try library.diary.addSymptom(symptom(name), at: .day(day(text)), confirmed: [.late])
      }
    }
    let names = try library.diary.symptomNames(startingWith: "h", today: day("2026-03-27"))
    #expect(names.map(\.name) == ["Headache", "Heartburn", "hives"])
    #expect(names.map(\.count) == [3, 1, 3])
    #expect(names[0].lastDay == (try day("2026-03-20")))
    #expect(
      try library.diary.symptomNames(startingWith: "HEA", today: day("2026-03-27")).count == 2)
    #expect(try library.diary.symptomNames(startingWith: "%", today: day("2026-03-27")).isEmpty)
  }

  @Test func `frequency and severity are told over time`() throws {
    for (text, name, severity) in [
      ("2026-01-05", "cough", 2.0), ("2026-01-20", "Cough", 4), ("2026-03-01", "cough", 1),
      ("2026-03-02", "fever", 5),
    ] {
      _ = try library.diary.addSymptom(
        symptom(name, severity), at: .day(day(text)), confirmed: [.late])
    }
    let cough = try library.diary.symptomBuckets(by: .month, name: "cough")
    #expect(cough.map(\.name) == ["2026-01", "2026-03"])
    #expect(cough.map(\.count) == [2, 1])
    #expect(cough.map(\.averageSeverity) == [3, 1])
    #expect(try library.diary.symptomBuckets(by: .year).map(\.count) == [4])
  }

  @Test func `a day of two zones is one bucket`() throws {
    for text in [
      "2026-03-21T00:30+09:00", "2026-03-20T09:00-05:00", "2026-03-20T16:30Z", "2026-03-21T01:00Z",
    ] {
      _ = try library.diary.addSymptom(symptom("cough"), at: RecordedTime(text), confirmed: [.late])
    }
    let buckets = try library.diary.symptomBuckets(by: .day)
    #expect(buckets.map(\.name) == ["2026-03-20", "2026-03-21"])
    #expect(buckets.map(\.count) == [2, 2])
  }

  @Test func `a day before the calendar is refused`() throws {
    let error = refusal {
      _ = try library.diary.setMood(.okay, on: LocalDay(dayNumber: -800_000))
    }
    #expect(error?.code == .invalidRequest)
    #expect(try library.diary.today(day("2026-03-27")).mood == nil)
  }

  // MARK: Daily logs

  @Test func `a second log of a day edits the first, and keeps what is not given`() throws {
    let today = try day("2026-03-27")
    let first = try library.diary.setDailyLog(on: today, notes: "calm") { $0.stress = 2 }
    let second = try library.diary.setDailyLog(on: today) { $0.sleepHours = 7.5 }
    #expect(second.id == first.id)
    #expect(second.notes == "calm")
    guard case .dailyLog(let log) = second.content else { throw LeaflogError(.failed, "no log") }
    #expect(log.stress == 2 && log.sleepHours == 7.5)
    #expect(try library.diary.entries(of: .dailyLog).count == 1)
    // Each undoing goes one further back: the edit, then the making.
    try library.history.undo(.logSet)
    #expect(try library.diary.dailyLog(on: today)?.content == first.content)
    try library.history.undo(.logSet)
    #expect(try library.diary.dailyLog(on: today) == nil)
  }

  @Test func `a day to come has no log`() throws {
    let error = refusal {
      _ = try library.diary.setDailyLog(on: day("2026-03-28")) { $0.stress = 1 }
    }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `a log has a value, a note or a tag, and an empty one is no entry`() throws {
    let today = try day("2026-03-27")
    let diary = library.diary
    #expect(refusal { _ = try diary.setDailyLog(on: today) { _ in } }?.code == .conflict)
    #expect(refusal { _ = try diary.setDailyLog(on: today, notes: " ") { _ in } } != nil)
    #expect(try diary.dailyLog(on: today) == nil)
    #expect(try diary.loggingStreak(today: today) == 0)
    _ = try diary.setDailyLog(on: today, notes: "calm") { _ in }
    _ = try diary.setDailyLog(on: today, tags: ["holiday"]) { _ in }
    _ = try diary.setDailyLog(on: today, notes: "") { $0.alcohol = DailyLog.Alcohol.none }
    _ = try diary.setDailyLog(on: today) { $0.alcohol = nil }
    // The log keeps its last word until it is deleted.
    #expect(refusal { _ = try diary.setDailyLog(on: today, tags: []) { _ in } } != nil)
    #expect(try diary.dailyLog(on: today)?.tags == ["holiday"])
  }

  @Test func `a value out of range changes nothing`() throws {
    let today = try day("2026-03-27")
    _ = try library.diary.setDailyLog(on: today) { $0.stress = 2 }
    let error = refusal { _ = try library.diary.setDailyLog(on: today) { $0.stress = 9 } }
    #expect(error?.message == "Stress must be 1 to 5, not 9.")
    guard case .dailyLog(let log)? = try library.diary.dailyLog(on: today)?.content else {
      throw LeaflogError(.failed, "no log")
    }
    #expect(log.stress == 2)
  }

  @Test(
    arguments: [
      ([], 0), (["2026-03-27"], 1), (["2026-03-26"], 1), (["2026-03-25"], 0),
      (["2026-03-27", "2026-03-26", "2026-03-24"], 2), (["2026-03-26", "2026-03-25"], 2),
    ] as [([String], Int)])
  func `the streak counts days in a row up to today or yesterday`(
    days: [String], streak: Int
  ) throws {
    for text in days { _ = try library.diary.setDailyLog(on: day(text)) { $0.stress = 1 } }
    #expect(try library.diary.loggingStreak(today: day("2026-03-27")) == streak)
  }

  @Test func `a streak goes over the leap day, the new year and both changes of clocks`() throws {
    let last = try day("2028-11-01")
    fixture.clock.set(try #require(RecordedTime("2028-11-01T12:00:00+01:00")))
    for back in 0..<400 {
      _ = try library.diary.setDailyLog(on: last.advanced(by: -back)) { $0.stress = 1 }
    }
    #expect(try library.diary.loggingStreak(today: last) == 400)
  }

  // MARK: Episodes

  private func add(
    _ start: String, _ end: String?, confirmed: Set<Doubt.Confirmation> = [],
    _ type: Episode.Illness = .cold
  ) throws -> Entry {
    try library.diary.addEpisode(
      Episode(endDay: end.map(day), type: type), from: day(start), confirmed: confirmed)
  }

  @Test func `an overlap is refused with all episodes named, and can be meant`() throws {
    let first = try add("2026-03-01", "2026-03-08")
    // The day on which one ends belongs to it.
    let error = refusal { _ = try add("2026-03-08", "2026-03-10") }
    #expect(error?.code == .unconfirmed)
    #expect(error?.doubts == [.overlap([first])])
    #expect(error?.message.contains("cold, 2026-03-01 to 2026-03-08") == true)
    #expect(error?.message.contains(first.id.short) == true)
    let second = try add("2026-03-08", "2026-03-10", confirmed: [.anyOverlap])
    let both = refusal { _ = try add("2026-03-05", "2026-03-20") }
    #expect(
      both?.message
        == "It would share days with \(first.id.short) (cold, 2026-03-01 to 2026-03-08) "
        + "and \(second.id.short) (cold, 2026-03-08 to 2026-03-10).")
    // A confirmation of one episode does not hold for another.
    let other = refusal {
      _ = try add("2026-03-05", "2026-03-20", confirmed: [.overlap(with: [first.id])])
    }
    #expect(other?.code == .unconfirmed)
    _ = try add("2026-03-11", nil)
    #expect(refusal { _ = try add("2026-03-20", nil) }?.message.contains("ongoing") == true)
    #expect(try library.diary.entries(of: .episode).count == 3)
  }

  @Test func `an episode in the trash overlaps nothing`() throws {
    let first = try add("2026-03-01", "2026-03-08")
    try library.diary.delete([first.id], of: .episode)
    _ = try add("2026-03-02", "2026-03-03")
  }

  @Test func `the active episode is ended, and can be active again`() throws {
    #expect(
      refusal { _ = try library.diary.endEpisode(on: day("2026-03-27")) }?.code
        == .notFound)
    let entry = try add("2026-03-20", nil)
    #expect(try library.diary.activeEpisodes().map(\.id) == [entry.id])
    let error = refusal { _ = try library.diary.endEpisode(on: day("2026-03-19")) }
    #expect(
      error?.message.contains("Last day must be the start, 2026-03-20, or a later day") == true)
    let ended = try library.diary.endEpisode(on: day("2026-03-20"))
    guard case .episode(let episode) = ended.content else { throw LeaflogError(.failed, "none") }
    #expect(episode.days(from: ended.time.localDay).count == 1)
    #expect(try library.diary.activeEpisodes().isEmpty)
    _ = try library.history.undo(.episodeEnd)
    #expect(try library.diary.activeEpisodes().count == 1)
  }

  @Test func `which of several active episodes ends has to be said`() throws {
    let first = try add("2026-03-01", nil)
    let second = try add("2026-03-05", nil, confirmed: [.anyOverlap], .allergy)
    let error = refusal { _ = try library.diary.endEpisode(on: day("2026-03-27")) }
    #expect(error?.code == .ambiguous)
    #expect(error?.message.contains(second.id.short) == true)
    _ = try library.diary.endEpisode(first, on: day("2026-03-27"))
    #expect(try library.diary.activeEpisodes().map(\.id) == [second.id])
  }

  @Test func `editing an episode looks for overlaps where its days change, and only there`() throws
  {
    let first = try add("2026-03-01", "2026-03-08")
    let second = try add("2026-03-08", "2026-03-10", confirmed: [.anyOverlap])
    _ = try library.diary.editEpisode(second, notes: "described further") {
      $0.severity = 2
    }
    #expect(
      refusal { _ = try library.diary.editEpisode(second, from: day("2026-03-07")) }?.code
        == .unconfirmed)
    _ = try library.diary.editEpisode(second, from: day("2026-03-09"))
    #expect(try library.diary.entry(first.id, of: .episode).time == first.time)
  }

  @Test func `an episode cannot begin after its end`() throws {
    let entry = try add("2026-03-01", "2026-03-08")
    let error = refusal {
      _ = try library.diary.editEpisode(entry, from: day("2026-03-10"))
    }
    #expect(
      error?.message.contains("Last day must be the start, 2026-03-10, or a later day") == true)
    #expect(try library.diary.entry(entry.id).time == entry.time)
  }

  @Test func `one that is over is not ended again, and one from the trash overlaps nothing`() throws
  {
    let first = try add("2026-03-01", "2026-03-08")
    #expect(
      refusal { _ = try library.diary.endEpisode(first, on: day("2026-03-20")) }?.code
        == .conflict)
    try library.diary.delete([first.id], of: .episode)
    let second = try add("2026-03-05", "2026-03-06")
    let error = refusal { try library.diary.restore([first.id], of: .episode) }
    #expect(error?.doubts == [.overlap([second])])
    #expect(error?.code == .unconfirmed && error?.message.contains(second.id.short) == true)
    #expect(refusal { try library.photos.restore(.photos([first.id])) }?.code == .notFound)
    #expect(try library.diary.entries(of: .episode).map(\.id) == [second.id])
    #expect(
      try library.diary.restore([first.id], of: .episode, confirmed: [.anyOverlap]).changed.map(
        \.id)
        == [
          first.id
        ])
    try library.diary.delete([first.id], of: .episode)
    try library.diary.delete([second.id], of: .episode)
    #expect(try library.diary.restore([first.id], of: .episode).changed.count == 1)
  }

  // MARK: Moods

  @Test func `a day has one mood, which can be changed`() throws {
    let today = try day("2026-03-27")
    let first = try library.diary.setMood(.happy, on: today)
    let second = try library.diary.setMood(.tired, on: today, notes: "long day")
    #expect(first.id == second.id && second.content == .mood(.tired))
    _ = try library.diary.setMood(.tired, on: day("2026-03-26"))
    _ = try library.diary.setMood(.sad, on: day("2026-02-01"))
    #expect(try library.diary.moodCounts().map(\.mood) == [.tired, .sad])
    #expect(try library.diary.moodCounts().map(\.count) == [2, 1])
    #expect(try library.diary.moodCounts(from: day("2026-03-01")).map(\.count) == [2])
    #expect(refusal { _ = try library.diary.setMood(.sad, on: day("2026-03-28")) } != nil)
  }
}
