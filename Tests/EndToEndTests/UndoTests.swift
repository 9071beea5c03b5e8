import Foundation
import TestSupport
import Testing

/// `leaflog undo` restores exactly what was, `leaflog redo` exactly what came after it.
@Suite struct UndoTests {
  /// The sample photos, and something of every kind.
  private func varied() throws -> CommandFixture {
    try CommandFixture.imported(name: "varied") { fixture in
      for arguments in [
        ["plant", "add", "Fern"], ["plant", "delete", "Fern", "--yes"],
        ["photo", "delete", "1342c629", "--yes"], ["photo", "favourite", "ccae8cab"],
        ["tag", "add", "old", "ccae8cab", "d1f687ba"],
        ["symptom", "add", "cough", "--severity", "2"],
        ["log", "set", "--stress", "2", "--on", "2026-03-01"],
        ["episode", "start", "--type", "cold", "--on", "2026-03-01"],
        ["mood", "set", "happy", "--on", "2026-03-01"], ["quote", "favourite", "b1"],
        ["activity", "add", "yoga"], ["activity", "add", "feed the cat"],
        ["activity", "done", "yoga", "--on", "2026-03-01"],
      ] {
        let result = try fixture.leaflog.run(arguments)
        try #require(result.status == 0, "\(arguments): \(result.error)")
      }
    }
  }

  @Test func `of an import that was edited later, the other photos go into the trash`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    try fixture.json("photo", "edit", fixture.id("2025-05-17"), "--note", "mine")
    let refused = try fixture.leaflog("undo", "1")
    #expect(refused.status == 1 && refused.error.contains("1 of its photos was edited later: "))
    #expect(refused.error.contains("`leaflog photo delete --change 1`"))
    for arguments in [["--change", "1", "--plant", "basil"], ["--change", "1", "abc"]] {
      #expect(try fixture.leaflog.run(["photo", "delete"] + arguments).status == 64)
    }
    #expect(try fixture.leaflog("photo", "delete", "--change", "99").status != 0)
    #expect(try fixture.leaflog("photo", "delete", "--change", "1", "--yes").status == 0)
    #expect(try fixture.entries().compactMap { $0["notes"] as? String } == ["mine"])
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try fixture.entries().count == 4)
  }

  /// Changes to that library; `SYMPTOM` and `EPISODE` stand for ids.
  static let changes: [[String]] = [
    ["photo", "edit", "e5616ca3", "--note", "other", "--at", "2025-05-18T09:00"],
    ["photo", "edit", "ccae8cab", "--note", ""],
    ["photo", "move", "--from-plant", "basil", "--plant", "tomato"],
    ["photo", "redate", "--plant", "tomato", "--shift", "-3h"],
    ["photo", "redate", "--plant", "monstera", "--shift", "40d"],
    ["photo", "redate", "d1f687ba", "--time-zone", "Asia/Kolkata"],
    ["photo", "delete", "--from", "2025-05-20", "--yes"], ["photo", "restore", "1342c629"],
    ["photo", "favourite", "e5616ca3"], ["photo", "unfavourite", "ccae8cab"],
    ["tag", "add", "new", "e5616ca3"], ["tag", "remove", "old", "ccae8cab"],
    ["tag", "rename", "old", "older"],
    ["plant", "add", "Hoya"], ["plant", "edit", "basil", "--location", "sill"],
    ["plant", "edit", "basil", "--merge-into", "tomato", "--yes"],
    ["plant", "rename", "tomato", "Roma"], ["plant", "delete", "monstera", "--yes"],
    ["plant", "restore", "Fern"],
    ["symptom", "add", "ache", "--severity", "1"], ["symptom", "edit", "SYMPTOM", "--note", "x"],
    ["symptom", "delete", "SYMPTOM", "--yes"],
    ["log", "set", "--stress", "3", "--on", "2026-03-01"],
    ["log", "delete", "2026-03-01", "--yes"],
    ["episode", "add", "--from", "2025-03-01", "--to", "2025-03-04", "--type", "fever"],
    ["episode", "edit", "EPISODE", "--severity", "4"], ["episode", "end"],
    ["episode", "delete", "EPISODE", "--yes"],
    ["mood", "set", "sad", "--on", "2026-03-01"], ["mood", "delete", "2026-03-01", "--yes"],
    ["quote", "add", "Mine."], ["quote", "favourite", "b2"], ["quote", "unfavourite", "b1"],
    ["activity", "add", "swim"], ["activity", "edit", "yoga", "--name", "stretch"],
    ["activity", "delete", "yoga", "--yes"], ["activity", "reorder", "yoga", "--to", "2"],
    ["activity", "done", "yoga", "--on", "2026-03-02"],
    ["activity", "edit-done", "yoga", "--on", "2026-03-01", "--note", "x", "--tag", "y"],
    ["activity", "not-done", "yoga", "--on", "2026-03-01"],
    ["import-diary", Fixtures.path("Diary/diary-1.json")],
    ["settings", "set", "report.name", "Ada"],
  ]

  @Test(arguments: changes)
  func `one change of each kind`(arguments: [String]) throws {
    let fixture = try varied()
    func id(_ kind: String) throws -> String {
      try #require(try fixture.entries("--kind", kind).first?["id"] as? String)
    }
    let words = try arguments.map { word in
      switch word {
      case "SYMPTOM": try id("symptom")
      case "EPISODE": try id("episode")
      default: word
      }
    }
    let before = try CatalogDump(of: fixture)
    let result = try fixture.leaflog.run(words)
    #expect(result.status == 0, "\(result.error)")
    let after = try CatalogDump(of: fixture)
    #expect(!after.changes(since: before).isEmpty)

    let undone = try fixture.json("undo")
    #expect(undone["undone"] as? Bool == true && !undone.counts.isEmpty)
    #expect(try CatalogDump(of: fixture).changes(since: before) == [])
    let redone = try fixture.json("redo")
    #expect(redone["id"] as? Int == undone["id"] as? Int && redone["undone"] as? Bool == false)
    #expect(try CatalogDump(of: fixture).changes(since: after) == [])
    #expect(try fixture.refusal("redo", status: 1).code == "notFound")
  }

  @Test func `many changes in reverse order, step by step, and again in their order`() throws {
    let fixture = try CommandFixture.imported()
    // One that has a name by which it is found, whatever it is called in between.
    let monstera = try #require(try fixture.json("plant", "show", "monstera")["id"] as? String)
    var dumps = [try CatalogDump(of: fixture)]
    let steps =
      Self.changes[0..<7] + [
        ["photo", "restore", "--to", "2025-06-15"],
        ["photo", "edit", "1342c629", "--note", "late"],
        ["plant", "edit", "monstera", "--name", "Swiss cheese", "--note", "holes"],
        ["plant", "edit", "tomato", "--merge-into", monstera, "--yes"],
        ["plant", "delete", monstera, "--yes"],
      ]
    for arguments in steps {
      let result = try fixture.leaflog.run(arguments)
      #expect(result.status == 0, "\(arguments): \(result.error)")
      dumps.append(try CatalogDump(of: fixture))
      #expect(!dumps[dumps.count - 1].changes(since: dumps[dumps.count - 2]).isEmpty)
    }
    for before in dumps.dropLast().reversed() {
      try fixture.json("undo")
      #expect(try CatalogDump(of: fixture).changes(since: before) == [])
    }
    for after in dumps.dropFirst() {
      try fixture.json("redo")
      #expect(try CatalogDump(of: fixture).changes(since: after) == [])
    }
  }

  /// Runs a command, and gives the number of the change that it made.
  private func change(_ fixture: CommandFixture, _ arguments: String...) throws -> String {
    let result = try fixture.leaflog.run(arguments)
    try #require(result.status == 0, "\(arguments): \(result.error)")
    let newest = try #require(try fixture.json("history", "--limit", "1").items.first)
    let number = try #require(newest["id"] as? Int)
    return "\(number)"
  }

  @Test func `a change that was changed again since is not undone, and the blocker is named`()
    throws
  {
    let fixture = try CommandFixture.imported()
    let first = try change(fixture, "photo", "redate", "--plant", "basil", "--shift", "1h")
    let second = try change(fixture, "photo", "edit", "e5616ca3", "--at", "2025-05-18T09:00")
    let before = try CatalogDump(of: fixture)
    let refusal = try fixture.refusal("undo", first, status: 1)
    #expect(refusal.code == "conflict")
    #expect(refusal.message.contains("changed again later, by change \(second)."))
    #expect(refusal.message.contains("`leaflog undo \(second)`"))
    #expect(try CatalogDump(of: fixture).changes(since: before) == [])
    #expect(try fixture.leaflog("undo", second).status == 0)
    #expect(try fixture.leaflog("undo", first).status == 0)
    // Nor is what would put itself in the place of a later change done again.
    #expect(try fixture.leaflog("photo", "edit", "e5616ca3", "--at", "2025-05-19").status == 0)
    #expect(
      try fixture.refusal("redo", first, status: 1).message.contains("changed again later"))
  }

  @Test func `a change from the middle goes when others touched something else`() throws {
    let fixture = try CommandFixture.imported()
    let first = try change(fixture, "photo", "redate", "--plant", "basil", "--shift", "1h")
    _ = try change(fixture, "photo", "edit", "1342c629", "--note", "x")
    let last = try change(fixture, "photo", "edit", "54432db0", "--note", "y")
    #expect(try fixture.json("undo", first).counts == ["photo": [0, 4, 0]])
    let basil = try fixture.photo("2025-05-10")
    #expect(basil["occurredAt"] as? String == "2025-05-10T12:00:06+01:00")
    #expect(basil["notes"] as? String == "y")
    #expect(try fixture.photo("2025-04-02")["notes"] as? String == "x")
    // The newest that is not undone, and the one that was undone last.
    #expect(try fixture.json("undo")["id"] as? Int == Int(last))
    #expect(try fixture.json("redo")["id"] as? Int == Int(last))
    #expect(try fixture.json("redo")["id"] as? Int == Int(first))
  }

  @Test func `an import goes with its plants, and comes again`() throws {
    let fixture = try CommandFixture.imported()
    let text = try fixture.leaflog("undo").output
    #expect(text.contains(": 13 photos added, 3 plants added"), "\(text)")
    #expect(text.contains(" stay in the store until `leaflog prune`. "))
    #expect(try fixture.entries().isEmpty && fixture.entries("--deleted").isEmpty)
    #expect(try fixture.json("plant", "list").items.isEmpty)
    #expect(try fixture.json("redo")["kind"] as? String == "importPhotos")
    #expect(try fixture.entries().count == 13)
    #expect(try fixture.json("plant", "list").texts("name") == ["basil", "monstera", "tomato"])
    #expect(try fixture.leaflog("verify", "--full").status == 0)
  }

  @Test func `a recompression is taken back until its files are pruned`() throws {
    func renditions(_ dump: CatalogDump) -> Set<String> {
      dump.lines.filter { $0.hasPrefix("rendition: ") }
    }
    let fixture = try CommandFixture.imported()
    let before = renditions(try CatalogDump(of: fixture))
    let result = try fixture.leaflog("recompress", "--policy", "compact")
    #expect(result.output.contains("until then, `leaflog undo` undoes it."))
    let after = renditions(try CatalogDump(of: fixture))
    #expect(!before.isEmpty && after != before)
    #expect(try fixture.json("undo")["kind"] as? String == "recompress")
    #expect(renditions(try CatalogDump(of: fixture)) == before)
    #expect(try fixture.json("redo")["kind"] as? String == "recompress")
    #expect(renditions(try CatalogDump(of: fixture)) == after)
    #expect(try fixture.leaflog("verify", "--full").status == 0)
  }

  @Test func `it says what was undone and how to get it back`() throws {
    let fixture = try CommandFixture.imported()
    let number = try change(fixture, "photo", "edit", "e5616ca3", "--note", "a b")
    let what = "`photo edit e5616ca3 --note 'a b'`: 1 photo changed."
    #expect(
      try fixture.leaflog("undo").output
        == "Undid \(number), \(what) `leaflog redo` redoes it.\n")
    #expect(
      try fixture.leaflog("redo").output
        == "Redid \(number), \(what) `leaflog undo \(number)` undoes it.\n")
    let quiet = try fixture.leaflog("undo", "--quiet")
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.error.isEmpty)
  }

  @Test func `numbers that are none, or of no change, are refused`() throws {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    for verb in ["undo", "redo"] {
      for word in ["x", "0", "1342c629", "99999999999999999999"] {
        let refusal = try fixture.refusal(verb, word, status: 64)
        #expect(refusal.code == "invalidRequest")
        #expect(refusal.message.contains("17 from `leaflog history`"))
      }
      #expect(try fixture.refusal(verb, "99", status: 1).code == "notFound")
      #expect(try fixture.leaflog(verb, "1", "2").status == 64)
    }
    #expect(try fixture.refusal("redo", "1", status: 1).code == "conflict")
    #expect(try fixture.refusal("redo", status: 1).code == "notFound")
    #expect(try CatalogDump(of: fixture).changes(since: before) == [])
    try fixture.json("undo", "1")
    #expect(try fixture.refusal("undo", "1", status: 1).code == "conflict")
    #expect(try fixture.refusal("undo", status: 1).code == "notFound")
  }
}
