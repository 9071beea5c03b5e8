import Foundation
import Leaflog
import TestSupport
import Testing

/// The library's clock: one for all that it does.
@Suite struct ClockTests {
  private func library(at text: String) throws -> (TemporaryFolder, Library) {
    let folder = try TemporaryFolder()
    let moment = EntryTime(try #require(RecordedTime(text)), in: .gmt).instant
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let library = try Library.create(
      at: folder.file("library"), Library.Settings(timeZone: zone), clock: WallClock { moment })
    return (folder, library)
  }

  @Test func `half past midnight in Berlin is the new day, though in UTC it is not`() throws {
    let (folder, library) = try library(at: "2026-11-21T23:30:12.345Z")
    defer { withExtendedLifetime(folder) {} }
    let day = try #require(LocalDay("2026-11-22"))
    #expect(library.today == day)
    #expect(library.now.iso8601 == "2026-11-22T00:30:12+01:00")
    let log = try library.diary.setDailyLog(on: day) { $0.stress = 1 }
    #expect(log.time.localDay == day)
    let symptom = Symptom(name: "cough", severity: try library.diary.severityScales().severity("1"))
    #expect(try library.diary.addSymptom(symptom).time.recorded == library.now)
    #expect(throws: LeaflogError.self) {
      _ = try library.diary.setDailyLog(on: day.advanced(by: 1)) { $0.stress = 1 }
    }
  }

  @Test func `a completion of the present has the clock's time, on the timeline and in a calendar`()
    throws
  {
    let (folder, library) = try library(at: "2026-11-21T23:30:12.345Z")
    defer { withExtendedLifetime(folder) {} }
    let day = try #require(LocalDay("2026-11-22"))
    let water = try library.activities.add(
      ActivityDetails(name: "water", startFrom: day, everyDays: 3))
    #expect(
      try library.activities.complete(water.id).changed.map(\.time.recorded) == [library.now])
    let quote = try library.quotes.find(matching: "b12")
    #expect(try library.quotes.favourite(quote).entry.time.recorded == library.now)
    let calendar = try library.insights.calendar(today: day).document.bytes
    #expect(String(decoding: calendar, as: UTF8.self).contains("DTSTAMP:20261121T233012Z"))
  }

  @Test func `the present stays the same moment in another zone`() throws {
    let (folder, library) = try library(at: "2026-11-21T23:30:00Z")
    let symptom = Symptom(name: "cough", severity: try library.diary.severityScales().severity("1"))
    let entry = try library.diary.addSymptom(symptom)
    try library.settings.set(.timeZone, to: "Asia/Tokyo")
    let moved = try Library.open(at: folder.file("library")).diary.entry(entry.id)
    #expect(moved.time == entry.time)
  }

  @Test(arguments: [
    ("2026-11-21T23:30:00Z", "0", "2026-11-22"), ("2026-11-21T23:30:00Z", "1", "2026-11-21"),
    ("2026-11-22T00:59:59Z", "2", "2026-11-21"), ("2026-11-22T01:00:00Z", "2", "2026-11-22"),
    // The clocks go from 2 to 3 and from 3 to 2: the hours are those that they show.
    ("2026-03-29T00:59:00Z", "3", "2026-03-28"), ("2026-03-29T01:00:00Z", "3", "2026-03-29"),
    ("2026-10-25T01:59:00Z", "3", "2026-10-24"), ("2026-10-25T02:00:00Z", "3", "2026-10-25"),
  ])
  func `a day ends at its hour after midnight`(moment: String, hour: String, day: String) throws {
    let (folder, library) = try library(at: moment)
    try library.settings.set(.dayEnd, to: hour)
    let again = try Library.open(
      at: folder.file("library"), for: .reading, clock: library.clock)
    #expect(again.today == LocalDay(day))
    // The moment itself is where the clock has it.
    #expect(again.now == library.now)
  }

  @Test func `an entry made late keeps its time, and counts for the day that has not ended`()
    throws
  {
    let (folder, library) = try library(at: "2026-11-22T01:00:12Z")
    let day = try #require(LocalDay("2026-11-21"))
    _ = try library.diary.addEpisode(Episode(type: .cold), from: day)
    let water = try library.activities.add(ActivityDetails(name: "water", startFrom: day))
    try library.settings.set(.dayEnd, to: "6")
    let late = try library.refreshed()
    let symptom = try late.diary.addSymptom(Symptom(name: "cough", severity: try Severity(2)))
    let done = try #require(try late.activities.complete(water.id).changed.first)
    let quote = try late.quotes.favourite(late.quotes.find(matching: "b12")).entry
    for entry in [symptom, done, quote] {
      #expect(entry.time.localDay == day && entry.time.recorded == late.now)
    }
    let today = try late.diary.today(late.today)
    #expect(today.day == day && today.symptoms.map(\.id) == [symptom.id])
    #expect(today.missing(of: [.symptoms]).isEmpty)
    #expect(try late.diary.symptoms(from: day, to: day).elements.map(\.id) == [symptom.id])
    #expect(
      try late.diary.symptomNames(today: day).map(\.lastDay) == [day]
        && late.diary.symptomBuckets(by: .day).map(\.name) == ["2026-11-21"])
    #expect(try late.timeline.buckets(by: .day).map(\.name) == ["2026-11-21"])
    // A time that is typed counts likewise, and one that is edited.
    let typed = try late.diary.addSymptom(
      Symptom(name: "cough", severity: try Severity(2)), at: RecordedTime("2026-11-22T00:10"),
      confirmed: [.late])
    #expect(typed.time.localDay == day)
    let moved = try late.diary.editSymptom(typed, at: RecordedTime("2026-11-21T05:59"))
    #expect(moved.changed.first?.time.localDay == day.advanced(by: -1))
    // Neither another end of the day nor another zone moves what was entered.
    try late.settings.set([.dayEnd: "0", .timeZone: "Asia/Tokyo"])
    let again = try Library.open(at: folder.file("library"), for: .reading, clock: library.clock)
    #expect(try again.diary.entry(matching: "\(symptom.id)").time == symptom.time)
    // It comes back from a file.
    let path = folder.file("diary.json")
    _ = try DiaryExporter(again).writeJSON(into: .file(path))
    let other = try Library.create(at: folder.file("other"), clock: library.clock)
    try DiaryImporter(other).read(path)
    #expect(try other.diary.entry(matching: "\(symptom.id)").time == symptom.time)
    #expect(try other.activities.completionDays(of: water.id) == [day])
  }

  @Test func `a late completion is done on the day that has not ended`() throws {
    let (folder, library) = try library(at: "2026-11-22T01:00:00Z")
    defer { withExtendedLifetime(folder) {} }
    let water = try library.activities.add(ActivityDetails(name: "water", startFrom: library.today))
    try library.settings.set(.dayEnd, to: "6")
    let again = try library.refreshed()
    let done = try again.activities.complete(water.id)
    #expect(done.changed.map { $0.time.localDay } == [again.today])
    #expect(again.today == LocalDay("2026-11-21"))
  }
}
