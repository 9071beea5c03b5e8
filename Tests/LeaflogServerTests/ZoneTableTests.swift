import Foundation
import Leaflog
import TestSupport
import Testing

/// Entries of each basis, before and after a change of the library's zone, wherever they are shown.
@Suite struct ZoneTableTests {
  /// Names, times, and days; the order is that of the days, and within the last one depends on where the clock time was
  /// written.
  private static let entries = [
    ("far", "2026-10-24T23:50:00-10:00", "2026-10-24"), ("day", "2026-10-25", "2026-10-25"),
    ("first", "2026-10-25T02:30:15+02:00", "2026-10-25"),
    ("wall", "2026-10-25T02:45:00", "2026-10-25"),
    ("second", "2026-10-25T02:15:00+01:00", "2026-10-25"),
    ("east", "2026-10-26T00:10:00+14:00", "2026-10-26"),
  ]
  static let zones = ["Etc/GMT+12", "America/New_York", "Europe/Berlin", "Pacific/Kiritimati"]

  /// Everything that an interface shows of the entries, in its order.
  private struct Shown: Equatable {
    var library: [String] = []
    var api: [String] = []
    var page: [String] = []
    var neighbours: [String] = []
    var buckets: [String] = []
    var json = ""
    var csv = ""
    var calendar: [String] = []
  }

  @Test(arguments: zones, zones)
  func `day, time and order are those that were recorded`(before: String, after: String)
    async throws
  {
    let clock = TestClock()
    clock.set(try #require(RecordedTime("2026-10-27T12:00:00Z")))
    try await RunningServer.visit(
      clock: clock.wallClock, prepare: { try Self.fill($0, in: before) }
    ) { server in
      let first = try await Self.shown(by: server)
      #expect(
        Set(first.api) == Set(Self.entries.map { "\($0.0) \($0.1) \($0.2)" }),
        "\(first.api)")
      let days = first.library.map { $0.suffix(10) }
      #expect(days == days.sorted())
      #expect(first.page == first.library.map { String($0.prefix { $0 != " " }) }.reversed())
      #expect(first.buckets == ["2026-10-24 1", "2026-10-25 4", "2026-10-26 1"])
      try server.library.settings.set(.timeZone, to: after)
      #expect(try await Self.shown(by: server) == first)
    }
  }

  @Test(arguments: zones)
  func `an instant is on the day of the library's zone`(zone: String)
    async throws
  {
    let clock = TestClock()
    clock.set(try #require(RecordedTime("2026-10-27T12:00:00Z")))
    try await RunningServer.visit(
      clock: clock.wallClock, prepare: { try Self.fill($0, in: "Europe/Berlin", instant: true) }
    ) { server in
      try server.library.settings.set(.timeZone, to: zone)
      let library = try server.library.refreshed()
      let time = try #require(RecordedTime("2026-10-25T10:30:00Z"))
      let moment = EntryTime(.instant(EntryTime(time, in: .gmt).instant), in: library.timeZone)
      let entries = try library.timeline.page(TimelineQuery(order: .oldestFirst)).elements
      #expect(entries.map(\.time.localDay) == entries.map(\.time.localDay).sorted())
      let instant = try #require(entries.first { $0.notes == "instant" })
      #expect(instant.time == moment)
      let page = try await server.look(at: "/timeline?day=\(moment.localDay)")
      #expect(page.contains("instant"))
    }
  }

  private static func fill(
    _ library: Library, in zone: String, instant: Bool = false
  ) throws {
    var texts = entries.map { name, time, _ in
      #"{"kind": "symptom", "occurredAt": "\#(time)", "notes": "\#(name)", "#
        + #""symptom": {"name": "\#(name)", "severity": 2}}"#
    }
    if instant {
      texts.append(
        #"{"kind": "symptom", "occurredAt": "2026-10-25T10:30:00Z", "timeBasis": "instant", "#
          + #""notes": "instant", "symptom": {"name": "instant", "severity": 2}}"#)
    }
    let folder = try TemporaryFolder()
    let path = try folder.write(
      Data(
        """
        {"format": "leaflog-diary", "version": 1, "timeZone": "\(zone)",
        "entries": [\(texts.joined(separator: ", "))]}
        """.utf8), to: "diary.json")
    try library.settings.set(.timeZone, to: zone)
    let library = try library.refreshed()
    try DiaryImporter(library).read(path)
    let water = try library.activities.add(
      ActivityDetails(name: "water", startFrom: "2026-10-25".day, everyDays: 3))
    _ = try library.activities.complete(water.id, on: ["2026-10-25".day])
    // It would be one of the entries.
    for entry in try library.diary.entries(of: .completion) {
      #expect(entry.time.localDay == "2026-10-25".day)
    }
  }

  private static func shown(by server: RunningServer) async throws -> Shown {
    let library = try server.library.refreshed()
    var shown = Shown()
    let query = TimelineQuery(kinds: [.symptom], order: .oldestFirst)
    let entries = try library.timeline.page(query).elements
    shown.library = entries.map {
      "\($0.notes ?? "") \($0.time.recorded.iso8601) \($0.time.localDay)"
    }
    shown.neighbours = try entries.map {
      try library.diary.neighbours(of: $0).after?.notes ?? "-"
    }
    shown.buckets = try library.timeline.buckets(query, by: .day).map { "\($0.name) \($0.count)" }
    let answer = try await server.answer("GET", "/api/v1/timeline?kind=symptom&oldestFirst=true")
    let items = try answer.json["items"] as? [[String: Any]] ?? []
    shown.api = items.map {
      ["notes", "occurredAt", "localDay"].map { [item = $0] in item[$0] as? String ?? "" }
        .joined(separator: " ")
    }
    let html = try await server.look(at: "/timeline?kind=symptom")
    shown.page = html.matches(of: /<strong>([a-z]+)[^<]*</).map { String($0.1) }
      .filter { name in Self.entries.contains { $0.0 == name } }
    let folder = try TemporaryFolder()
    let path = folder.file("out")
    _ = try DiaryExporter(library).writeJSON(into: .file(path))
    shown.json = try String(contentsOfFile: path, encoding: .utf8)
      .replacing(library.timeZone.identifier, with: "ZONE")
    _ = try DiaryExporter(library).writeCSV(.symptom, from: nil, to: nil, into: .file(path))
    shown.csv = try String(contentsOfFile: path, encoding: .utf8)
    let calendar = try library.insights.calendar(today: "2026-10-27".day).document.bytes
    shown.calendar = String(decoding: calendar, as: UTF8.self).split(separator: "\r\n")
      .filter { $0.hasPrefix("DTSTART;VALUE=DATE") }.map(String.init)
    return shown
  }
}
