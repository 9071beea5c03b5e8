import Foundation
import TestSupport
import Testing

/// Deleting and merging plants.
@Suite struct PlantRemovalTests {
  @Test func `deleting a plant with entries on a pipe says what would go and does nothing`() throws
  {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    let answer = try fixture.json("plant", "delete", "basil", status: 13)
    #expect(answer["dryRun"] as? Bool == true)
    #expect(answer["name"] as? String == "basil")
    #expect(answer["entries"] as? [String: Int] == ["photo": 4])
    let text = try fixture.leaflog("plant", "delete", "basil")
    #expect(text.status == 13)
    #expect(text.output.hasPrefix("Would delete basil and move 4 entries to the trash."))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `with --yes the plant goes, its photos go into the trash, and undo is exact`() throws {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    let answer = try fixture.json("plant", "delete", "basil", "--yes")
    #expect(answer["dryRun"] == nil)
    #expect(answer["entries"] as? [String: Int] == ["photo": 4])
    #expect(try fixture.json("plant", "list").texts("name") == ["monstera", "tomato"])
    #expect(try fixture.entries().count == 9)
    #expect(try fixture.entries("--deleted").count == 4)
    #expect(try fixture.leaflog("plant", "show", "basil").status == 1)
    let undone = try fixture.json("undo")
    #expect(undone.counts == ["plant": [0, 0, 1], "photo": [0, 0, 4]])
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `a plant without entries is not deleted unasked either`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    try fixture.json("plant", "add", "Ficus")
    let before = try CatalogDump(of: fixture)
    let refused = try fixture.json("plant", "delete", "ficus", status: 13)
    #expect(refused["dryRun"] as? Bool == true)
    #expect((refused["reason"] as? String)?.contains("--yes") == true)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    let answer = try fixture.json("plant", "delete", "ficus", "--yes")
    #expect(answer["dryRun"] == nil)
    #expect(answer["entries"] as? [String: Int] == [:])
    #expect(try fixture.json("plant", "list").texts("name") == ["basil"])
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(
      try fixture.leaflog("plant", "delete", "ficus", "--yes").output
        == "Deleted Ficus. `leaflog undo` undoes it.\n")
  }

  @Test func `restoring its photos brings a deleted plant back`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("plant", "delete", "basil", "--yes")
    let restored = try fixture.json("photo", "restore", "--plant", "basil", "--from", "2025-05-20")
    #expect(restored.items.count == 2)
    #expect(try fixture.json("plant", "show", "basil")["photoCount"] as? Int == 2)
    let refusal = try fixture.refusal("undo", "2", status: 1)
    #expect(refusal.code == "conflict")
    #expect(refusal.message.contains("changed again later"))
    #expect(refusal.message.contains("`leaflog undo 3`"))
  }

  @Test func `a deleted plant is listed, and comes back with what went with it`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("activity", "add", "water it", "--plant", "basil")
    try fixture.json("activity", "done", "water it")
    let early = try fixture.id("2025-05-10")
    try fixture.json("photo", "delete", early, "--yes")
    let before = try fixture.json("timeline")
    try fixture.json("plant", "delete", "basil", "--yes")
    let deleted = try fixture.json("plant", "list", "--deleted").items
    #expect(deleted.compactMap { $0["name"] as? String } == ["basil"])
    #expect(deleted.first?["photoCount"] as? Int == 4)
    #expect(deleted.first?["deletedAt"] is String)
    #expect(
      try fixture.leaflog("plant", "list", "--deleted").output.contains("deleted today"))
    let dump = try CatalogDump(of: fixture)

    let restored = try fixture.json("plant", "restore", "BASIL")
    #expect(restored["name"] as? String == "basil")
    #expect(restored["entryCount"] as? Int == 4)
    #expect(restored["deletedAt"] == nil)
    #expect(try fixture.json("timeline") as NSDictionary == before as NSDictionary)
    #expect(try fixture.json("activity", "list").items.count == 1)
    // What was deleted before stays where it is.
    #expect(try fixture.entries("--deleted").compactMap { $0["id"] as? String } == [early])
    #expect(try fixture.json("plant", "restore", "basil")["changed"] as? Bool == false)
    #expect(try fixture.json("undo").counts["photo"] == [3, 0, 0])
    #expect(try CatalogDump(of: fixture).changes(since: dump).isEmpty)

    try fixture.json("plant", "add", "Basil")
    let refusal = try fixture.refusal("plant", "restore", "basil", status: 1)
    #expect(refusal.code == "nameTaken")
    try fixture.json("plant", "rename", "basil", "Thai basil")
    try fixture.json("plant", "restore", "basil")
    #expect(try fixture.json("plant", "list", "--deleted").items.isEmpty)
    #expect(try fixture.refusal("plant", "restore", "fern", status: 1).code == "notFound")
  }

  @Test func `a plant whose name is taken is refused in its own spelling`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("plant", "delete", "basil", "--yes")
    try fixture.json("plant", "add", "BASIL")
    // The other one may be beyond what a token sees.
    let refused = try fixture.refusal("plant", "restore", "basil", status: 1)
    #expect(refused.code == "nameTaken")
    #expect(refused.message.contains("“basil”") && !refused.message.contains("BASIL"))
  }

  @Test func `undo does not take a name that another plant has by now`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("plant", "delete", "basil", "--yes")
    try fixture.json("plant", "add", "BASIL")
    let before = try CatalogDump(of: fixture)
    #expect(try fixture.refusal("undo", "2", status: 1).code == "nameTaken")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    try fixture.json("plant", "edit", "BASIL", "--name", "other")
    #expect(try fixture.json("undo", "2").counts["photo"] == [0, 0, 4])
  }

  @Test func `a merge gives all entries over, and undo is exact`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("plant", "edit", "basil", "--location", "sill", "--note", "sweet")
    try fixture.json("plant", "edit", "tomato", "--note", "red")
    try fixture.json("photo", "delete", try fixture.id("2025-05-10"), "--yes")
    let before = try CatalogDump(of: fixture)
    let dryRun = try fixture.json("plant", "edit", "basil", "--merge-into", "tomato", status: 13)
    #expect(dryRun["dryRun"] as? Bool == true)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    let merged = try fixture.json("plant", "edit", "basil", "--merge-into", "tomato", "--yes")
    #expect(merged["dryRun"] == nil)
    #expect((merged["plant"] as? [String: Any])?["photoCount"] as? Int == 7)
    let tomato = try fixture.json("plant", "show", "tomato")
    #expect(tomato["location"] as? String == "sill")
    #expect(tomato["notes"] as? String == "red\nsweet")
    #expect(try fixture.json("plant", "list").texts("name") == ["monstera", "tomato"])
    #expect(try fixture.entries("tomato", "--deleted").count == 1)
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    let itself = try fixture.refusal(
      "plant", "edit", "basil", "--merge-into", "BASIL", "--yes", status: 64)
    #expect(itself.code == "invalidRequest")
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
      "script(1) is not installed"))
  func `on a terminal it asks, and only yes does it`() throws {
    let fixture = try CommandFixture.imported()
    for (answer, isDone) in [("", false), ("n", false), ("maybe", false), ("y", true)] {
      let result = try fixture.leaflog.start(
        [
          "-c",
          "echo \(answer) | script -qec \"'\(Command.executable)' plant delete basil\" /dev/null",
        ], program: "/bin/sh"
      ).wait()
      #expect(result.status == 0)
      #expect(result.output.contains("Delete basil and move 4 entries to the trash? [y/N]"))
      #expect(try fixture.entries("--deleted").count == (isDone ? 4 : 0), "\(answer)")
      #expect(result.output.contains("Deleted basil and moved 4 entries to the trash.") == isDone)
    }
  }
}
