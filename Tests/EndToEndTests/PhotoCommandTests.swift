import Foundation
import TestSupport
import Testing

/// Editing, moving, deleting and restoring photos.
@Suite struct PhotoCommandTests {
  private let fixture: CommandFixture
  private let id: String

  init() throws {
    fixture = try CommandFixture.imported()
    id = try fixture.id("2025-05-17")
  }

  private func tomorrow() -> String {
    let day = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 3 * 86_400))
    return String(day.prefix(10))
  }

  @Test func `notes are set, replaced and removed`() throws {
    let note = "“First” <leaf> & 🌱\nsecond line"
    #expect(try fixture.json("photo", "edit", id, "--note", note)["notes"] as? String == note)
    #expect(try fixture.photo("2025-05-17")["notes"] as? String == note)
    let text = try fixture.leaflog("photo", "edit", id, "--note", "short").output
    #expect(text.contains("  short  "))
    #expect(text.hasSuffix("Changed 1 photo. `leaflog undo` undoes it.\n"))
    #expect(
      try fixture.leaflog("photo", "edit", id, "--note", "short").output
        == "1 photo needed no change.\n")
    #expect(try fixture.json("photo", "edit", id, "--note", "")["notes"] == nil)
  }

  @Test(
    arguments: [
      ("2025-05-03T07:08:09", "2025-05-03T07:08:09+01:00", "2025-05-03"),
      ("2025-05-03 7:08", "2025-05-03T07:08:00+01:00", "2025-05-03"),
      ("7:08", "2025-05-17T07:08:00+01:00", "2025-05-17"),
      ("07:08-05:00", "2025-05-17T07:08:00-05:00", "2025-05-17"),
      ("2025-05-03T23:30+05:30", "2025-05-03T23:30:00+05:30", "2025-05-03"),
      ("2025-05-03T23:30Z", "2025-05-03T23:30:00Z", "2025-05-03"),
      ("2025-05-03", "2025-05-03T12:00:06+01:00", "2025-05-03"),
    ])
  func
    `a time is taken as it is said, and the day, the time of day or the offset that is not stays`(
      said: String, recorded: String, day: String
    ) throws
  {
    let edited = try fixture.json("photo", "edit", id, "--at", said)
    #expect(edited["occurredAt"] as? String == recorded)
    #expect(edited["localDay"] as? String == day)
    #expect(edited.captureSource == "manual")
    #expect(try fixture.photo(day)["occurredAt"] as? String == recorded)
  }

  @Test(arguments: [
    "2025-13-01", "2025-02-30", "soon", "", "2025-05-03T25:00", "2025-05-03T10:00+99:00",
  ])
  func `a time that is none is refused`(said: String) throws {
    let before = try CatalogDump(of: fixture)
    #expect(try fixture.leaflog("photo", "edit", id, "--at", said).status == 64)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test(arguments: ["", "T09:30", "T09:30+02:00"])
  func `a time in the future is refused unless it is meant`(time: String) throws {
    let before = try CatalogDump(of: fixture)
    let at = tomorrow() + time
    let refusal = try fixture.refusal("photo", "edit", id, "--at", at, status: 13)
    #expect(refusal.code == "unconfirmed")
    #expect(refusal.message.contains("--allow-future"))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    let meant = try fixture.json("photo", "edit", id, "--at", at, "--allow-future")
    #expect((meant["occurredAt"] as? String)?.hasPrefix(at.prefix(16)) == true)
  }

  @Test func `photos are moved by their ids, several at once and each once`() throws {
    let other = try fixture.id("2025-04-02")
    let moved = try fixture.json(
      "photo", "move", String(id.prefix(6)), other.uppercased(), id, "--plant", "TOMATO")
    #expect(moved.texts("id") == [id, other])
    #expect(moved.items.compactMap(\.plantName) == ["tomato", "tomato"])
    #expect(moved["unchanged"] as? Int == 0)
    #expect(try fixture.entries("tomato").count == 6)
    let again = try fixture.json("photo", "move", id, "--plant", "tomato")
    #expect(again.items.isEmpty)
    #expect(again["unchanged"] as? Int == 1)
  }

  @Test func `photos are moved by plant and days`() throws {
    let moved = try fixture.json(
      "photo", "move", "--from-plant", "monstera", "--from", "2025-04-16", "--to", "2025-06-04",
      "--plant", "basil")
    #expect(moved.texts("localDay") == ["2025-04-16", "2025-05-07", "2025-06-04"])
    #expect(try fixture.entries("basil").count == 7)
    #expect(try fixture.entries("monstera").count == 2)
    #expect(
      try fixture.leaflog("photo", "move", id, "--from-plant", "basil", "--plant", "tomato").status
        == 64)
    #expect(try fixture.leaflog("photo", "move", "--plant", "tomato").status == 64)
    #expect(try fixture.leaflog("photo", "move", id).status == 64)
  }

  @Test func `deleting on a pipe says what would go and does nothing`() throws {
    let before = try CatalogDump(of: fixture)
    for arguments in [[id], ["--plant", "basil", "--to", "2025-05-20"], ["--from", "2025-06-01"]] {
      let result = try fixture.leaflog.run(["photo", "delete", "--json"] + arguments)
      #expect(result.status == 13)
      #expect(result.json.first?["dryRun"] as? Bool == true)
      let count = [1: 1, 4: 2, 2: 5][arguments.count]
      #expect(result.json.first?.items.count == count)
      let text = try fixture.leaflog.run(["photo", "delete"] + arguments)
      #expect(text.output.contains("Would move \(count ?? 0) photo"))
    }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `a deleted thing is in the trash, and restoring takes it out`() throws {
    let deleted = try fixture.json("photo", "delete", "--plant", "basil", "--yes")
    #expect(deleted["dryRun"] == nil)
    #expect(deleted.items.count == 4)
    #expect(deleted.items.allSatisfy { $0["deletedAt"] is String })
    #expect(try fixture.entries().count == 9)
    #expect(try fixture.entries("--deleted").count == 4)
    let restored = try fixture.json("photo", "restore", id)
    #expect(restored.texts("id") == [id])
    #expect(restored.items.first?["deletedAt"] == nil)
    #expect(try fixture.entries("--deleted").count == 3)
    #expect(try fixture.json("photo", "restore", "--plant", "basil").items.count == 3)
    #expect(try fixture.entries().count == 13)
    #expect(try fixture.json("photo", "restore", "--plant", "basil").items.isEmpty)
  }

  @Test(
    arguments: [
      ["photo", "edit", "ID", "--note", "x"], ["photo", "move", "ID", "--plant", "basil"],
      ["photo", "redate", "ID", "--shift", "1h"], ["photo", "delete", "ID", "--yes"],
      ["photo", "restore", "ID"], ["photo", "export", "ID", "-o", "/nonexistent"], ["show", "ID"],
      ["compare", "ID", "ID", "-o", "/nonexistent/a.png"],
    ])
  func `an unknown or ambiguous id names those that it could be`(arguments: [String]) throws {
    let before = try CatalogDump(of: fixture)
    for (id, code, candidates) in [
      ("4", "ambiguous", ["43746a8d", "43ce3c3f", "4d35cc69"]),
      ("43ffffff", "notFound", ["43746a8d", "43ce3c3f"]),
    ] {
      let line = arguments.map { $0 == "ID" ? id : $0 } + ["--json"]
      let result = try fixture.leaflog.run(line)
      #expect(result.status == 1)
      #expect(result.error.contains("\"code\":\"\(code)\""))
      #expect(candidates.allSatisfy(result.error.contains), "\(result.error)")
      #expect(result.error.contains("tomato, 2025-06-10"))
    }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `several photos are edited at once, and taken back at once`() throws {
    let other = try fixture.id("2025-04-02")
    let before = try CatalogDump(of: fixture)
    let edited = try fixture.json(
      "photo", "edit", id, String(other.prefix(8)), id, "--note", "both", "--tag", "pair",
      "--at", "2025-05-03")
    #expect(edited.texts("id") == [id, other])
    #expect(edited.texts("notes") == ["both", "both"])
    #expect(edited.items.map { $0["tags"] as? [String] } == [["pair"], ["pair"]])
    #expect(edited.texts("localDay") == ["2025-05-03", "2025-05-03"])
    #expect(Set(edited.texts("occurredAt")).count == 2)
    #expect(
      try fixture.refusal("photo", "edit", id, "ffff", "--note", "x", status: 1).code == "notFound")
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `photos are taken away from their plant`() throws {
    let before = try CatalogDump(of: fixture)
    let moved = try fixture.json("photo", "move", id, "--no-plant")
    #expect(moved.items.map { $0["plant"] == nil } == [true])
    #expect(try fixture.json("photo", "move", id, "--no-plant")["unchanged"] as? Int == 1)
    #expect(
      try fixture.leaflog("photo", "move", "--from-plant", "tomato", "--no-plant").output
        .contains("Moved 4 photos to no plant."))
    for _ in 0..<2 { try fixture.json("undo") }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.leaflog("photo", "move", id).status == 64)
    #expect(try fixture.leaflog("photo", "move", id, "--no-plant", "--plant", "basil").status == 64)
  }
}
