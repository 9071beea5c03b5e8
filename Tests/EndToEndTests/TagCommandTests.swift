import Foundation
import TestSupport
import Testing

/// Tags and favourites, as they are typed.
@Suite struct TagCommandTests {
  private func made() throws -> CommandFixture {
    let fixture = try CommandFixture()
    try #require(
      try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
    return fixture
  }

  @Test(arguments: [
    ["symptom", "add", "cough", "--severity", "2"], ["log", "set", "--stress", "2"],
    ["mood", "set", "calm"], ["mood", "calm"], ["episode", "start", "--type", "cold"],
    ["episode", "add", "--type", "cold", "--start", "2026-03-01", "--end", "2026-03-02"],
  ])
  func `a new entry takes tags, is found by them, and keeps them in the trash`(
    command: [String]
  ) throws {
    let fixture = try made()
    let result = try fixture.leaflog.run(
      command + ["--tag", "Bad day", "--tag", "x", "--json"]
    )
    let entry = try #require(result.json.first, "\(result.error)")
    let id = try #require(entry["id"] as? String)
    #expect(entry["tags"] as? [String] == ["Bad day", "x"])
    #expect(try fixture.json("search", "bad").texts("id") == [id])
    #expect(try fixture.entries("--tag", "BAD DAY", "--tag", "X").count == 1)
    #expect(try fixture.leaflog("show", id).output.contains("Bad day, x"))
    #expect(try fixture.leaflog("timeline").output.contains("#Bad day #x"))
    try fixture.json(command[0], "delete", id, "--yes")
    #expect(try fixture.entries("--tag", "x").isEmpty)
    #expect(try fixture.json("tag").items.isEmpty)
    #expect(try fixture.entries("--deleted", "--tag", "x").count == 1)
    let restored = try fixture.json(command[0], "restore", id)
    #expect(restored.items.first?["tags"] as? [String] == ["Bad day", "x"])
  }

  @Test func `favourite quotes and what was done take tags`() throws {
    let fixture = try made()
    try fixture.json("activity", "add", "yoga")
    let done = try fixture.json("activity", "done", "yoga", "--tag", "evening")
    #expect(done.items.first?["tags"] as? [String] == ["evening"])
    try fixture.json("quote", "favourite", "b1", "--tag", "wise")
    #expect(try fixture.entries("--tag", "wise").compactMap { $0["kind"] as? String } == ["quote"])
    #expect(try fixture.entries("--favourite").count == 1)
    try fixture.json("quote", "favourite", "b1", "--tag", "short")
    #expect(try fixture.json("tag").texts("tag").sorted() == ["evening", "short"])
  }

  @Test func `edits replace tags, and an empty text removes them`() throws {
    let fixture = try made()
    let added = try fixture.json(
      "symptom", "add", "cough", "--severity", "2", "--tag", "a", "--tag", "b")
    let id = try #require(added["id"] as? String)
    let before = try CatalogDump(of: fixture)
    let edited = try fixture.json("symptom", "edit", id, "--tag", "c")
    #expect(edited["tags"] as? [String] == ["c"])
    #expect(try fixture.json("symptom", "edit", id, "--tag", "")["tags"] as? [String] == [])
    for _ in 0..<2 { try fixture.json("undo") }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    try fixture.json("log", "set", "--stress", "2", "--tag", "a")
    #expect(try fixture.json("log", "set", "--stress", "3")["tags"] as? [String] == ["a"])
    #expect(try fixture.json("log", "set", "--tag", "")["tags"] as? [String] == [])
    let lines = try fixture.refusal("mood", "calm", "--tag", "two\nlines", status: 64)
    #expect(lines.message.contains("one line"))
  }

  @Test func `tags are counted, added, removed and renamed, and all of it is taken back`() throws {
    let fixture = try CommandFixture.imported()
    let (first, second) = try (fixture.id("2025-05-17"), fixture.id("2025-04-02"))
    var dumps = [try CatalogDump(of: fixture)]
    let added = try fixture.json("tag", "add", "Spring", first, String(second.prefix(8)), first)
    #expect(added.texts("id") == [first, second])
    dumps.append(try CatalogDump(of: fixture))
    #expect(
      try fixture.json("tag", "add", "spring", first)["unchanged"] as? Int == 1)
    try fixture.json("tag", "rename", "SPRING", "early")
    let listed = try fixture.json("tag", "list").items
    #expect(listed.count == 1)
    #expect(listed.first?["tag"] as? String == "early")
    #expect(listed.first?["count"] as? Int == 2)
    #expect(listed.first?["lastDay"] as? String == "2025-05-17")
    #expect(try fixture.leaflog("tag").output.hasPrefix("early  2 entries  last "))
    dumps.append(try CatalogDump(of: fixture))
    #expect(try fixture.json("tag", "remove", "Early", first).items.count == 1)
    #expect(try fixture.json("photo", "list", "--tag", "early").texts("id") == [second])
    for kind in ["tagRemove", "tagRename", "tagAdd"] {
      #expect(try fixture.json("undo")["kind"] as? String == kind)
      let last = dumps.popLast()
      let dump = try #require(last)
      #expect(try CatalogDump(of: fixture).changes(since: dump).isEmpty)
    }
    let refusal = try fixture.refusal("tag", "rename", "early", "x", status: 1)
    #expect(refusal.code == "notFound")
    #expect(try fixture.leaflog("tag", "add", "x").status == 64)
    #expect(try fixture.leaflog("tag", "add", " ", first).status == 64)
  }

  @Test func `photos are favourites until they are none, and undo is exact`() throws {
    let fixture = try CommandFixture.imported()
    let id = try fixture.id("2025-05-17")
    let before = try CatalogDump(of: fixture)
    let marked = try fixture.json("photo", "favourite", id, try fixture.id("2025-04-02"))
    #expect(marked.items.count == 2)
    #expect((marked.items[0]["photo"] as? [String: Any])?["favourite"] as? Bool == true)
    #expect(try fixture.entries("--favourite").count == 2)
    #expect(try fixture.json("photo", "list", "--favourite", "--to", "2025-05-01").items.count == 1)
    #expect(try fixture.json("search", "basil", "--favourite").items.count == 1)
    #expect(try fixture.leaflog("timeline", "--favourite").output.contains("★"))
    #expect(try fixture.json("photo", "unfavourite", "--plant", "basil").items.count == 1)
    #expect(try fixture.entries("--favourite").count == 1)
    #expect(try fixture.json("photo", "unfavourite", id)["unchanged"] as? Int == 1)
    try fixture.json("undo")
    #expect(try fixture.entries("--favourite").count == 2)
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.leaflog("photo", "favourite").status == 64)
  }
}
