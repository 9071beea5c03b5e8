import Foundation
import TestSupport
import Testing

/// Lists, filters and neighbours.
@Suite struct ListCommandTests {
  @Test func `photo list shows photos as the timeline does, and nothing else`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("mood", "happy")
    let photos = try fixture.json("photo", "list")
    #expect(photos.items.count == 13)
    #expect(Set(photos.texts("kind")) == ["photo"])
    #expect(photos["previous"] is NSNull && photos["next"] is NSNull)
    let page = try fixture.json("photo", "list", "--plant", "basil", "--limit", "3")
    let next = try #require(page["next"] as? String)
    let rest = try fixture.json("photo", "list", "basil", "--limit", "3", "--before", next)
    #expect(page.items.count == 3 && rest.items.count == 1)
    #expect(
      page.texts("id") + rest.texts("id")
        == (try fixture.entries("basil").compactMap { $0["id"] as? String }))
    #expect(
      try fixture.json("photo", "list", "--from", "2025-07-01", "--oldest-first")
        .texts("localDay") == ["2025-07-01", "2025-07-05"])
    let months = try fixture.json("photo", "list", "--by", "month")["buckets"] as? [[String: Any]]
    #expect(months?.first?["bucket"] as? String == "2025-07")
    try fixture.json("photo", "delete", "--plant", "basil", "--yes")
    #expect(try fixture.json("photo", "list", "--deleted").items.count == 4)
    #expect(
      try fixture.leaflog("photo", "list").output
        == fixture.leaflog("timeline", "--kind", "photo").output)
  }

  @Test func `show tells the neighbours on the timeline, whatever their kind`() throws {
    let fixture = try CommandFixture.imported()
    let mood = try #require(try fixture.json("mood", "happy")["id"] as? String)
    let ids = try fixture.entries("--oldest-first").compactMap { $0["id"] as? String }
    #expect(ids.last == mood)
    for (index, id) in ids.enumerated() {
      let shown = try fixture.json("show", id)
      #expect(shown["previous"] as? String == (index > 0 ? ids[index - 1] : nil))
      #expect(shown["next"] as? String == (index + 1 < ids.count ? ids[index + 1] : nil))
    }
    #expect(try fixture.json("mood", "show", mood)["previous"] as? String == ids[12])
    #expect(try fixture.json("show", mood)["next"] is NSNull)
    let first = try fixture.json("photo", "show", ids[0])
    #expect(first["previous"] is NSNull && first["originalName"] is String)
    try fixture.json("photo", "delete", ids[1], "--yes")
    #expect(try fixture.json("show", ids[1])["next"] is NSNull)
    #expect(try fixture.json("show", ids[0])["next"] as? String == ids[2])
  }

  @Test func `a page around an entry has it in its middle`() throws {
    let fixture = try CommandFixture.imported()
    let ids = try fixture.entries().compactMap { $0["id"] as? String }
    func around(_ arguments: String...) throws -> [String] {
      let result = try fixture.leaflog.run(["timeline", "--json"] + arguments)
      return (result.json.first?["items"] as? [[String: Any]])?.compactMap {
        $0["id"] as? String
      } ?? []
    }
    #expect(try around("--around", ids[6], "--limit", "5") == Array(ids[4...8]))
    #expect(
      try around("--around", String(ids[6].prefix(6)).uppercased(), "--limit", "1") == [ids[6]])
    #expect(try around("--around", ids[0], "--limit", "3") == Array(ids[0...2]))
    // An entry that does not fit is a place all the same.
    #expect(try around("basil", "--around", ids[0], "--limit", "2").count == 2)
    #expect(try fixture.refusal("timeline", "--around", "00ff", status: 1).code == "notFound")
    #expect(try fixture.leaflog("timeline", "--around", "soon").status == 64)
  }

  @Test func `search is bounded by kind, plant and days`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("symptom", "add", "tomato rash", "--severity", "1")
    #expect(try fixture.json("search", "tomato").items.count == 5)
    #expect((try fixture.json("search", "tomato")["plants"] as? [Any])?.count == 1)
    #expect(try fixture.json("search", "tomato", "--kind", "symptom").items.count == 1)
    #expect(
      try fixture.json("search", "tomato", "--kind", "photo", "--kind", "symptom").items.count == 5)
    let spring = try fixture.json("search", "tomato", "--plant", "tomato", "--to", "2025-06-10")
    #expect(spring.texts("localDay") == ["2025-06-10", "2025-05-20"])
    #expect((spring["plants"] as? [Any])?.isEmpty == true)
    #expect(try fixture.json("search", "tomato", "--from", "2025-07-05").items.count == 2)
    #expect(try fixture.json("search", "tomato", "--plant", "basil").items.isEmpty)
    let page = try fixture.json("search", "tomato", "--kind", "photo", "--limit", "3")
    let next = try #require(page["next"] as? String)
    #expect(
      try fixture.json("search", "tomato", "--kind", "photo", "--before", next).items.count == 1)
  }

  @Test func `a mood alone is said, and no mood shows the day's`() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init", "--quiet").status == 0)
    #expect(try fixture.refusal("mood", status: 1).code == "notFound")
    #expect(try fixture.json("mood", "happy", "--note", "sun")["mood"] as? String == "happy")
    let shown = try fixture.json("mood")
    #expect(shown["mood"] as? String == "happy" && shown["notes"] as? String == "sun")
    #expect(try fixture.json("mood", "😢")["mood"] as? String == "sad")
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try fixture.json("mood")["mood"] as? String == "happy")
    #expect(try fixture.refusal("mood", "hapy", status: 64).message.contains("happy"))
    #expect(try fixture.leaflog("mood", "--note", "x").status == 64)
    #expect(try fixture.json("mood", "list")["counts"] as? [String: Int] == ["happy": 1])
  }
}
