import Foundation
import TestSupport
import Testing

/// Questions and notices where health is concerned: overlaps of episodes, the disclaimer, the reminder's
/// parts and the name on the report.
@Suite struct HealthCommandTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    try #require(
      try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
  }

  private func episode(_ first: String, _ last: String, _ more: String...) throws -> Command.Result
  {
    try fixture.leaflog.run(
      ["episode", "add", "--start", first, "--end", last, "--type", "cold"] + more
    )
  }

  @Test func `off a terminal an overlap is a dry run that names all episodes, until --yes`() throws
  {
    let first = try episode("2026-03-01", "2026-03-05", "--json").json[0]["id"] as? String
    let second = try episode("2026-03-06", "2026-03-09", "--json").json[0]["id"] as? String
    let before = try CatalogDump(of: fixture)
    let asked = try #require(try episode("2026-03-05", "2026-03-06", "--json").json.first)
    #expect(asked["dryRun"] as? Bool == true)
    let reason = try #require(asked["reason"] as? String)
    for id in [first, second] { #expect(reason.contains(try #require(id).prefix(8)), "\(reason)") }
    let text = try episode("2026-03-05", "2026-03-06")
    #expect(text.status == 13)
    let sentence = reason.replacing(
      " Cannot ask for confirmation without a terminal. Repeat with --yes.", with: "")
    #expect(text.output == sentence + " Nothing was done. Repeat with --yes to do it.\n")
    let edit = ["episode", "edit", try #require(first), "--end", "2026-03-06"]
    #expect(try fixture.leaflog.run(edit + ["--json"]).json[0]["dryRun"] as? Bool == true)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.leaflog.run(edit + ["--yes"]).status == 0)
    #expect(try episode("2026-03-05", "2026-03-06", "--yes").status == 0)
    #expect(try fixture.json("episode", "list").items.count == 3)
  }

  @Test func `restoring an episode asks the same`() throws {
    let first = try #require(
      try episode("2026-03-01", "2026-03-05", "--json").json[0]["id"] as? String)
    try fixture.json("episode", "delete", first, "--yes")
    _ = try episode("2026-03-05", "2026-03-09")
    #expect(try fixture.json("episode", "restore", first, status: 13)["dryRun"] as? Bool == true)
    #expect(try fixture.json("episode", "list").items.count == 1)
    #expect(try fixture.json("episode", "restore", first, "--yes").items.count == 1)
    #expect(try fixture.json("episode", "list").items.count == 2)
  }

  @Test(arguments: [("y\n", 2), ("n\n", 1)])
  func `on a terminal an overlap is a question`(answer: String, count: Int) throws {
    _ = try episode("2026-03-01", "2026-03-05")
    let terminal = PseudoTerminal(answer: nil, typed: (after: "[y/N] ", text: answer))
    let session = try terminal.run(
      fixture.leaflog, "episode", "start", "--start", "2026-03-05", "--type", "fever")
    #expect(session.status == 0)
    #expect(session.output.contains("cold, 2026-03-01 to 2026-03-05). Continue anyway? [y/N] "))
    #expect(try fixture.json("episode", "list").items.count == count)
  }

  @Test(arguments: [
    ["symptom", "add", "cough", "--severity", "2"], ["log", "set", "--stress", "2"],
    ["episode", "start", "--type", "cold"],
    ["episode", "add", "--start", "2026-03-01", "--end", "2026-03-02", "--type", "cold"],
  ])
  func `the first entry about health comes with the disclaimer, and no other`(
    arguments: [String]
  ) throws {
    #expect(try fixture.leaflog("mood", "set", "happy").error.isEmpty)
    // Nothing is acknowledged that was not shown.
    #expect(
      try fixture.leaflog("log", "set", "--on", "2026-01-01", "--stress", "2", "--quiet").error
        .isEmpty)
    let first = try fixture.leaflog.run(arguments + ["--json"])
    #expect(first.status == 0 && first.json.count == 1)
    let text = first.error.replacing("\n", with: " ")
    #expect(text.contains("not medical advice") && text.contains("stays on this device"))
    #expect(try fixture.leaflog("settings", "get", "disclaimer").output == "acknowledged\n")
    #expect(try fixture.leaflog("symptom", "add", "itch", "--severity", "1").error.isEmpty)
  }

  @Test func `about tells version, licence, privacy and disclaimer, without a library`() throws {
    let bare = try CommandFixture()
    let about = try bare.json("about")
    #expect(about["licence"] as? String == "MIT")
    #expect((about["privacy"] as? String)?.contains("zenquotes.io") == true)
    #expect((about["disclaimer"] as? String)?.contains("not medical advice") == true)
    let version = try bare.leaflog("--version").output.trimmingCharacters(in: .newlines)
    #expect(about["version"] as? String == version)
    let text = try bare.leaflog("about").output
    #expect(text.hasPrefix("Leaflog \(version), licence: MIT."))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(!FileManager.default.fileExists(atPath: try #require(bare.leaflog.library)))
  }

  @Test func `the reminder looks at the parts that it is set to`() throws {
    try fixture.json("settings", "set", "reminder.parts", "mood")
    #expect(try fixture.json("remind")["parts"] as? [String] == ["mood"])
    #expect(
      try fixture.leaflog("remind", "show").output.hasPrefix("On, every day at 20:00: mood.\n"))
    #expect(try fixture.json("remind", "notify")["missing"] as? [String] == ["no mood yet"])
    #expect(
      try fixture.refusal("settings", "set", "reminder.parts", "sleep", status: 64).message
        .contains("symptoms, log, mood or activities"))
  }

  @Test func `a diary is merged, and a taken day says which entries share it`() throws {
    let path = try fixture.folder.write(
      Data("day,mood\n2026-03-01,sad\n2026-03-02,sad\n".utf8), to: "moods.csv")
    try fixture.json("mood", "set", "happy", "--on", "2026-03-01")
    #expect(try fixture.refusal("import-diary", path, status: 1).code == "conflict")
    let replaced = try fixture.json("import-diary", path, "--merge", "replace", "--dry-run")
    #expect(replaced["replaced"] as? [String: Int] == ["mood": 1])
    #expect(
      try fixture.leaflog("import-diary", path, "--merge", "skip").output
        == "Added 1 mood. `leaflog undo` undoes it.\nAlready present: 1 mood.\n")
    #expect(
      try fixture.leaflog("import-diary", path, "--merge", "replace").output
        == "Nothing was added.\nReplaced 1 mood. `leaflog undo` undoes it.\n"
        + "Already present: 1 mood.\n")
    let episodes = try fixture.folder.write(
      Data("startDay,endDay,type\n2026-03-01,2026-03-03,cold\n2026-03-02,2026-03-04,fever\n".utf8),
      to: "episodes.csv")
    let result = try fixture.leaflog("import-diary", episodes)
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.error.hasPrefix(
        "leaflog: episodes.csv, line 3, column 1: the episode shares days with "))
    #expect(try fixture.json("import-diary", episodes)["warnings"] as? [String] != nil)
  }
}
