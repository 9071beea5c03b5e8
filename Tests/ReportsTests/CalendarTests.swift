import DiaryModel
import Foundation
import Reports
import Testing

@Suite struct CalendarTests {
  private let today = LocalDay("2026-11-21")!
  private let stamp = Timestamp(milliseconds: 1_795_260_000_000)

  private func calendar(_ events: [CalendarEvent]) throws -> CalendarScan {
    try CalendarScan(CalendarDocument(name: "Leaflog: diary", events: events, stamp: stamp).bytes)
  }

  private func activity(
    _ name: String = "water", every days: Int?, lastDone: String? = nil,
    startFrom: String = "2026-11-01", isDeleted: Bool = false, notes: String? = nil
  ) throws -> Activity {
    Activity(
      id: .random(),
      details: ActivityDetails(
        name: name, emoji: "💧", category: "Home", startFrom: try #require(LocalDay(startFrom)),
        notes: notes, everyDays: days),
      plant: nil, rank: 0, createdAt: stamp, deletedAt: isDeleted ? stamp : nil,
      lastDone: lastDone.flatMap { LocalDay($0) }, completionCount: lastDone == nil ? 0 : 1)
  }

  @Test func `the reminder is each day at a time of no zone, with an alarm`() throws {
    let event = try #require(
      CalendarEvent.dailyReminder(hour: 20, minute: 5, today: today, notes: "n", libraryID: "L"))
    let found = try #require(try calendar([event]).events.first)
    #expect(found["DTSTART"] == "20261121T200500")
    #expect(found["RRULE"] == "FREQ=DAILY;INTERVAL=1")
    #expect(found["UID"] == "reminder-L@leaflog")
    #expect(found["DTSTAMP"] == "20261121T112000Z")
    #expect(found["VALARM.ACTION"] == "DISPLAY")
    #expect(found["VALARM.TRIGGER"] == "PT0S")
    #expect(found["VALARM.DESCRIPTION"]?.isEmpty == false)
    #expect(
      CalendarEvent.dailyReminder(hour: 24, minute: 0, today: today, notes: "n", libraryID: "L")
        == nil)
  }

  @Test(arguments: [
    ("2026-11-20", "2026-11-01", "20261123"),  // done yesterday, due in two days
    ("2026-11-18", "2026-11-01", "20261121"),  // due today
    ("2026-09-01", "2026-08-01", "20261121"),  // overdue: from today
    (nil, "2026-12-24", "20261227"),  // begins later
    (nil, "2026-11-21", "20261124"),  // begins today
  ])
  func `an activity is on the day it is due, and then at its interval`(
    lastDone: String?, startFrom: String, start: String
  ) throws {
    let activity = try activity(every: 3, lastDone: lastDone, startFrom: startFrom)
    let event = try #require(CalendarEvent(activity, today: today))
    let found = try #require(try calendar([event]).events.first)
    #expect(found["DTSTART;VALUE=DATE"] == start)
    #expect(found["RRULE"] == "FREQ=DAILY;INTERVAL=3")
    #expect(found["SUMMARY"] == "💧 water")
    #expect(found["CATEGORIES"] == "Home")
    #expect(found["UID"] == "activity-\(activity.id)@leaflog")
    #expect(found["VALARM.TRIGGER"] == "PT9H")
  }

  @Test func `an activity without an interval or in the trash is in no calendar`() throws {
    #expect(CalendarEvent(try activity(every: nil), today: today) == nil)
    #expect(CalendarEvent(try activity(every: 3, isDeleted: true), today: today) == nil)
  }

  @Test func `a completion is a day of its own`() throws {
    let completion = Completion(
      activity: ActivityReference(id: .random(), name: "water", emoji: "💧"), source: "command")
    let entry = Entry(
      id: .random(), time: EntryTime(.day(today), in: .gmt), notes: "a litre",
      plant: PlantReference(id: .random(), name: "monstera"), plantDay: nil,
      content: .completion(completion), deletedAt: nil, sequence: 1)
    let event = try #require(CalendarEvent(entry))
    let found = try #require(try calendar([event]).events.first)
    #expect(found["SUMMARY"] == "✓ 💧 water · monstera")
    #expect(found["DTSTART;VALUE=DATE"] == "20261121")
    #expect(found["DESCRIPTION"] == "a litre")
    #expect(found["RRULE"] == nil)
    #expect(found["VALARM.ACTION"] == nil)
  }

  @Test func `a name that runs from right to left keeps its place in a summary`() throws {
    let completion = Completion(
      activity: ActivityReference(id: .random(), name: "سقي 3", emoji: "💧"), source: "command")
    let symptom = Symptom(
      name: "صداع", severity: try Severity(3), medications: ["إيبوبروفين 400", "aspirin"])
    for (content, summary) in [
      (EntryContent.completion(completion), "✓ 💧 \u{2068}سقي 3\u{2069} · \u{2068}ريحان\u{2069}"),
      (
        .symptom(symptom),
        "\u{2068}صداع\u{2069}, 3 of 5, took \u{2068}إيبوبروفين 400\u{2069}, aspirin · \u{2068}ريحان\u{2069}"
      ),
    ] {
      let entry = Entry(
        id: .random(), time: EntryTime(.day(today), in: .gmt), notes: nil, tags: [],
        plant: PlantReference(id: .random(), name: "ريحان"), plantDay: nil, content: content,
        deletedAt: nil, sequence: 1)
      #expect(CalendarEvent(entry)?.summary == summary)
      #expect(entry.content.summary?.contains("\u{2068}") == false)
    }
  }

  @Test(arguments: [
    "commas, semicolons; back\\slashes: colons \"quotes\"", "two\nlines\r\nand\rmore",
    String(repeating: "ü", count: 200), String(repeating: "👨‍👩‍👧", count: 40),
    String(repeating: "x", count: 75), "tab\tinside", "ends with a backslash\\", "\\n is no break",
    "BEGIN:VEVENT\nEND:VCALENDAR",
  ])
  func `any text comes back as it was`(text: String) throws {
    let activity = try activity(text.replacing("\n", with: " "), every: 1, notes: text)
    let event = try #require(CalendarEvent(activity, today: today))
    let found = try #require(try calendar([event]).events.first)
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    #expect(found["DESCRIPTION"] == lines)
  }

  @Test func `control characters that no calendar may have are left out`() throws {
    let activity = try activity(every: 1, notes: "a\u{0}b\u{7}c\u{1B}d")
    let event = try #require(CalendarEvent(activity, today: today))
    #expect(try calendar([event]).events.first?["DESCRIPTION"] == "abcd")
  }

  @Test func `a calendar without events is one`() throws {
    let scan = try calendar([])
    #expect(scan.events.isEmpty)
    #expect(scan.properties["VERSION"] == "2.0")
    #expect(scan.properties["PRODID"]?.isEmpty == false)
  }
}

/// Reads an iCalendar file as strictly as RFC 5545 has it written.
struct CalendarScan {
  /// Of the calendar itself.
  private(set) var properties: [String: String] = [:]
  /// Texts without their escapes; those of an alarm begin with `VALARM.`.
  private(set) var events: [[String: String]] = []

  init(_ bytes: [UInt8]) throws {
    let text = try #require(String(validating: bytes, as: UTF8.self))
    #expect(bytes.suffix(2) == [0x0D, 0x0A])
    var raw: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x0D {
        #expect(index + 1 < bytes.count && bytes[index + 1] == 0x0A, "a CR without its LF")
        raw.append([])
        index += 2
        continue
      }
      #expect(bytes[index] != 0x0A, "an LF without its CR: \(text)")
      raw[raw.count - 1].append(bytes[index])
      index += 1
    }
    raw.removeLast()
    for line in raw {
      #expect(line.count <= 75 && !line.isEmpty)
      #expect(String(validating: line, as: UTF8.self) != nil, "a character was torn apart")
    }
    let unfolded = raw.reduce(into: [[UInt8]]()) { lines, line in
      if line.first == 0x20 {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(line)
      }
    }
    var open: [String] = []
    for bytes in unfolded {
      let line = String(decoding: bytes, as: UTF8.self)
      let colon = try #require(line.firstIndex(of: ":"))
      let (name, value) = (String(line[..<colon]), String(line[line.index(after: colon)...]))
      switch name {
      case "BEGIN":
        open.append(value)
        if value == "VEVENT" { events.append([:]) }
      case "END": #expect(open.popLast() == value)
      default:
        if open == ["VCALENDAR"] {
          #expect(properties.updateValue(value, forKey: name) == nil)
        } else {
          let key = open.last == "VALARM" ? "VALARM." + name : name
          let isText = ["SUMMARY", "DESCRIPTION", "CATEGORIES", "UID"].contains(name)
          let plain = isText ? try Self.unescaped(value) : value
          #expect(events[events.count - 1].updateValue(plain, forKey: key) == nil)
        }
      }
    }
    #expect(open.isEmpty)
    for event in events {
      for name in ["UID", "DTSTAMP", "SUMMARY"] { #expect(event[name] != nil) }
    }
    #expect(Set(events.compactMap { $0["UID"] }).count == events.count)
  }

  private static func unescaped(_ value: String) throws -> String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        let escapes: [Character: String] = ["n": "\n", "\\": "\\", ";": ";", ",": ","]
        text += try #require(escapes[character])
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        #expect(character != ";" && character != ",", "not escaped: \(value)")
        text.append(character)
      }
    }
    #expect(!isEscaped)
    return text
  }
}
