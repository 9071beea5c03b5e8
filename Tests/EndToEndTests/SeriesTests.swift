import Foundation
import TestSupport
import Testing

/// Every verb on real series: 98 photos of windowsill-herbs, 35 of seedlings.
@Suite(.enabled(if: Fixtures.sharedPhotos != nil, "needs ../shared/photos"))
struct SeriesTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture.imported([(Fixtures.sharedPhotos ?? "") + "/series"])
  }

  private func out(_ name: String) -> String { fixture.folder.file(name) }

  @Test func `plants`() throws {
    let list = try fixture.json("plant", "list")
    #expect(list.texts("name") == ["seedlings", "windowsill-herbs"])
    #expect(list.items.map { $0["photoCount"] as? Int } == [35, 98])
    let seedlings = try fixture.json("plant", "show", "seedlings")
    #expect(seedlings["firstPhotoDay"] as? String == "2021-05-21")
    #expect(seedlings["lastPhotoDay"] as? String == "2021-06-24")
    #expect(seedlings["medianDaysBetweenPhotos"] as? Int == 1)
    let months = try #require(seedlings["months"] as? [[String: Any]])
    #expect(months.map { $0["bucket"] as? String } == ["2021-05", "2021-06"])
    #expect(months.map { $0["count"] as? Int } == [11, 24])
    let before = try CatalogDump(of: fixture)
    try fixture.json("plant", "edit", "seedlings", "--location", "Wohnzimmer")
    #expect(try fixture.json("search", "wohn")["plants"].map { ($0 as? [Any])?.count } == 1)
    try fixture.json("undo")
    #expect(try fixture.json("plant", "delete", "seedlings", status: 13)["dryRun"] as? Bool == true)
    #expect(
      try fixture.json("plant", "delete", "seedlings", "--yes")["entries"] as? [String: Int]
        == ["photo": 35])
    #expect(try fixture.json("undo").counts["photo"] == [0, 0, 35])
    let merged = try fixture.json(
      "plant", "edit", "seedlings", "--merge-into", "windowsill-herbs", "--yes")
    #expect(merged["entryCount"] as? Int == 35)
    #expect((merged["plant"] as? [String: Any])?["photoCount"] as? Int == 133)
    try fixture.json("undo")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    try fixture.json("plant", "add", "new")
    #expect(try fixture.json("plant", "delete", "new", "--yes")["dryRun"] == nil)
  }

  @Test func `photos`() throws {
    let before = try CatalogDump(of: fixture)
    let id = try #require(try fixture.entries("seedlings").last?["id"] as? String)
    #expect(try fixture.json("photo", "edit", id, "--note", "sown")["notes"] as? String == "sown")
    #expect(try fixture.json("search", "sown").texts("id") == [id])
    #expect(
      try fixture.json("photo", "redate", "--plant", "seedlings", "--shift", "-1d").items.count
        == 35)
    #expect(
      try fixture.json("plant", "show", "seedlings")["firstPhotoDay"] as? String == "2021-05-20")
    let named = try fixture.json("photo", "redate", "--plant", "seedlings", "--source", "filename")
    #expect(named.items.count == 35)
    #expect(
      try fixture.json("plant", "show", "seedlings")["firstPhotoDay"] as? String == "2021-05-21")
    let failed = try fixture.json(
      "photo", "redate", "--plant", "seedlings", "--source", "exif", status: 1)
    #expect((failed["failed"] as? [Any])?.count == 35)
    let moved = try fixture.json(
      "photo", "move", "--from-plant", "windowsill-herbs", "--from", "2021-08-01", "--plant",
      "seedlings")
    #expect(moved.items.count == 8)
    #expect(
      try fixture.json("photo", "delete", "--plant", "seedlings", status: 13)["dryRun"] as? Bool
        == true)
    #expect(try fixture.json("photo", "delete", "--plant", "seedlings", "--yes").items.count == 43)
    #expect(
      try fixture.json("photo", "restore", "--plant", "seedlings", "--to", "2021-05-31").items.count
        == 11)
    let kinds = try (0..<6).map { _ in try fixture.json("undo")["kind"] as? String }
    #expect(
      kinds == [
        "photoRestore", "photoDelete", "photoMove", "photoRedate", "photoRedate", "photoEdit",
      ])
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `export`() throws {
    let result = try fixture.leaflog(
      "photo", "export", "-o", out("export"), "--strip-location", "--json")
    #expect(result.status == 0)
    #expect(result.json.count == 134)
    #expect((result.json.last?["summary"] as? [String: Any])?["written"] as? Int == 133)
    #expect(fixture.folder.files(below: "export/seedlings").count == 70)
    #expect(fixture.folder.files(below: "export/windowsill-herbs").count == 196)
    #expect(fixture.folder.files(below: "export").contains("seedlings/2021-05-21_132131.jpg"))
  }

  @Test func `search in pages`() throws {
    var ids: [String] = []
    var page = try fixture.json("search", "windowsill", "--limit", "40")
    while true {
      ids += page.texts("id")
      guard let next = page["next"] as? String else { break }
      page = try fixture.json("search", "windowsill", "--limit", "40", "--before", next)
    }
    #expect(ids.count == 98)
    #expect(Set(ids).count == 98)
  }

  @Test func `compare`() throws {
    let entries = try fixture.entries("seedlings")
    let first = try #require(entries.last?["id"] as? String)
    let last = try #require(entries.first?["id"] as? String)
    for arguments in [[], ["--blend"]] {
      let line = ["compare", first, last, "-o", out("both.jpg"), "--json"] + arguments
      let made = try #require(try fixture.leaflog.run(line).json.first)
      #expect(made["days"] as? Int == 34)
      let raster = try Raster(try Data(contentsOf: URL(fileURLWithPath: out("both.jpg"))))
      #expect(
        [made["width"], made["height"]] as? [Int] == [raster.size.width, raster.size.height])
    }
  }

  /// The camera was moved once, after some fifty days.
  @Test func `a blend matches across months in which the camera stood still`() throws {
    let ids = try fixture.entries("windowsill-herbs").compactMap { $0["id"] as? String }
    #expect(ids.count == 98)
    for (first, second) in [(0, 40), (40, 0), (97, 60), (60, 97)] {
      let made = try fixture.json(
        "compare", ids[first], ids[second], "-o", out("both.jpg"), "--blend")
      #expect(made["aligned"] as? Bool == true, "\(first) and \(second)")
    }
  }

  @Test(arguments: [("seedlings", "film.webp", 35), ("windowsill-herbs", "film.gif", 98)])
  func `a time-lapse, nearly all of it aligned`(plant: String, name: String, count: Int) throws {
    let made = try fixture.json(
      "timelapse", plant, "-o", out(name), "--size", "240", "--date-stamp")
    #expect(made["frames"] as? Int == count)
    #expect(try #require(made["aligned"] as? Int) >= count * 8 / 10)
    #expect((made["failed"] as? [Any])?.isEmpty == true)
    let data = try Data(contentsOf: URL(fileURLWithPath: out(name)))
    let film = try #require(FilmStructure(webp: data) ?? FilmStructure(gif: data))
    #expect(film.frames.count == count)
    #expect(film.delays == Array(repeating: 100, count: count))
  }

  @Test(.enabled(if: FilmCommandTests.hasFFmpeg, "needs ffmpeg"))
  func `a time-lapse as MP4`() throws {
    let made = try fixture.json("timelapse", "seedlings", "-o", out("film.mp4"), "--size", "240")
    #expect(made["frames"] as? Int == 35)
    let film = try #require(
      FilmStructure(mp4: try Data(contentsOf: URL(fileURLWithPath: out("film.mp4")))))
    #expect(film.frames.count == 35)
  }
}
