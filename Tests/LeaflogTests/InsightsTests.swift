import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct ReportLanguageTests {
  @Test(arguments: [
    ("en", "en"), ("de", "de"), ("de-at", "de-AT"), ("de-AT", "de-AT"), ("en-150", "en-150"),
    ("fr", nil), ("DE", nil), ("de-", nil), ("-AT", nil), ("de-ABC", nil), ("de-Latn-AT", nil),
    ("de-1996", nil), ("de_AT", nil), ("de-AT\n", nil), ("de-٣٣٣", nil), ("", nil), ("en\0", nil),
  ])
  func `a language is taken if the API's pattern takes it`(tag: String, known: String?) throws {
    let language = ReportLanguage(tag)
    #expect(language?.description == known)
    let pattern = try NSRegularExpression(pattern: ReportLanguage.pattern)
    let all = NSRange(location: 0, length: tag.utf16.count)
    // In ECMA-262, `$` is the end and not also before a last line break.
    let isTaken = pattern.firstMatch(in: tag, range: all)?.range == all
    #expect(isTaken == (known != nil))
  }
}

@Suite struct MoodInsightsTests {
  @Test func `the moods of each week are beside its sleep, symptoms and care`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    // A Thursday; the week before has no mood.
    let today = "2026-11-26".day
    fixture.clock.set(.wall(LocalDateTime(startOf: today)))
    for (ago, mood) in [(0, Mood.sad), (1, .happy), (2, .happy), (15, .calm)] {
      _ = try library.diary.setMood(mood, on: today.advanced(by: -ago))
    }
    for (ago, hours) in [(0, 6.0), (1, 8.0), (8, 4.0)] {
      _ = try library.diary.setDailyLog(on: today.advanced(by: -ago)) { $0.sleepHours = hours }
    }
    _ = try library.diary.addSymptom(
      Symptom(name: "cough", severity: Severity(2)), at: .day(today), confirmed: [.late])
    _ = try library.activities.add(
      ActivityDetails(name: "swim", startFrom: today), doneOn: [today, today.advanced(by: -1)])
    let weeks = try library.insights.compute(days: 30, today: today).moodsByWeek
    #expect(weeks.map(\.day) == ["2026-11-09".day, "2026-11-23".day])
    #expect(weeks.last?.moods == [MoodCount(.happy, 2), MoodCount(.sad, 1)])
    #expect(weeks.map(\.averageSleepHours) == [nil, 7])
    #expect(weeks.map(\.symptomCount) == [0, 1] && weeks.map(\.completionCount) == [0, 2])
  }
}

@Suite struct InsightsTests {
  /// A library with these entries, opened for reading.
  private func library(_ diary: DiaryFixture) throws -> (TemporaryFolder, Library) {
    let fixture = try LibraryFixture()
    try fixture.library.close()
    try diary.write(to: fixture.library.path)
    return (fixture.folder, try Library.open(at: fixture.library.path, for: .reading))
  }

  private func expect(_ insights: Insights, _ wanted: InsightsCase) {
    let expected = wanted.expected
    #expect(insights.firstDay == expected.firstDay)
    #expect(insights.lastDay == wanted.today)
    #expect(insights.episodes.map(\.episode.type) == expected.episodes)
    #expect(
      Dictionary(uniqueKeysWithValues: insights.episodeCounts.map { ("\($0.days)", $0.count) })
        == expected.episodeCounts)
    #expect(insights.meanDuration == expected.meanDurationDays)
    #expect(ExpectedLogs(insights.baseline) == expected.baseline)
    #expect(insights.triggerWindows.map(\.episode) == insights.episodes)
    #expect(insights.triggerWindows.map(\.firstDay) == expected.triggerWindows.map(\.firstDay))
    #expect(
      insights.triggerWindows.map { ExpectedLogs($0.logs) } == expected.triggerWindows.map(\.logs))
  }

  @Test(arguments: InsightsCase.all)
  func `insights from values are as worked out by hand`(_ wanted: InsightsCase) {
    let spans = InsightsSpans(days: wanted.days, today: wanted.today)
    expect(Insights(wanted.record, spans), wanted)
  }

  @Test(arguments: InsightsCase.all)
  func `and from a library, in a zone that changes its clocks`(_ wanted: InsightsCase) throws {
    let (folder, library) = try library(wanted.diary)
    expect(try library.insights.compute(days: wanted.days, today: wanted.today), wanted)
    withExtendedLifetime(folder) {}
  }

  @Test func `an empty library has nothing, and no means`() throws {
    let (folder, library) = try library(DiaryFixture())
    let insights = try library.insights.compute(today: "2026-03-31".day)
    #expect(insights.firstDay == "2026-01-01".day)
    #expect(insights.episodes.isEmpty && insights.triggerWindows.isEmpty)
    #expect(insights.episodeCounts.map(\.days) == [30, 90, 365])
    #expect(insights.episodeCounts.allSatisfy { $0.count == 0 })
    #expect(insights.meanDuration == nil)
    #expect(insights.loggedSymptoms.isEmpty && insights.episodeSymptoms.isEmpty)
    #expect(insights.severityByWeek.isEmpty && insights.symptomDays.isEmpty)
    #expect(insights.logsByWeek.isEmpty)
    #expect(insights.logs == LogSummary(dayCount: 90))
    #expect(insights.baseline == LogSummary(dayCount: 60))
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [0, -1, 3661])
  func `so many days are refused`(_ days: Int) throws {
    let fixture = try LibraryFixture()
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.insights.compute(days: days, today: "2026-03-31".day)
    }
    #expect(error?.code == .invalidRequest)
    #expect(
      try fixture.library.insights.compute(days: 3660, today: "2026-03-31".day).episodes.isEmpty)
  }

  @Test func `a year of logs`() throws {
    var diary = DiaryFixture()
    // A day more on either side, which do not count.
    for day in ("2025-12-31".day..."2027-01-01".day).days {
      var log = DailyLog()
      let month = day.civil.month
      log.sleepHours = month <= 6 ? 7 : nil
      log.stress = day.weekday == 1 ? 5 : 1
      log.exerciseMinutes = month == 2 ? 30 : nil
      log.sugar = month == 1 ? .high : month == 3 ? .low : nil
      log.alcohol = day.weekday == 6 ? DailyLog.Alcohol.some : DailyLog.Alcohol.none
      log.officeDay = day.weekday <= 5
      diary.add(log, on: day)
    }
    let (folder, library) = try library(diary)
    let insights = try library.insights.compute(days: 365, today: "2026-12-31".day)
    let logs = insights.logs
    #expect(insights.firstDay == "2026-01-01".day)
    #expect(logs.dayCount == 365 && logs.loggedDayCount == 365)
    #expect(logs["sleepHours"]?.average == 7)
    #expect(logs["sleepQuality"] == nil)
    #expect(logs["exerciseMinutes"]?.average == 30)
    // 2026 begins and ends on a Thursday: 53 of these, 52 of any other weekday.
    #expect(logs["stress"]?.average == Double(52 * 5 + 313) / 365)
    #expect(logs["alcohol"]?.yesDayCount == 52)
    #expect(logs["officeDay"]?.yesDayCount == 5 * 52 + 1)
    let sugar = try #require(logs["sugar"]).choiceDayCounts
    #expect(sugar.map { "\($0.choice) \($0.count)" } == ["low 31", "high 31"])
    #expect(insights.logsByWeek.count == 53)
    let (first, last) = (insights.logsByWeek[0], insights.logsByWeek[52])
    // The week's Monday is in the year before, its days there are not counted.
    #expect(first.day == "2025-12-29".day && first.logs.dayCount == 4)
    #expect(first.logs["stress"]?.average == 1)
    #expect(last.day == "2026-12-28".day && last.logs.dayCount == 4)
    #expect(last.logs["stress"]?.average == 2)
    #expect(insights.logsByWeek[30].logs.dayCount == 7)
    // 2026-11-02 to 2026-12-31.
    #expect(insights.baseline.dayCount == 60 && insights.baseline.loggedDayCount == 60)
    let office = try #require(insights.baseline["officeDay"])
    #expect(office.perSevenDays(try #require(office.yesDayCount)) == 7 * 44.0 / 60)
    withExtendedLifetime(folder) {}
  }

  @Test
  func `each field is counted over the days that have it, and one that no day has is not nought`()
    throws
  {
    var diary = DiaryFixture()
    for offset in 0..<14 {
      var log = DailyLog()
      log.sleepHours = 7
      if offset < 2 { log.humidifier = true }
      if offset < 4 { log.officeDay = offset == 0 }
      diary.add(log, on: "2026-03-01".day.advanced(by: offset))
    }
    diary.add(Episode(type: .cold), from: "2026-03-15".day)
    let (folder, library) = try library(diary)
    let insights = try library.insights.compute(days: 30, today: "2026-03-15".day)
    for logs in [insights.logs, insights.baseline] {
      #expect(logs.loggedDayCount == 14)
      #expect(
        logs.fields.map { "\($0.field.name) \($0.recordedDayCount)" }
          == ["sleepHours 14", "officeDay 4", "humidifier 2"])
      let (office, humidifier) = try (#require(logs["officeDay"]), #require(logs["humidifier"]))
      #expect(humidifier.yesDayCount == 2 && office.yesDayCount == 1)
      #expect(humidifier.perSevenDays(2) == 7 && office.perSevenDays(1) == 1.75)
    }
    let before = try #require(insights.triggerWindows.first).logs
    #expect(before.loggedDayCount == 7 && before["humidifier"] == nil)
    withExtendedLifetime(folder) {}
  }

  @Test func `symptoms by name, the most frequent first`() throws {
    var diary = DiaryFixture()
    for (index, (name, severity)) in [
      ("headache", 1.0), ("Back pain", 2), ("HEADACHE", 2), ("allergy", 4), ("Headache", 4.5),
    ].enumerated() {
      let time = try #require(RecordedTime("2026-03-1\(index)T10:00+01:00"))
      try diary.addSymptom(name, severity, at: time)
    }
    // Before and after the span.
    try diary.addSymptom("allergy", 1, at: .day("2026-03-01".day))
    try diary.addSymptom("allergy", 1, at: .day("2026-04-01".day))
    let (folder, library) = try library(diary)
    let insights = try library.insights.compute(days: 30, today: "2026-03-31".day)
    #expect(
      insights.loggedSymptoms == [
        SymptomFrequency(name: "Headache", count: 3, averageSeverity: 2.5),
        SymptomFrequency(name: "allergy", count: 1, averageSeverity: 4),
        SymptomFrequency(name: "Back pain", count: 1, averageSeverity: 2),
      ])
    withExtendedLifetime(folder) {}
  }

  @Test func `severity by day and by week, as the day was where it was felt`() throws {
    var diary = DiaryFixture()
    for (time, severity) in [
      // In UTC it is the 28th of February still, the day before the span.
      ("2026-03-01T02:00+09:00", 5.0),
      // Sunday, then Monday; two on one day.
      ("2026-03-08T23:30+01:00", 1), ("2026-03-09T00:30+01:00", 2), ("2026-03-09T20:00", 4),
      ("2026-03-11", 3),
      // In UTC it is the 31st still, and here the day after the span.
      ("2026-04-01T01:00+02:00", 5),
      // Of the calendar of a year, and a day before it.
      ("2025-03-31", 2), ("2025-03-30", 2),
    ] {
      try diary.addSymptom(
        "ache", severity, at: try #require(RecordedTime(time)))
    }
    let (folder, library) = try library(diary)
    let insights = try library.insights.compute(days: 31, today: "2026-03-31".day)
    #expect(
      insights.severityByWeek == [
        SeverityBucket(day: "2026-02-23".day, count: 1, average: 5),
        SeverityBucket(day: "2026-03-02".day, count: 1, average: 1),
        SeverityBucket(day: "2026-03-09".day, count: 3, average: 3),
      ])
    #expect(
      insights.symptomDays == [
        SeverityBucket(day: "2025-03-31".day, count: 1, average: 2),
        SeverityBucket(day: "2026-03-01".day, count: 1, average: 5),
        SeverityBucket(day: "2026-03-08".day, count: 1, average: 1),
        SeverityBucket(day: "2026-03-09".day, count: 2, average: 3),
        SeverityBucket(day: "2026-03-11".day, count: 1, average: 3),
      ])
    // A span longer than a year counts all; the calendar stays.
    let long = try library.insights.compute(days: 400, today: "2026-03-31".day)
    #expect(long.severityByWeek.first?.day == "2025-03-24".day)
    #expect(long.symptomDays == insights.symptomDays)
    withExtendedLifetime(folder) {}
  }

  @Test func `episodes come with all they have, and their symptoms are counted`() throws {
    let cold = Episode(
      endDay: "2026-03-05".day, type: .cold, symptoms: [.cough, .soreThroat, .fever], severity: 3,
      mucus: .yellow, worstTime: .night, medications: ["tea", "ibuprofen"], doctorVisit: "no",
      testResult: "negative")
    let cough = Episode(type: .cough, symptoms: [.cough, .fever])
    var diary = DiaryFixture()
    diary.add(cough, from: "2026-03-20".day)
    diary.add(.episode(cold), at: .day("2026-03-01".day), notes: "after the fair")
    let (folder, library) = try library(diary)
    let insights = try library.insights.compute(today: "2026-03-31".day)
    #expect(insights.episodes.map(\.episode) == [cold, cough])
    #expect(insights.episodes.map(\.notes) == ["after the fair", nil])
    #expect(insights.episodes.map(\.days.count) == [5, nil])
    #expect(
      insights.episodeSymptoms == [
        SymptomFrequency(name: "cough", count: 2, averageSeverity: nil),
        SymptomFrequency(name: "fever", count: 2, averageSeverity: nil),
        SymptomFrequency(name: "sore throat", count: 1, averageSeverity: nil),
      ])
    withExtendedLifetime(folder) {}
  }

  @Test func `a duration counts both days`() {
    for (last, count) in [("2026-03-01", 1), ("2026-03-02", 2), ("2026-03-31", 31)] {
      #expect(EpisodeDays(first: "2026-03-01".day, last: last.day).count == count)
    }
  }

  @Test func `entries in the trash do not count`() throws {
    var diary = DiaryFixture()
    var log = DailyLog()
    log.officeDay = true
    diary.add(log, on: "2026-03-10".day)
    diary.add(Episode(type: .cold), from: "2026-03-15".day)
    try diary.addSymptom("headache", 3, at: .day("2026-03-16".day))
    let fixture = try LibraryFixture()
    try fixture.library.close()
    let ids = try diary.write(to: fixture.library.path)
    let library = try Library.open(at: fixture.library.path)
    let empty = try LibraryFixture().library.insights.compute(today: "2026-03-31".day)
    #expect(try library.insights.compute(today: "2026-03-31".day) != empty)
    for (kind, id) in zip([EntryKind.dailyLog, .episode, .symptom], ids) {
      try library.diary.delete([id], of: kind)
    }
    #expect(try library.insights.compute(today: "2026-03-31".day) == empty)
  }

  @Test func `each log is read once, and none between what is looked at`() {
    func episode(_ first: String) -> EpisodeRecord {
      let episode = Episode(type: .cold)
      return EpisodeRecord(
        id: .random(), days: episode.days(from: first.day), episode: episode, notes: nil)
    }
    let spans = InsightsSpans(days: 30, today: "2026-03-31".day)
    #expect(spans.asked.lowerBound == "2026-03-02".day)
    #expect(
      spans.logs(with: [episode("2025-01-14"), episode("2025-01-17"), episode("2026-02-02")])
        == ["2025-01-07".day..."2025-01-16".day, "2026-01-26".day..."2026-03-31".day])
  }

  @Test func `no words of causes but the one that there are none`() {
    for text in [Insights.disclaimer, Insights.mucusNote] {
      for word in ["because", "caused", "leads to", "risk"] { #expect(!text.contains(word)) }
    }
    #expect(Insights.disclaimer.contains("no medical advice"))
  }
}
