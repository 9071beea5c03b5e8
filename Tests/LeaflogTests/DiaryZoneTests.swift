import Foundation
import Leaflog
import TestSupport
import Testing

/// A diary of one time zone in libraries of others.
@Suite struct DiaryZoneTests {
  private let folder: TemporaryFolder
  /// Half past midnight on 25 November in Kiritimati, still the evening of the 23rd across the date line.
  private let clock = TestClock()

  init() throws {
    folder = try TemporaryFolder()
    clock.set(try #require(RecordedTime("2026-11-25T00:30:00+14:00")))
  }

  private func library(_ zone: String) throws -> Library {
    try Library.create(
      at: folder.file(UUID().uuidString),
      Library.Settings(timeZone: try #require(TimeZone(identifier: zone))), clock: clock.wallClock)
  }

  private func json(_ library: Library) throws -> String {
    let path = folder.file("diary.json")
    _ = try DiaryExporter(library).writeJSON(into: .file(path))
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test(arguments: ["Etc/GMT+12", "America/Los_Angeles", "Europe/Berlin", "Pacific/Kiritimati"])
  func `an entry of today in the east comes into a library in the west, and back`(
    zone: String
  ) throws {
    let east = try library("Pacific/Kiritimati")
    let day = east.today
    _ = try east.diary.setMood(.happy, on: day)
    _ = try east.diary.setDailyLog(on: day) { $0.stress = 2 }
    let symptom = Symptom(name: "jetlag", severity: try Severity(2))
    _ = try east.diary.addSymptom(symptom)
    let typed = try #require(RecordedTime("2026-11-25T00:20:00"))
    let wall = try east.diary.addSymptom(symptom, at: typed, confirmed: [.late])
    let json = try json(east)
    #expect(json.contains("\n  \"timeZone\" : \"Pacific/Kiritimati\",\n"))
    let west = try library(zone)
    try DiaryImporter(west).read(folder.file("diary.json"))
    // A clock time is the moment that it was where it was written.
    #expect(try west.diary.entry(matching: "\(wall.id)").time.instant == wall.time.instant)
    #expect(try west.diary.mood(on: day) != nil)
    let back = try self.json(west)
    let expected = json.replacing("\"Pacific/Kiritimati\"", with: "\"\(zone)\"")
    #expect(back == expected)
    for table in [DiaryCSV.mood, .dailyLog, .symptom] {
      let path = folder.file("table.csv")
      _ = try DiaryExporter(east).writeCSV(table, from: nil, to: nil, into: .file(path))
      #expect(try DiaryImporter(library(zone)).read(path).added.count == 1)
    }
  }

  @Test func `a day that has begun nowhere, and a moment to come, are refused`() throws {
    let west = try library("America/Los_Angeles")
    let entries = [
      #"{"kind": "mood", "occurredAt": "2026-11-26", "mood": "happy"}"#,
      #"{"kind": "symptom", "occurredAt": "2026-11-25T00:32", "symptom": {"name": "x", "severity": 1}}"#,
      #"{"kind": "symptom", "occurredAt": "2026-11-25T00:32+14:00", "symptom": {"name": "x", "severity": 1}}"#,
    ]
    for entry in entries {
      let path = try folder.write(
        Data(#"{"format": "leaflog-diary", "version": 1, "entries": [\#(entry)]}"#.utf8),
        to: "diary.json")
      let error = #expect(throws: LeaflogError.self) { try DiaryImporter(west).read(path) }
      #expect(error?.message.contains("is in the future") == true)
    }
    let path = try folder.write(
      Data(#"{"format": "leaflog-diary", "version": 1, "timeZone": "Mars/Olympus"}"#.utf8),
      to: "diary.json")
    let error = #expect(throws: LeaflogError.self) { try DiaryImporter(west).read(path) }
    #expect(error?.message.contains("timeZone takes a time zone such as Europe/Berlin") == true)
  }
}
