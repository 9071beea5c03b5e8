import Foundation
import Leaflog
import TestSupport
import Testing

/// Reading a diary into one that has some of it.
@Suite struct DiaryMergeTests {
  private static let water =
    #"{"id": "\#(ExchangeFixture.id(1))", "name": "Water", "startFrom": "2026-01-01"}"#

  private static func entry(_ number: Int, _ day: String, _ kind: String, _ content: String)
    -> String
  {
    #"{"id": "\#(ExchangeFixture.id(number))", "kind": "\#(kind)", "occurredAt": "\#(day)", "\#(kind)": "#
      + content + "}"
  }

  private static func done(_ number: Int, _ day: String, _ source: String) -> String {
    entry(
      number, day, "completion",
      #"{"activity": "\#(ExchangeFixture.id(1))", "source": "\#(source)"}"#)
  }

  private static func document(_ entries: [String]) -> String {
    ExchangeFixture.document(entries: entries.joined(separator: ",\n"), activities: water)
  }

  /// A library with a mood, a log, a completion and a symptom.
  private func filled() throws -> ExchangeFixture {
    let fixture = try ExchangeFixture()
    try fixture.read(
      Self.document([
        Self.entry(11, "2026-03-01", "mood", #""sad""#),
        Self.entry(12, "2026-03-01", "dailyLog", #"{"stress": 2}"#),
        Self.done(13, "2026-03-01", "app"),
        Self.entry(14, "2026-03-01T09:30", "symptom", #"{"name": "itch", "severity": 3}"#),
      ]))
    return fixture
  }

  /// Other ids: three days that are taken, an entry that says the same, and three that are new.
  private static let other = document([
    entry(21, "2026-03-01", "mood", #""happy""#),
    entry(22, "2026-03-01", "dailyLog", #"{"stress": 5}"#), done(23, "2026-03-01", "widget"),
    entry(24, "2026-03-01T09:30", "symptom", #"{"name": "itch", "severity": 3}"#),
    entry(25, "2026-03-01T09:30", "symptom", #"{"name": "itch", "severity": 4}"#),
    entry(26, "2026-03-02", "mood", #""happy""#), done(27, "2026-03-02", "widget"),
  ])

  @Test func `taken days refuse a file unless somebody says what becomes of them`() throws {
    let fixture = try filled()
    #expect(try fixture.refusal(of: Self.other).code == .conflict)
  }

  @Test func `existing entries stay when the file's are to be skipped`() throws {
    let fixture = try filled()
    let before = try fixture.json()
    let dry = try fixture.read(Self.other, merge: .skip, isDryRun: true)
    #expect(try fixture.json() == before)
    let report = try fixture.read(Self.other, merge: .skip)
    #expect(dry.added == report.added)
    #expect(
      report.added == [.entry(.symptom): 1, .entry(.mood): 1, .entry(.completion): 1])
    #expect(
      report.present == [
        .entry(.mood): 1, .entry(.dailyLog): 1, .entry(.completion): 1, .entry(.symptom): 1,
        .activity: 1,
      ])
    #expect(report.replaced.isEmpty)
    #expect(
      try fixture.library.diary.entries(of: .mood).map(\.content) == [.mood(.sad), .mood(.happy)])
    _ = try fixture.library.history.undo(.importDiary)
    #expect(try fixture.json() == before)
  }

  @Test func `the file's takes the place of what is there, and one undo brings that back`() throws {
    let fixture = try filled()
    let before = try fixture.json()
    let report = try fixture.read(Self.other, merge: .replace)
    #expect(
      report.replaced == [.entry(.mood): 1, .entry(.dailyLog): 1, .entry(.completion): 1])
    #expect(report.present == [.entry(.symptom): 1, .activity: 1])
    let mood = try fixture.library.diary.entry(matching: ExchangeFixture.id(11), of: .mood)
    #expect(mood.content == .mood(.happy))
    guard
      case .dailyLog(let log) = try fixture.library.diary.entry(matching: ExchangeFixture.id(12))
        .content,
      case .completion(let completion) = try fixture.library.diary.entry(
        matching: ExchangeFixture.id(13)
      )
      .content
    else { throw LeaflogError(.failed, "other kinds") }
    #expect(log.stress == 5 && completion.source == "widget")
    _ = try fixture.library.history.undo(.importDiary)
    #expect(try fixture.json() == before)
  }

  @Test func `an entry of the same id is replaced too, except in the trash`() throws {
    let fixture = try filled()
    let text = Self.document([
      Self.entry(14, "2026-03-02T10:00", "symptom", #"{"name": "itch", "severity": 5}"#)
    ])
    #expect(try fixture.read(text, merge: .skip).present[.entry(.symptom)] == 1)
    #expect(try fixture.read(text, merge: .replace).replaced == [.entry(.symptom): 1])
    let id = ExchangeFixture.id(14)
    let moved = try fixture.library.diary.entry(matching: id)
    #expect(moved.time.recorded.iso8601 == "2026-03-02T10:00:00")
    #expect(try fixture.read(text, merge: .replace).replaced.isEmpty)
    try fixture.library.diary.delete([moved.id], of: .symptom)
    let third = text.replacing("5}", with: "1}")
    #expect(try fixture.read(third, merge: .replace).present[.entry(.symptom)] == 1)
    #expect(try fixture.library.diary.entry(matching: id).deletedAt != nil)
  }

  @Test func `a replaced day has the file's tags, and other tags make another entry`() throws {
    let fixture = try filled()
    let before = try fixture.json()
    let text = Self.document([
      Self.entry(31, "2026-03-01", "mood", #""sad", "tags": ["Spring", "a"]"#),
      Self.entry(
        32, "2026-03-01T09:30", "symptom",
        #"{"name": "itch", "severity": 3}, "tags": ["a"]"#),
    ])
    #expect(try fixture.read(text, merge: .skip, isDryRun: true).present[.entry(.mood)] == 1)
    let report = try fixture.read(text, merge: .replace)
    #expect(report.replaced == [.entry(.mood): 1])
    #expect(report.added[.entry(.symptom)] == 1)
    let mood = try fixture.library.diary.entry(matching: ExchangeFixture.id(11), of: .mood)
    #expect(mood.content == .mood(.sad) && mood.tags == ["Spring", "a"])
    #expect(try fixture.library.diary.tags().map(\.name) == ["a", "Spring"])
    #expect(try fixture.read(text, merge: .replace).replaced.isEmpty)
    let bare = text.replacing(#", "tags": ["Spring", "a"]"#, with: "")
    #expect(try fixture.read(bare, merge: .replace).replaced == [.entry(.mood): 1])
    #expect(try fixture.library.diary.entry(mood.id).tags.isEmpty)
    for _ in 0..<2 { _ = try fixture.library.history.undo(.importDiary) }
    #expect(try fixture.json() == before)
  }

  @Test func `of a table without ids nothing comes in twice`() throws {
    let fixture = try ExchangeFixture()
    let text = "occurredAt,name,severity,plant\n2026-03-01 09:30,itch,3,Fern\n"
    #expect(try fixture.read(text, as: "s.csv", merge: .skip).added[.entry(.symptom)] == 1)
    #expect(try fixture.read(text, as: "s.csv", merge: .replace).added.isEmpty)
    // Under another plant it is another one.
    let moss = text.replacing("Fern", with: "Moss")
    #expect(try fixture.read(moss, as: "s.csv", merge: .skip).added[.entry(.symptom)] == 1)
    #expect(try fixture.read(text, as: "s.csv").added == [.entry(.symptom): 1])
  }

  @Test func `episodes that share days come in with a warning that names line and others`() throws {
    let fixture = try ExchangeFixture()
    func episode(_ number: Int, _ first: String, _ last: String) -> String {
      Self.entry(
        number, first, "episode",
        #"{"type": "cold", "endDay": "\#(last)", "symptoms": [], "medications": []}"#)
    }
    let first = ExchangeFixture.document(entries: episode(1, "2026-03-01", "2026-03-05"))
    #expect(try fixture.read(first).warnings.isEmpty)
    let text = ExchangeFixture.document(
      entries: [
        episode(2, "2026-03-07", "2026-03-09"), episode(3, "2026-03-05", "2026-03-07"),
        episode(4, "2026-03-20", "2026-03-21"),
      ].joined(separator: ",\n"))
    let dry = try fixture.read(text, isDryRun: true)
    let report = try fixture.read(text)
    #expect(dry.warnings == report.warnings)
    #expect(
      report.warnings == [
        "diary.json, line 8, column 1: the episode shares days with 00000000 (cold, 2026-03-01 to "
          + "2026-03-05) and 00000000 (cold, 2026-03-07 to 2026-03-09)."
      ])
    #expect(try fixture.library.diary.entries(of: .episode).count == 4)
    #expect(try fixture.read(text).warnings.isEmpty)
  }
}
