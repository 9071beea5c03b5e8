import Foundation
import Leaflog
import TestSupport
import Testing

/// A fault of a file is told with its line and column, and nothing of the file comes in.
@Suite struct DiaryRefusalTests {
  private static func entry(_ kind: String, _ content: String) -> String {
    #"{"kind": "\#(kind)", "occurredAt": "2026-03-01", "\#(kind)": \#(content)}"#
  }

  private func message(_ document: String, _ name: String = "diary.json") throws -> String {
    let error = try ExchangeFixture().refusal(of: document, as: name)
    #expect(error.code == .invalidRequest)
    return error.message
  }

  private static let signs =
    "cough, soreThroat, runnyNose, sneezing, fever, fatigue, bodyAches or headache"

  @Test(arguments: [
    (entry("dailyLog", #"{"stress": 9}"#), 73, "stress takes 1 to 5, not 9."),
    (entry("dailyLog", #"{"stress": 2.5}"#), 73, "stress takes 1 to 5, not 2.5."),
    (entry("dailyLog", #"{"stress": "é", "sugar": "low"}"#), 73, "stress takes 1 to 5, not “é”."),
    (
      entry("dailyLog", #"{"sugar": "tons"}"#), 72,
      "sugar takes low, medium or high, not “tons”."
    ),
    (
      entry("dailyLog", #"{"sleepHours": 7.3}"#), 77,
      "sleepHours takes 0 to 12 in steps of 0.25, not 7.3."
    ),
    (
      entry("dailyLog", #"{"sleepHours": 1e999}"#), 77,
      "sleepHours takes 0 to 12 in steps of 0.25, not 1e999."
    ),
    (
      entry("dailyLog", #"{"officeDay": "yes"}"#), 76, "officeDay takes true or false, not “yes”."
    ),
    (
      entry("dailyLog", #"{"exerciseMinutes": 301}"#), 82,
      "exerciseMinutes takes 0 to 300, not 301."
    ),
    (
      entry("episode", #"{"type": "cold", "symptoms": ["cough", "plague"], "medications": []}"#),
      99,
      "symptoms takes \(signs), not “plague”."
    ),
    (
      entry(
        "episode",
        #"{"type": "cold", "symptoms": [], "medications": [], "endDay": "2026-02-28"}"#), 122,
      "endDay takes the start, 2026-03-01, or a later day, not 2026-02-28."
    ),
    (
      entry(
        "episode",
        #"{"type": "cold", "symptoms": [], "medications": [], "endDay": "2026-02-30"}"#), 122,
      "endDay takes a day such as 2026-03-01, not “2026-02-30”."
    ),
    (
      entry("episode", #"{"symptoms": [], "medications": []}"#), 60,
      "type is missing here. It takes cold, cough, fever, sinus, allergy or other."
    ),
    (
      entry("symptom", #"{"name": " ", "severity": 3}"#), 69,
      "name must not be empty."
    ),
    (
      entry("symptom", #"{"name": "x", "severity": 5.5}"#), 86,
      "severity takes 1 to 5, not 5.5."
    ),
    (
      entry("completion", #"{"activity": "\#(ExchangeFixture.id(7))", "source": "app"}"#), 1,
      "There is no activity with the id \(ExchangeFixture.id(7))."
    ),
    (
      entry("quote", #""b7""#), 56,
      "there is no quote with the id b7 among the file's quotes."
    ),
    ("5", 1, "entries takes objects, not 5."),
    (
      #"{"kind": "moods", "occurredAt": "2026-03-01", "mood": "sad"}"#, 10,
      "kind takes symptom, dailyLog, episode, mood, quote or completion, not “moods”."
    ),
    (
      #"{"kind": "mood", "occurredAt": "2026-02-30", "mood": "sad"}"#, 32,
      "occurredAt takes a time such as 2026-03-01T09:30, or a day, not “2026-02-30”."
    ),
    (
      #"{"id": "12", "kind": "mood", "occurredAt": "2026-03-01", "mood": "sad"}"#, 8,
      "id takes 32 hexadecimal digits, not “12”."
    ),
    (
      #"{"kind": "mood", "occurredAt": "2026-03-01", "symptom": {}}"#, 57,
      "an entry of the kind mood has no symptom."
    ),
  ])
  func `a value that is not taken`(entry: String, column: Int, reason: String) throws {
    let message = try message(ExchangeFixture.document(entries: entry))
    #expect(message == "diary.json, line 7, column \(column): \(reason)")
  }

  @Test func `moods are listed, and so are the fields where one is not known`() throws {
    let mood = try message(ExchangeFixture.document(entries: Self.entry("mood", #""meh""#)))
    #expect(
      mood
        == "diary.json, line 7, column 54: mood takes happy, okay, sad, excited, grateful, calm, "
        + "hopeful, tired, stressed, anxious, angry, bored, lonely or sick, not “meh”.")
    let log = try message(
      ExchangeFixture.document(entries: Self.entry("dailyLog", #"{"strees": 1}"#)))
    #expect(
      log.hasPrefix("diary.json, line 7, column 73: Unknown field “strees”; the fields are"))
    #expect(log.contains("stress, sugar."))
  }

  @Test func `the other lists`() throws {
    let id = ExchangeFixture.id(1)
    let emoji = #"{"id": "\#(id)", "name": "x", "emoji": "ab", "startFrom": "2026-01-01"}"#
    #expect(
      try message(ExchangeFixture.document(activities: emoji))
        == "diary.json, line 3, column 81: emoji takes one emoji, not “ab”.")
    let every = #"{"id": "\#(id)", "name": "x", "startFrom": "2026-01-01", "everyDays": 0}"#
    #expect(
      try message(ExchangeFixture.document(activities: every))
        == "diary.json, line 3, column 112: everyDays takes 1 to 3660, not 0.")
    #expect(
      try message(ExchangeFixture.document(plants: #"{"id": "\#(id)", "name": ""}"#))
        == "diary.json, line 2, column 63: name must not be empty.")
    #expect(
      try message(ExchangeFixture.document(settings: #""reminderTime": "8 pm""#))
        == "diary.json, line 5, column 30: reminderTime takes a time of day such as 20:00, not “8 pm”."
    )
    let plants = #"{"id": "\#(id)", "name": "a"},"# + "\n" + #"{"id": "\#(id)", "name": "b"}"#
    #expect(
      try message(ExchangeFixture.document(plants: plants))
        == "diary.json, line 3, column 1: the id \(id) occurs twice in the file.")
    let duplicates = [1, 2].map {
      #"{"id": "\#(ExchangeFixture.id($0))", "name": "Walk", "startFrom": "2026-01-01"}"#
    }
    #expect(
      try message(ExchangeFixture.document(activities: duplicates.joined(separator: ",\n")))
        == "diary.json, line 4, column 1: another activity in the file is called “Walk” too.")
  }

  @Test(arguments: [
    ("", 1, 1, "a value is expected here, and the file ends."),
    ("[1, 2]", 1, 1, "this is no diary: it has neither “format” nor “activities”."),
    (#"{"format": "other", "version": 1}"#, 1, 12, "format takes leaflog-diary, not “other”."),
    (#"{"format": "leaflog-diary"}"#, 1, 1, "version takes a whole number, and it is missing."),
    (#"{"format": "leaflog-diary", "version": 1, "entries": [NaN]}"#, 1, 55, "a value is expected"),
    ("{\"format\": \"leaflog-diary\",\n\"é\": \"\\ud800\"}", 2, 7, "this is half of a pair"),
    (#"{"format": "leaflog-diary", "version": 1, "entries": 5}"#, 1, 54, "entries takes a list"),
    (String(repeating: "[", count: 1_000_000), 1, 65, "nothing in a diary is nested this deeply."),
  ])
  func `a file that is none`(text: String, line: Int, column: Int, reason: String) throws {
    let message = try message(text)
    #expect(
      message.hasPrefix("diary.json, line \(line), column \(column): \(reason)"), "\(message)")
  }

  @Test func `a newer version's file`() throws {
    let error = try ExchangeFixture().refusal(
      of: "{\"format\": \"leaflog-diary\",\n\"version\": 2}")
    #expect(error.code == .tooNew)
    #expect(
      error.message.hasPrefix("diary.json, line 2, column 12: version 2 was written by a newer"))
  }

  @Test(arguments: [
    ("day,stress\r\n2026-03-01,2\r\n2026-03-02,9\r\n", 3, 12, "stress takes 1 to 5, not 9."),
    (
      "day,mood\n2026-02-30,sad\n", 2, 1,
      "day takes a time such as 2026-03-01T09:30, or a day, not “2026-02-30”."
    ),
    (
      "day,moood\n2026-03-01,sad\n", 1, 5, "the column “moood” is not known; moods.csv has id, day,"
    ),
    ("mood,notes\nsad,\n", 1, 1, "the column “day” is missing, which moods.csv has to have."),
    ("day,mood,day\n2026-03-01,sad,2026-03-01\n", 1, 10, "the column “day” occurs twice."),
    ("day,mood\n\"2026-03-01,sad\n", 2, 1, "the quote that begins this field is never closed."),
    ("day,mood\n,sad\n", 2, 1, "day takes a time such as 2026-03-01T09:30, or a day, not nothing."),
    ("id,day,mood\nzz,2026-03-01,sad\n", 2, 1, "id takes 32 hexadecimal digits, not “zz”."),
  ])
  func `a table`(text: String, line: Int, column: Int, reason: String) throws {
    let message = try message(text, "moods.csv")
    #expect(message.hasPrefix("moods.csv, line \(line), column \(column): \(reason)"), "\(message)")
  }

  @Test func `tables of other kinds`() throws {
    #expect(
      try message("startDay,type,symptoms\n2026-03-01,cold,\"cough; plague\"\n", "e.csv")
        == "e.csv, line 2, column 17: symptoms takes \(Self.signs), not “plague”.")
    #expect(
      try message("startDay,type,endDay\n2026-03-01,cold,2026-02-01\n", "e.csv")
        == "e.csv, line 2, column 17: endDay takes the start, 2026-03-01, or a later day, not "
        + "2026-02-01.")
    #expect(
      try message("occurredAt,name,severity\n2026-03-01,\"é\",6\n", "s.csv")
        == "s.csv, line 2, column 16: severity takes 1 to 5, not 6.")
    #expect(
      try message("day,activity\n2026-03-01,Nothing\n", "c.csv")
        == "c.csv, line 2, column 1: There is no activity called “Nothing”.")
    #expect(try message("a,b\n1,2\n", "x.csv").hasPrefix("x.csv, line 1, column 1: the first row"))
  }
}
