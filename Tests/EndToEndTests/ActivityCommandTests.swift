import DiaryModel
import Foundation
import TestSupport
import Testing

extension CommandFixture {
  /// The sample photos, watering the monstera every week, and yoga, three times a week.
  static func withActivities() throws -> Self {
    try imported(name: "activities") { fixture in
      try fixture.json("settings", "set", "timeZone", TimeZone.farFromMidnight.identifier)
      try fixture.json(
        "activity", "add", "water the monstera", "--emoji", "💧", "--plant", "monstera", "--every",
        "7d", "--category", "home", "--start-from", "10 days ago", "--monthly-goal", "4")
      try fixture.json(
        "activity", "add", "Yoga", "--category", "health", "--weekly-goal", "3", "--note", "slowly")
    }
  }
}

@Suite struct ActivityCommandTests {
  private let fixture: CommandFixture
  /// In the library's zone.
  private let today: LocalDay

  init() throws {
    fixture = try CommandFixture.withActivities()
    today = CommandFixture.todayFarFromMidnight()
  }

  private func day(_ offset: Int) -> String { today.advanced(by: offset).description }

  @Test func `an activity has what was said of it, and defaults for the rest`() throws {
    let water = try fixture.json("activity", "show", "WATER THE MONSTERA")
    #expect(water["name"] as? String == "water the monstera")
    #expect(water["emoji"] as? String == "💧" && water["category"] as? String == "Home")
    #expect(water.plantName == "monstera")
    #expect(water["everyDays"] as? Int == 7 && water["monthlyGoal"] as? Int == 4)
    #expect(water["startFrom"] as? String == day(-10))
    #expect(water["daysSince"] as? Int == 10)
    #expect(water["dueOn"] as? String == day(-3) && water["isDue"] as? Bool == true)
    #expect(water["place"] as? Int == 1 && water["completionCount"] as? Int == 0)
    #expect(water["currentStreak"] == nil && water["lastDone"] == nil)
    let yoga = try fixture.json("activity", "show", "yoga")
    #expect(yoga["emoji"] as? String == "🧘" && yoga["startFrom"] as? String == day(0))
    #expect(yoga["notes"] as? String == "slowly" && yoga["dueOn"] == nil)
    #expect(yoga["isDue"] as? Bool == false && yoga["doneToday"] as? Bool == false)
  }

  @Test func `the list has their order, days since, what is due and a check mark`() throws {
    try fixture.json("activity", "done", "yoga", "--on", "yesterday")
    #expect(
      try fixture.leaflog("activity").output == """
        💧 water the monstera  Started: 10 days ago  3 days overdue  monstera
        🧘 Yoga                Last done: yesterday

        """)
    try fixture.json("activity", "done", "water the monstera")
    try fixture.json("activity", "done", "yoga")
    #expect(
      try fixture.leaflog("activity", "list").output == """
        💧 water the monstera  Last done: today  due in 7 days  ✓  monstera
        🧘 Yoga                Last done: today                 ✓

        """)
    let list = try fixture.json("activity", "list")
    #expect(list.texts("name") == ["water the monstera", "Yoga"])
    #expect(list.items.compactMap { $0["doneToday"] as? Bool } == [true, true])
    #expect(list.items[0]["dueOn"] as? String == day(7))
    #expect(list["next"] is NSNull)
  }

  @Test func `done now is a moment on the timeline, and once a day enough`() throws {
    let first = try fixture.leaflog("activity", "done", "Water The Monstera")
    #expect(first.output == "✓ 💧 water the monstera, due again in 7 days\n")
    let entry = try #require(try fixture.entries("--kind", "completion").first)
    #expect(entry["localDay"] as? String == day(0))
    #expect((entry["occurredAt"] as? String)?.count ?? 0 > 19)
    #expect(entry.plantName == "monstera")
    let completion = try #require(entry["completion"] as? [String: Any])
    #expect(completion["source"] as? String == "command")
    #expect((completion["activity"] as? [String: Any])?["emoji"] as? String == "💧")
    let before = try CatalogDump(of: fixture)
    let again = try fixture.leaflog("activity", "done", "water the monstera")
    #expect(again.status == 0)
    #expect(again.output == "💧 water the monstera is already done today.\n")
    #expect(try fixture.json("activity", "done", "water the monstera")["unchanged"] as? Int == 1)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `days are written down all together or not at all`() throws {
    let made = try fixture.json(
      "activity", "done", "yoga", "--from", day(-9), "--to", day(-7), "--on", day(-3), "--on",
      day(-3), "--note", "at home")
    #expect(made.texts("localDay") == [day(-9), day(-8), day(-7), day(-3)])
    #expect(made.texts("occurredAt") == made.texts("localDay"))
    #expect(made.texts("notes").count == 4)
    #expect((made.items[0]["completion"] as? [String: Any])?["source"] as? String == "bulk")
    let before = try CatalogDump(of: fixture)
    let taken = try fixture.refusal(
      "activity", "done", "yoga", "--from", day(-8), "--to", day(0), status: 1)
    #expect(taken.code == "conflict")
    #expect(taken.message.contains("\(day(-8)), \(day(-7)) and \(day(-3))"))
    let future = try fixture.refusal(
      "activity", "done", "yoga", "--on", day(-8), "--on", day(1), status: 64)
    #expect(future.code == "invalidRequest" && future.message.contains(day(1)))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `its record is streaks, goals, months and a calendar of eighty columns`() throws {
    try fixture.json("activity", "done", "yoga", "--from", "2026-02-26", "--to", "2026-03-01")
    try fixture.json("activity", "done", "yoga", "--on", "2026-03-09")
    let record = try fixture.json("activity", "show", "yoga", "--month", "2026-03")
    let longest = try #require(record["longestStreak"] as? [String: Any])
    // With a weekly goal it counts weeks.
    #expect(longest["count"] as? Int == 1 && longest["unit"] as? String == "week")
    #expect(longest["firstDay"] as? String == "2026-02-23")
    #expect(longest["lastDay"] as? String == "2026-03-01")
    let calendar = try #require(record["calendar"] as? [String: Any])
    #expect(calendar["month"] as? String == "2026-03")
    #expect(calendar["days"] as? [String] == ["2026-03-01", "2026-03-09"])
    #expect((record["thisWeek"] as? [String: Any])?["goal"] as? Int == 3)
    #expect((record["thisWeek"] as? [String: Any])?["isReached"] is Bool)
    #expect((record["months"] as? [[String: Any]])?.map { $0["count"] as? Int } == [3, 2])
    let text = try fixture.leaflog("activity", "show", "yoga", "--month", "2026-03").output
    #expect(
      text.contains(
        """

         March 2026
         Mo  Tu  We  Th  Fr  Sa  Su
                                  1✓
          2   3   4   5   6   7   8
          9✓ 10  11  12  13  14  15

        """))
    #expect(text.contains("\nMonths      2026: Feb 3 · Mar 2\n"))
    #expect(text.contains("\nLongest     1 week, 2026-02-23 to 2026-03-01\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `an activity comes with the days it was done on, and goes with them`() throws {
    let before = try CatalogDump(of: fixture)
    let text = try fixture.leaflog(
      "activity", "add", "Gitarre üben", "--done-on", day(0), "--done-on", day(-9), "--done-from",
      day(-3), "--done-to", day(-1))
    #expect(text.output == "Added 🎸 Gitarre üben, already done 5 times.\n", "\(text.error)")
    let shown = try fixture.json("activity", "show", "gitarre üben")
    #expect(shown["completionCount"] as? Int == 5 && shown["doneToday"] as? Bool == true)
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    for wrong in [
      ["--done-from", day(-3)], ["--done-from", day(-1), "--done-to", day(-3)],
      ["--done-on", day(1)],
    ] {
      let result = try fixture.leaflog.run(["activity", "add", "Lesen"] + wrong)
      #expect(result.status == 64, "\(wrong)")
    }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `days that were done are left out when that is wanted`() throws {
    try fixture.json("activity", "done", "yoga", "--on", day(-2))
    let span = ["activity", "done", "yoga", "--from", day(-3), "--to", day(-1)]
    #expect(try fixture.leaflog.run(span).status == 1)
    let result = try fixture.leaflog.run(span + ["--skip-done", "--json"])
    #expect(result.json.first?.items.count == 2 && result.json.first?["unchanged"] as? Int == 1)
  }

  @Test func `names as long as they like fit into eighty columns`() throws {
    let name = String(repeating: "水をやる ", count: 20)
    try fixture.json("activity", "add", name, "--every", "2 weeks", "--plant", "basil")
    let lines = try fixture.leaflog("activity").output.split(separator: "\n")
    #expect(lines.count == 3)
    // Wide characters take two columns.
    let widths = lines.map { $0.reduce(0) { $0 + ($1.isASCII || "…✓".contains($1) ? 1 : 2) } }
    #expect(widths.allSatisfy { $0 <= 80 }, "\(widths)")
  }

  @Test func `an edit changes what is given, and takes away what is empty or off`() throws {
    let edited = try fixture.json(
      "activity", "edit", "yoga", "--name", "Stretching", "--emoji", "🤸", "--category", "Body",
      "--every", "2", "--weekly-goal", "off", "--monthly-goal", "20", "--note", "", "--plant",
      "basil", "--start-from", "2026-01-31")
    #expect(edited["name"] as? String == "Stretching" && edited["emoji"] as? String == "🤸")
    #expect(edited["category"] as? String == "Body" && edited["notes"] == nil)
    #expect(edited["everyDays"] as? Int == 2 && edited["weeklyGoal"] == nil)
    #expect(edited["monthlyGoal"] as? Int == 20 && edited.plantName == "basil")
    #expect(edited["startFrom"] as? String == "2026-01-31")
    let bare = try fixture.json(
      "activity", "edit", "stretching", "--plant", "", "--every", "off", "--monthly-goal", "off",
      "--emoji", "", "--category", "pet", "--name", "Rex")
    #expect(bare["plant"] == nil && bare["everyDays"] == nil && bare["monthlyGoal"] == nil)
    #expect(bare["emoji"] as? String == "🐾" && bare["category"] as? String == "Pet")
  }

  @Test func `a renamed thing is found by its new name`() throws {
    try fixture.json("activity", "done", "yoga")
    try fixture.json("activity", "edit", "yoga", "--name", "Stretching")
    #expect(try fixture.json("search", "stretching").items.count == 1)
    #expect(try fixture.json("search", "yoga").items.isEmpty)
    #expect(try fixture.leaflog("timeline", "--limit", "1").output.contains("🧘 Stretching"))
    try fixture.json("undo")
    #expect(try fixture.json("search", "yoga").items.count == 1)
  }

  @Test func `deleting asks, and puts what was done into the trash`() throws {
    try fixture.json("activity", "done", "yoga", "--from", day(-2), "--to", day(0))
    let before = try CatalogDump(of: fixture)
    #expect(try fixture.json("activity", "delete", "yoga", status: 13)["dryRun"] as? Bool == true)
    let asked = try fixture.leaflog("activity", "delete", "yoga").output
    #expect(asked.hasPrefix("Would delete 🧘 Yoga and move 3 completions to the trash."))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.json("activity", "delete", "yoga", "--yes")["dryRun"] == nil)
    #expect(try fixture.json("activity", "list").texts("name") == ["water the monstera"])
    #expect(try fixture.entries("--deleted").count == 3)
    #expect(try fixture.json("undo").counts["completion"] == [0, 0, 3])
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    // Nor does one that was never done go unasked.
    let never = try fixture.json("activity", "delete", "water the monstera", status: 13)
    #expect(never["dryRun"] as? Bool == true && never["reason"] != nil)
    try fixture.json("activity", "delete", "water the monstera", "--yes")
    #expect(try fixture.json("activity", "list").texts("name") == ["Yoga"])
  }

  @Test func `a plant that is deleted takes its activities along, and brings them back`() throws {
    try fixture.json("activity", "done", "water the monstera")
    let before = try CatalogDump(of: fixture)
    let asked = try fixture.leaflog("plant", "delete", "monstera").output
    #expect(
      asked.hasPrefix(
        "Would delete monstera with 1 activity and move 6 entries to the trash."))
    let gone = try fixture.json("plant", "delete", "monstera", "--yes")
    #expect(gone["activityCount"] as? Int == 1)
    #expect(gone["entries"] as? [String: Int] == ["photo": 5, "completion": 1])
    #expect(try fixture.json("activity", "list").texts("name") == ["Yoga"])
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    try fixture.json("plant", "edit", "monstera", "--merge-into", "basil", "--yes")
    #expect(try fixture.json("activity", "show", "water the monstera").plantName == "basil")
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `a completion's note and tags are edited, removed and undone`() throws {
    try fixture.json("activity", "done", "yoga", "--on", day(-4), "--note", "slow")
    func edit(_ arguments: String...) throws -> String {
      let verb = ["activity", "edit-done", "yoga", "--on", day(-4)]
      let result = try fixture.leaflog.run(verb + arguments)
      #expect(result.status == 0, "\(result.error)")
      return result.output
    }
    _ = try edit("--tag", "care", "--tag", "hall")
    #expect(
      try edit("--note", "quick").hasSuffix("Changed 1 completion. `leaflog undo` undoes it.\n"))
    let kept = try CatalogDump(of: fixture)
    let entry = try #require(try fixture.entries("--kind", "completion").first)
    #expect(entry["notes"] as? String == "quick" && entry["tags"] as? [String] == ["care", "hall"])
    #expect(try edit("--note", "quick") == "1 completion needed no change.\n")
    _ = try edit("--note", "", "--tag", "")
    let bare = try #require(try fixture.entries("--kind", "completion").first)
    #expect(bare["notes"] == nil && bare["tags"] as? [String] ?? [] == [])
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: kept).isEmpty)
    let refusal = try fixture.refusal(
      "activity", "edit-done", "yoga", "--note", "x", status: 1)
    #expect(refusal.code == "notFound" && refusal.message.contains("was done last on \(day(-4))"))
  }

  @Test func `a completion goes into the trash and comes out of it`() throws {
    try fixture.json("activity", "done", "yoga", "--on", day(-4))
    let id = try #require(try fixture.entries("--kind", "completion").first?["id"] as? String)
    let refusal = try fixture.refusal("activity", "not-done", "yoga", status: 1)
    #expect(refusal.code == "notFound")
    #expect(refusal.message.contains("was done last on \(day(-4))"))
    #expect(try fixture.json("activity", "not-done", "yoga", "--on", day(-4)).items.count == 1)
    #expect(try fixture.json("activity", "restore", String(id.prefix(8))).items.count == 1)
    try fixture.json("activity", "not-done", "yoga", "--on", day(-4))
    try fixture.json("activity", "done", "yoga", "--on", day(-4))
    #expect(try fixture.refusal("activity", "restore", id, status: 1).code == "conflict")
  }

  static let changes: [(verb: String, arguments: [String])] = [
    ("add", ["feed the cat", "--emoji", "🐈", "--every", "1d"]),
    ("done", ["yoga"]), ("done", ["yoga", "--from", "2026-01-30", "--to", "2026-02-02"]),
    ("edit", ["yoga", "--name", "Joga", "--emoji", "🧘", "--plant", "basil"]),
    ("not-done", ["joga", "--on", "2026-02-01"]), ("reorder", ["joga", "--to", "1"]),
    ("reorder", ["joga", "--after", "feed the cat"]),
    ("reorder", ["feed the cat", "joga", "water the monstera"]),
    ("delete", ["joga", "--yes"]),
  ]

  @Test func `every change is taken back exactly and done again, step by step`() throws {
    var dumps = [try CatalogDump(of: fixture)]
    for (verb, arguments) in Self.changes {
      let result = try fixture.leaflog.run(["activity", verb] + arguments)
      #expect(result.status == 0, "\(verb) \(arguments): \(result.error)")
      dumps.append(try CatalogDump(of: fixture))
      #expect(!dumps[dumps.count - 1].changes(since: dumps[dumps.count - 2]).isEmpty)
    }
    for ((verb, arguments), before) in zip(Self.changes, dumps).reversed() {
      let result = try fixture.leaflog("undo")
      #expect(result.status == 0, "\(verb) \(arguments): \(result.error)")
      #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty, "\(verb) \(arguments)")
    }
    for ((verb, arguments), after) in zip(Self.changes, dumps.dropFirst()) {
      let result = try fixture.leaflog("redo")
      #expect(result.status == 0, "\(verb) \(arguments): \(result.error)")
      #expect(try CatalogDump(of: fixture).changes(since: after).isEmpty, "\(verb) \(arguments)")
    }
  }

  @Test func `names and categories are offered to shells`() throws {
    var leaflog = fixture.leaflog
    leaflog.environment = ["SAP_SHELL": "fish"]
    let names = try leaflog.launch(
      "---completion", "activity", "done", "--", "positional@0", "3", "0", "leaflog", "activity",
      "done", ""
    ).output
    #expect(names.contains("water the monstera\tStarted: 10 days ago\n"))
    #expect(names.contains("Yoga\t"))
    try fixture.json("activity", "edit", "yoga", "--category", "Garten")
    let categories = try leaflog.launch(
      "---completion", "activity", "add", "--", "--category", "4", "0", "leaflog", "activity",
      "add", "--category", ""
    ).output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(categories == ["Hobby", "Health", "Pet", "Home", "Others", "Garten"])
  }
}
