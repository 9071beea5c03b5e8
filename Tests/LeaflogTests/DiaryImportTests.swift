import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct DiaryImportTests {
  private static let water =
    #"{"id": "\#(ExchangeFixture.id(1))", "name": "Water", "emoji": "💧", "startFrom": "2026-01-01"}"#

  private static func mood(_ number: Int, _ day: String, _ mood: String = "sad") -> String {
    #"{"id": "\#(ExchangeFixture.id(number))", "kind": "mood", "occurredAt": "\#(day)", "mood": "\#(mood)"}"#
  }

  private static func done(
    _ number: Int, _ day: String, activity: String = ExchangeFixture.id(1)
  ) -> String {
    #"{"id": "\#(ExchangeFixture.id(number))", "kind": "completion", "occurredAt": "\#(day)", "#
      + #""completion": {"activity": "\#(activity)", "source": "app"}}"#
  }

  private static let utf16 = Array(
    "occurredAt\tname\tseverity\tnotes\r\n25.11.2025 9:05\tRücken\t2,5\tx\r\n".utf16)

  /// Tables as Excel saves them in German: the same symptom each time.
  private static let spreadsheets: [(bytes: [UInt8], separator: CSVSeparator)] = {
    let texts: [(String, CSVSeparator)] = [
      ("occurredAt;name;severity;notes\r\n2025-11-25T09:05;Rücken;2,5;x\r\n", .semicolon),
      ("\u{FEFF}occurredAt;name;severity;notes\r\n25.11.2025 09:05;Rücken;2,5;x\r\n", .semicolon),
      ("occurredAt,name,severity,notes\r\n2025-11-25 09:05,Rücken,\"2,5\",x\r\n", .comma),
      ("sep=\t\r\noccurredAt\tname\tseverity\tnotes\r\n2025-11-25 09:05\tRücken\t2.5\tx", .tab),
    ]
    let little = utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let big = utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    let wide: [([UInt8], CSVSeparator)] = [
      ([0xFF, 0xFE] + little, .tab), ([0xFE, 0xFF] + big, .tab),
    ]
    return texts.map { (Array($0.0.utf8), $0.1) } + wide
  }()

  @Test(arguments: spreadsheets)
  func `tables of spreadsheets are read`(bytes: [UInt8], separator: CSVSeparator) throws {
    let fixture = try ExchangeFixture()
    let path = try fixture.base.folder.write(Data(bytes), to: "excel.csv")
    let report = try DiaryImporter(fixture.library).read(path)
    #expect(report.separator == separator)
    let entry = try #require(try fixture.library.timeline.page().elements.first)
    #expect(entry.time.recorded == RecordedTime("2025-11-25T09:05") && entry.notes == "x")
    #expect(entry.content == .symptom(Symptom(name: "Rücken", severity: try Severity(2.5))))
  }

  @Test func `days and decimal commas of a German spreadsheet are read`() throws {
    let fixture = try ExchangeFixture()
    let text = "day;sleepHours;stress\n20.11.2025;7,25;2\n1. 3. 2025;8;\n"
    #expect(try fixture.read(text, as: "log.csv").added == [.entry(.dailyLog): 2])
    let logs = try fixture.library.timeline.page().elements
    #expect(logs.map(\.time.localDay.description) == ["2025-11-20", "2025-03-01"])
    guard case .dailyLog(let log)? = logs.first?.content else {
      throw CocoaError(.coderInvalidValue)
    }
    #expect(log.sleepHours == 7.25)
    for wrong in ["11/20/2025", "20.11.25", "32.11.2025"] {
      #expect(throws: LeaflogError.self) {
        try fixture.read("day;stress\n\(wrong);2\n", as: "l.csv")
      }
    }
  }

  @Test func `the day of a completion is a day, and its time has a column of its own`() throws {
    let fixture = try ExchangeFixture()
    let library = fixture.library
    let activity = try library.activities.add(
      ActivityDetails(name: "yoga", startFrom: #require(LocalDay("2025-01-01"))))
    _ = try library.activities.complete(activity.id, on: [#require(LocalDay("2025-03-01"))])
    _ = try library.activities.complete(activity.id)
    let text = try fixture.csv(.completion)
    let rows = try CSVTable(Array(text.utf8)).records.map { $0.cells.map(\.text) }
    #expect(rows.allSatisfy { LocalDay($0[1]) != nil } && rows.count == 2)
    #expect(rows[0][1] == "2025-03-01" && rows[0][2].isEmpty)
    #expect(rows[1][2].hasPrefix(rows[1][1] + "T"))
    let other = try ExchangeFixture()
    try other.read(fixture.csv(.activity), as: "activities.csv")
    try other.read(text, as: "completions.csv")
    #expect(try other.csv(.completion) == text)
    let moved = "day,occurredAt,activity\n2025-02-01,2025-02-03T09:00+01:00,yoga\n"
    let error = #expect(throws: LeaflogError.self) { try other.read(moved, as: "c.csv") }
    #expect(error?.message.contains("2025-02-01 beside 2025-02-03") == true)
    let late = "day,occurredAt,activity\n2025-02-02,2025-02-03T00:40+01:00,yoga\n"
    #expect(try other.read(late, as: "c.csv").added == [.entry(.completion): 1])
  }

  @Test func `an existing thing with the same id stays as it is`() throws {
    let fixture = try ExchangeFixture()
    let text = ExchangeFixture.document(entries: Self.mood(1, "2026-03-01"))
    #expect(try fixture.read(text).added == [.entry(.mood): 1])
    let before = try fixture.json()
    // As a UUID is written, and with another mood.
    let again = text.replacing("sad", with: "happy").replacing(
      ExchangeFixture.id(1), with: "00000000-0000-0000-0000-000000000001")
    let report = try fixture.read(again)
    #expect(report.added.isEmpty && report.present == [.entry(.mood): 1])
    #expect(try fixture.json() == before)
  }

  @Test func `a moment that is before the year 1 in the library's zone is refused`() throws {
    let fixture = try ExchangeFixture()
    try fixture.library.settings.set(.timeZone, to: "America/New_York")
    let entry = Self.mood(1, "0001-01-01T00:00:00Z").dropLast() + #", "timeBasis": "instant"}"#
    let path = try fixture.base.folder.write(
      Data(ExchangeFixture.document(entries: String(entry)).utf8), to: "diary.json")
    for isBehind in [false, true] {
      let library = try Library.open(
        at: fixture.base.folder.file("library"),
        clock: isBehind ? TestClock(at: Timestamp(milliseconds: 0)).wallClock : .system)
      let error = #expect(throws: LeaflogError.self) { try DiaryImporter(library).read(path) }
      #expect(error?.message.contains("before the year 1") == true)
    }
  }

  @Test func `plants and activities are known by their names too`() throws {
    let fixture = try ExchangeFixture()
    let fern = try fixture.library.plants.add(PlantDetails(name: "Fern", location: "hall"))
    try fixture.read(ExchangeFixture.document(activities: Self.water))
    let report = try fixture.read(
      ExchangeFixture.document(
        entries: Self.done(5, "2026-03-01", activity: ExchangeFixture.id(2)).replacing(
          #""kind""#, with: #""plant": "\#(ExchangeFixture.id(3))", "kind""#),
        activities:
          #"{"id": "\#(ExchangeFixture.id(2))", "name": "WATER", "startFrom": "2025-01-01"}"#,
        plants: #"{"id": "\#(ExchangeFixture.id(3))", "name": "fern", "location": "bath"}"#))
    #expect(report.added == [.entry(.completion): 1])
    #expect(report.present == [.plant: 1, .activity: 1])
    let entry = try fixture.library.diary.entry(matching: ExchangeFixture.id(5), of: .completion)
    #expect(entry.plant?.id == fern.id)
    guard case .completion(let completion) = entry.content else {
      Issue.record("no completion")
      return
    }
    #expect(completion.activity.id.description == ExchangeFixture.id(1))
    #expect(completion.activity.name == "Water" && completion.source == "app")
    #expect(try fixture.library.plants.find(matching: "fern").details.location == "hall")
  }

  @Test func `new activities come behind those that are there`() throws {
    let fixture = try ExchangeFixture()
    try fixture.read(ExchangeFixture.document(activities: Self.water))
    try fixture.read("name,startFrom\nYoga,2026-01-01\nWalk,2026-01-02\n", as: "activities.csv")
    let ranks = try fixture.json().split(separator: "\n").filter { $0.contains("\"rank\"") }
    #expect(ranks.map { $0.filter(\.isNumber) } == ["0", "1", "2"])
  }

  @Test func `an entry brings its plant back from the trash`() throws {
    let fixture = try ExchangeFixture()
    let fern = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    try fixture.library.plants.delete(fern.id)
    let plant = #"{"id": "\#(fern.id)", "name": "Fern"}"#
    let entry = Self.mood(1, "2026-03-01").replacing(
      #""kind""#, with: #""plant": "\#(fern.id)", "kind""#)
    try fixture.read(ExchangeFixture.document(entries: entry, plants: plant))
    #expect(try fixture.library.plants.find(matching: "fern").id == fern.id)
    _ = try fixture.library.history.undo(.importDiary)
    #expect(throws: LeaflogError.self) { try fixture.library.plants.find(matching: "fern") }
  }

  @Test func `settings are taken where there are none`() throws {
    let fixture = try ExchangeFixture()
    let first = #""reminder": "on", "reminderTime": "20:30""#
    #expect(try fixture.read(ExchangeFixture.document(settings: first)).added == [.setting: 2])
    let second = #""reminder": "off", "severityScales": "faint, strong""#
    let report = try fixture.read(ExchangeFixture.document(settings: second))
    #expect(report.added == [.setting: 1] && report.present == [.setting: 1])
    #expect(try fixture.library.diary.severityScales().scales == [["faint", "strong"]])
    #expect(try fixture.json().contains("\"reminder\" : \"on\""))
    _ = try fixture.library.history.undo(.importDiary)
    #expect(try fixture.library.diary.severityScales() == .standard)
  }

  @Test func `a day takes no second mood, log or completion`() throws {
    let fixture = try ExchangeFixture()
    try fixture.read(
      ExchangeFixture.document(
        entries: [Self.mood(1, "2026-03-01"), Self.done(2, "2026-03-01")].joined(separator: ",\n"),
        activities: Self.water))
    let entries = [Self.mood(3, "2026-03-02"), Self.mood(4, "2026-03-01")]
    let mood = try fixture.refusal(
      of: ExchangeFixture.document(entries: entries.joined(separator: ",\n")))
    #expect(mood.code == .conflict)
    #expect(
      mood.message
        == "diary.json, line 8, column 1: 2026-03-01 has a mood already; there is one a day.")
    let done = try fixture.refusal(
      of: ExchangeFixture.document(entries: Self.done(5, "2026-03-01"), activities: Self.water))
    #expect(
      done.message == "diary.json, line 7, column 1: “Water” was done on 2026-03-01 already.")
    let log = try fixture.refusal(
      of: "day,stress\n2026-03-01,2\n\n2026-03-01,3\n", as: "log.csv")
    #expect(
      log.message
        == "log.csv, line 4, column 1: 2026-03-01 has a daily log already; there is one a day.")
    // In the trash there is room.
    let trashed = Self.mood(6, "2026-03-01").replacing(
      #""kind""#, with: #""deletedAt": "2026-03-02T00:00:00Z", "kind""#)
    #expect(
      try fixture.read(ExchangeFixture.document(entries: trashed)).added == [.entry(.mood): 1])
  }

  @Test func `a dry run counts and changes nothing`() throws {
    let fixture = try ExchangeFixture()
    let before = try fixture.json()
    let text = ExchangeFixture.document(
      entries: Self.done(2, "2026-03-01"), activities: Self.water)
    let dry = try fixture.read(text, isDryRun: true)
    #expect(dry.isDryRun && dry.added == [.activity: 1, .entry(.completion): 1])
    #expect(try fixture.json() == before)
    #expect(try fixture.read(text).added == dry.added)
  }

  @Test func `an addition is not undone while something else needs it`() throws {
    let fixture = try ExchangeFixture()
    try fixture.read(
      ExchangeFixture.document(
        activities: Self.water, plants: #"{"id": "\#(ExchangeFixture.id(3))", "name": "Fern"}"#))
    // Something was done since, by another import.
    try fixture.read("day,activity,plant\n2026-03-01,water,fern\n", as: "done.csv")
    try fixture.read(ExchangeFixture.document(entries: Self.mood(1, "2026-03-01")))
    _ = try fixture.library.history.undo(.importDiary)
    _ = try fixture.library.history.undo(.importDiary)
    let empty = try fixture.json()
    #expect(empty.contains("Water") && empty.contains("Fern") && !empty.contains("2026-03-01"))
    _ = try fixture.library.plants.edit(fixture.library.plants.find(matching: "fern").id) {
      $0.location = "hall"
    }
    #expect(throws: LeaflogError.self) { try fixture.library.history.undo(.importDiary) }
    _ = try fixture.library.history.undo(.plantEdit)
    _ = try fixture.library.history.undo(.importDiary)
    #expect(try fixture.json() == ExchangeFixture().json())
  }

  @Test func `a row without an id gets one, and a table can be typed by hand`() throws {
    let fixture = try ExchangeFixture()
    let text = """
      severity,occurredAt,name,tags,notes
      3,2026-03-01 09:30,itch,"a; b",
      4.5,2026-03-01T10:30Z,"ache ",,"two
      lines"
      """
    #expect(try fixture.read("\u{FEFF}" + text, as: "s.csv").added == [.entry(.symptom): 2])
    let entries = try fixture.library.diary.entries(of: .symptom)
    #expect(Set(entries.map(\.id.description.count)) == [32])
    #expect(
      entries.map(\.time.recorded.iso8601) == ["2026-03-01T09:30:00", "2026-03-01T10:30:00Z"])
    #expect(entries.map(\.time.basis) == [.wall, .instant])
    #expect(entries[1].notes == "two\nlines")
    #expect(entries.map(\.tags) == [["a", "b"], []])
    // Plants are made as they are when photos come.
    try fixture.read("day,mood,plant\n2026-03-01,sick,Fern\n", as: "moods.csv")
    #expect(try fixture.library.plants.all().map(\.name) == ["Fern"])
  }
}
