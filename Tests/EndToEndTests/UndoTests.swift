import Foundation
import TestSupport
import Testing

/// `--undo` restores exactly what was.
@Suite struct UndoTests {
  static let changes: [(kind: String, arguments: [String])] = [
    ("photo edit", ["e5616ca3", "--note", "other", "--at", "2025-05-18T09:00"]),
    ("photo edit", ["ccae8cab", "--note", ""]),
    ("photo move", ["--from-plant", "basil", "--plant", "tomato"]),
    ("photo redate", ["--plant", "tomato", "--shift", "-3h"]),
    ("photo redate", ["--plant", "monstera", "--shift", "40d"]),
    ("photo redate", ["d1f687ba", "--time-zone", "Asia/Kolkata"]),
    ("photo delete", ["--from", "2025-05-20", "--yes"]),
    ("photo restore", ["--to", "2025-06-15"]),
    ("photo edit", ["1342c629", "--note", "late"]),
    ("plant edit", ["monstera", "--name", "Swiss cheese", "--note", "holes"]),
    ("plant edit", ["tomato", "--merge-into", "Swiss", "--yes"]),
    ("plant delete", ["Swiss", "--yes"]),
  ]

  private func run(_ fixture: CommandFixture, _ kind: String, _ arguments: [String]) throws
    -> Command.Result
  {
    try fixture.leaflog.start(kind.split(separator: " ").map(String.init) + arguments).wait()
  }

  @Test(arguments: changes.filter { $0.kind.hasPrefix("photo") && $0.kind != "photo restore" })
  func `one change`(kind: String, arguments: [String]) throws {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    #expect(try run(fixture, kind, arguments).status == 0)
    #expect(!(try CatalogDump(of: fixture).changes(since: before)).isEmpty)
    let undone = try run(fixture, kind, ["--undo", "--json"])
    #expect(undone.status == 0)
    #expect(undone.json.first?.items.isEmpty == false)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try run(fixture, kind, ["--undo"]).error == "leaflog: There is no `\(kind)` to undo.\n")
  }

  @Test func `many changes in reverse order, step by step`() throws {
    let fixture = try CommandFixture.imported()
    // One that has a name by which it is found, whatever it is called in between.
    var dumps: [CatalogDump] = []
    let monstera = try #require(try fixture.json("plant", "show", "monstera")["id"] as? String)
    for (kind, arguments) in Self.changes {
      dumps.append(try CatalogDump(of: fixture))
      let named = arguments.map { $0 == "Swiss" ? monstera : $0 }
      let result = try run(fixture, kind, named)
      #expect(result.status == 0, "\(kind) \(arguments): \(result.error)")
      #expect(
        !(try CatalogDump(of: fixture).changes(since: dumps[dumps.count - 1])).isEmpty, "\(kind)")
    }
    for ((kind, arguments), before) in zip(Self.changes, dumps).reversed() {
      let result = try run(fixture, kind, ["--undo"])
      #expect(result.status == 0, "\(kind) \(arguments): \(result.error)")
      #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty, "\(kind) \(arguments)")
    }
  }

  @Test func `what was changed again since is not undone, and says by what`() throws {
    let fixture = try CommandFixture.imported()
    #expect(try run(fixture, "photo redate", ["--plant", "basil", "--shift", "1h"]).status == 0)
    #expect(try run(fixture, "photo edit", ["e5616ca3", "--note", "x"]).status == 0)
    #expect(try run(fixture, "photo move", ["54432db0", "--plant", "tomato"]).status == 0)
    let before = try CatalogDump(of: fixture)
    let refusal = try fixture.refusal("photo", "redate", "--undo", status: 1)
    #expect(refusal.code == "conflict")
    #expect(refusal.message.contains("`photo move`"))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try run(fixture, "photo move", ["--undo"]).status == 0)
    #expect(
      try fixture.refusal("photo", "redate", "--undo", status: 1).message.contains("`photo edit`"))
    #expect(try run(fixture, "photo edit", ["--undo"]).status == 0)
    #expect(try run(fixture, "photo redate", ["--undo"]).status == 0)
  }

  @Test func `changes to other photos are not in the way`() throws {
    let fixture = try CommandFixture.imported()
    #expect(try run(fixture, "photo redate", ["--plant", "basil", "--shift", "1h"]).status == 0)
    #expect(try run(fixture, "photo edit", ["1342c629", "--note", "x"]).status == 0)
    #expect(try run(fixture, "photo redate", ["--undo"]).status == 0)
    #expect(try fixture.photo("2025-05-10")["occurredAt"] as? String == "2025-05-10T12:00:06+01:00")
    #expect(try fixture.photo("2025-04-02")["notes"] as? String == "x")
  }

  @Test(arguments: [
    "photo edit", "photo move", "photo delete", "photo restore", "plant edit", "plant delete",
  ])
  func `it goes alone, so that nobody thinks it is about the photo named`(kind: String) throws {
    let fixture = try CommandFixture.imported()
    #expect(try run(fixture, "photo delete", ["--plant", "basil", "--yes"]).status == 0)
    #expect(try run(fixture, "photo restore", ["--plant", "basil"]).status == 0)
    let before = try CatalogDump(of: fixture)
    let object = kind.hasPrefix("plant") ? "monstera" : "1342c629"
    #expect(try run(fixture, kind, [object, "--undo"]).status == 64)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }
}
