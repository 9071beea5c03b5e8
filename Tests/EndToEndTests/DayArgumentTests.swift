import DiaryModel
import Foundation
import TestSupport
import Testing

/// Days and times as people type them.
@Suite struct DayArgumentTests {
  private func made() throws -> CommandFixture {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    try #require(result.status == 0)
    return fixture
  }

  @Test(arguments: [
    ("now", 0), ("today", 0), ("Yesterday", 1), ("3 days ago", 3), ("1 week ago", 7),
    ("a week ago", 7), ("2  weeks ago", 14), ("0 hours ago", 0),
  ])
  func `a day is said in words`(said: String, back: Int) throws {
    let fixture = try made()
    let today = try CommandFixture.today()
    let log = try fixture.json("log", "set", "--on", said, "--stress", "2")
    // Midnight may come in between.
    let days = [today, try CommandFixture.today()].map { $0.advanced(by: -back).description }
    #expect(days.contains(try #require(log["localDay"] as? String)))
  }

  @Test func `months ago is the same day of the month, or its last`() throws {
    let fixture = try made()
    let today = try CommandFixture.today()
    let log = try fixture.json("log", "set", "--on", "3 months ago", "--stress", "2")
    let day = try #require((log["localDay"] as? String).flatMap { LocalDay($0) })
    let months = { (day: LocalDay) in day.civil.year * 12 + day.civil.month }
    #expect(months(today) - months(day) == 3)
    #expect(
      day.civil.day == today.civil.day
        || day.civil.day < today.civil.day && day.advanced(by: 1).civil.day == 1)
  }

  @Test func `a month bounds a span from its first day to its last`() throws {
    let fixture = try made()
    for day in ["2021-05-31", "2021-06-01", "2021-06-30", "2021-07-01"] {
      try fixture.json("log", "set", "--on", day, "--stress", "2")
    }
    let june = try fixture.json("log", "list", "--from", "2021-06", "--to", "2021-06")
    #expect(june.texts("localDay") == ["2021-06-30", "2021-06-01"])
    let error = try fixture.refusal("log", "set", "--on", "2021-06", status: 64)
    #expect(error.message.contains("“2021-06” is not a day. Write it as 2026-03-01, yesterday"))
  }

  @Test(arguments: [
    ["log", "set", "--on", "2025-02-30"], ["timeline", "--from", "soon"],
    ["timeline", "--before", "2025-2-3"],
    ["symptom", "add", "x", "--severity", "1", "--at", "25:00"],
    ["symptom", "list", "gestern"], ["episode", "edit", "ID", "--end", "soon"],
    ["activity", "done", "water", "--to", "soon", "--from", "today"], ["today", "--on", ""],
    ["insights", "--from", "x"], ["export", "pdf", "--to", "x", "-o", "out.pdf"],
  ])
  func `a text that is no day or time is refused with an example`(arguments: [String]) throws {
    let fixture = try made()
    try fixture.json("activity", "add", "water")
    let episode = try fixture.json("episode", "start", "--type", "cold")["id"] as? String
    let arguments = arguments.map { $0 == "ID" ? episode ?? "" : $0 }
    let result = try fixture.leaflog.run(arguments)
    #expect(result.status == 64)
    #expect(result.error.contains("Write it as 2026-03-01"), "\(result.error)")
  }

  @Test(arguments: [
    ("9:30", "2026-03-01T09:30:00"), ("09:30:05", "2026-03-01T09:30:05"),
    ("2026-02-03", "2026-02-03T12:00:00"), ("2026-02-03 7:05", "2026-02-03T07:05:00"),
    ("7:05 -05:00", "2026-03-01T07:05:00-05:00"),
  ])
  func `an edit of a symptom keeps what it does not say`(said: String, recorded: String) throws {
    let fixture = try made()
    let symptom = try fixture.json(
      "symptom", "add", "x", "--severity", "1", "--yes", "--at", "2026-03-01T12:00")
    let id = try #require(symptom["id"] as? String)
    let edited = try fixture.json("symptom", "edit", id, "--at", said)
    #expect(edited["occurredAt"] as? String == recorded)
  }

  @Test(arguments: [
    ("9:30", "2025-11-12T09:30:00-05:00"), ("2025-11-12 14:30", "2025-11-12T14:30:00-05:00"),
    ("2025-11-20", "2025-11-20T12:00:00-05:00"), ("14:30Z", "2025-11-12T14:30:00Z"),
  ])
  func `an edit of a photo keeps the offset that was recorded`(
    said: String, recorded: String
  ) throws {
    let fixture = try CommandFixture.imported()
    let id = try fixture.id("2025-05-10")
    try fixture.json("photo", "edit", id, "--at", "2025-11-12T12:00-05:00")
    let edited = try fixture.json("photo", "edit", id, "--at", said)
    #expect(edited["occurredAt"] as? String == recorded)
    #expect(edited["localDay"] as? String == String(recorded.prefix(10)))
  }

  @Test func `tomorrow is taken where the future is allowed`() throws {
    let fixture = try CommandFixture.imported()
    let id = try fixture.id("2025-05-10")
    #expect(try fixture.leaflog("photo", "edit", id, "--at", "tomorrow 9:30").status == 13)
    let edited = try fixture.json("photo", "edit", id, "--at", "tomorrow 9:30", "--allow-future")
    #expect((edited["occurredAt"] as? String)?.hasSuffix("T09:30:00+01:00") == true)
    #expect(
      try fixture.json("activity", "add", "x", "--start-from", "tomorrow")["daysSince"] as? Int
        == -1)
  }

  @Test func `limit counts spans, the most recent ones`() throws {
    let fixture = try CommandFixture.imported()
    func names(_ arguments: String...) throws -> [String] {
      let result = try fixture.leaflog.run(arguments + ["--json"])
      let buckets = result.json.first?["buckets"] as? [[String: Any]] ?? []
      return buckets.compactMap { $0["bucket"] as? String }
    }
    #expect(try names("timeline", "--by", "month", "--limit", "2") == ["2025-07", "2025-06"])
    #expect(try names("timeline", "--by", "month").count == 4)
    for day in ["2026-01-05", "2026-02-05", "2026-03-05"] {
      try fixture.json("symptom", "add", "x", "--severity", "1", "--yes", "--at", day)
    }
    #expect(
      try names("symptom", "list", "--by", "month", "--limit", "2") == ["2026-02", "2026-03"])
  }

  @Test func `a plant is named by a word or with --plant, and once`() throws {
    let fixture = try CommandFixture.imported()
    #expect(try fixture.entries("--plant", "basil").count == 4)
    #expect(try fixture.json("plant", "show", "--plant", "basil")["name"] as? String == "basil")
    let both = try fixture.refusal("timeline", "basil", "--plant", "tomato", status: 64)
    #expect(both.message.contains("Name the plant once"))
  }
}
