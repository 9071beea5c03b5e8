import DiaryModel
import Foundation
import TestSupport
import Testing

/// `leaflog repair --thumbnails`
@Suite struct ThumbnailCommandTests {
  private let fixture: CommandFixture
  /// A photo of monstera, and one of basil.
  private let wrong: [String]

  init() throws {
    fixture = try CommandFixture.imported()
    let entries = try fixture.entries()
    wrong = try ["monstera", "basil"].map { name in
      let photo = entries.first { ($0["plant"] as? [String: Any])?["name"] as? String == name }
      return try #require(photo?["id"] as? String)
    }
    for id in wrong {
      try WrongThumbnail.plant(in: fixture.folder.file("library"), for: EntryID(stored: id))
    }
  }

  @Test func `wrong thumbnails are replaced and named, and undo brings them back`() throws {
    let before = try CatalogDump(of: fixture)
    let result = try fixture.leaflog("repair", "--thumbnails", "--json")
    #expect(result.status == 0 && result.error.isEmpty)
    let lines = result.json
    #expect(Set(lines.compactMap { $0["photo"] as? String }) == Set(wrong))
    #expect(lines.compactMap { $0["outcome"] as? String } == ["replaced", "replaced"])
    let summary = lines.last?["summary"] as? [String: Int]
    #expect(summary == ["replaced": 2, "unchanged": 11, "failed": 0])
    let again = try fixture.leaflog("repair", "--thumbnails")
    #expect(again.output == "13 thumbnails came out as before.\n")
    let change = try #require(try fixture.json("history").items.first)
    #expect(change["kind"] as? String == "repairThumbnails")
    #expect(change["command"] as? String == "repair --thumbnails")
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `the photos of one plant alone`() throws {
    let result = try fixture.leaflog("repair", "--thumbnails", "monstera")
    #expect(
      result.output
        == "Replaced 1 of 5 thumbnails. `leaflog undo` brings the former ones back, until "
        + "`leaflog prune` removes them.\n")
    let rest = try fixture.leaflog("repair", "--thumbnails", "--plant", "basil", "--json")
    #expect(rest.json.compactMap { $0["photo"] as? String } == [wrong[1]])
  }

  @Test(arguments: [["basil"], ["--thumbnails", "--from", "elsewhere"], ["--plant", "basil"]])
  func `options that do not go together are wrong usage`(arguments: [String]) throws {
    let result = try fixture.leaflog.run(["repair"] + arguments)
    #expect(result.status == 64 && result.output.isEmpty)
  }

  @Test func `a photo that cannot be read is named, and the others are done`() throws {
    let photo = try fixture.json("show", wrong[0])
    let renditions = photo["renditions"] as? [[String: Any]]
    let original = renditions?.first { $0["role"] as? String == "original" }
    let path = try #require(original?["path"] as? String)
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let result = try fixture.leaflog("repair", "--thumbnails")
    #expect(result.status == 3)
    #expect(result.error.hasPrefix(wrong[0].prefix(8)), "\(result.error)")
    #expect(result.output.hasPrefix("Replaced 1 of 13 thumbnails."))
    #expect(result.output.hasSuffix("1 photo failed; see above.\n"))
  }
}
