import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// The table with a row for each photo.
@Suite struct PhotosCSVTests {
  private let fixture: ExchangeFixture
  private var library: Library { fixture.library }

  private static let header =
    "id,plant,plantDay,instant,localTime,utcOffset,basis,captureSource,localDay,originalName,width,height,"
    + "sourceByteCount,sourceDigest,meanLightness,isFavourite,tags,notes"

  init() throws { fixture = try ExchangeFixture() }

  /// Imports drawn photos named after their times, of plants.
  private func shoot(_ photos: [(plant: String, time: String)]) async throws -> [String: EntryID] {
    for (number, photo) in photos.enumerated() {
      try fixture.base.folder.write(
        DrawnFrame(lightness: 120).png(number), to: "photos/\(photo.plant)/\(photo.time).png")
    }
    _ = try await fixture.base.run()
    return try fixture.base.entries().reduce(into: [:]) { ids, entry in
      ids[String(try #require(entry.photo).originalName.dropLast(4))] = entry.id
    }
  }

  private func rows(of plant: PlantID? = nil, from first: String? = nil) throws -> [[String:
    String]]
  {
    let path = fixture.base.folder.file("photos.csv")
    _ = try DiaryExporter(library).writeCSV(
      .photo, of: plant, from: first.flatMap { LocalDay($0) }, to: nil, into: .file(path))
    let source = SourceText(
      name: path, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    let table = try CSVTable(source.bytes)
    let names = table.header.cells.map(\.text)
    #expect(names == Self.header.split(separator: ",").map(String.init))
    return table.records.map { record in
      Dictionary(uniqueKeysWithValues: zip(names, record.cells.map(\.text)))
    }
  }

  @Test func `a photo has its moment, the time on its clock and what is known of them`()
    async throws
  {
    let ids = try await shoot([
      ("fern", "20260301_120000"), ("fern", "20260302_120000"), ("fern", "20260303_120000"),
      ("fern", "20260304_120000"), ("fern", "20260305_120000"), ("fern", "20260306_120000"),
    ])
    for (name, time) in [
      "20260302_120000": RecordedTime("2026-03-02T12:20:00.250+05:30")!,
      "20260303_120000": .instant(EntryTime(RecordedTime("2026-03-03T12:40Z")!, in: .gmt).instant),
      "20260304_120000": .day(LocalDay("2026-03-04")!),
      "20260305_120000": RecordedTime("2026-04")!, "20260306_120000": RecordedTime("2027")!,
    ] {
      _ = try library.photos.edit(try #require(ids[name]), time: time, confirmed: [.future])
    }
    let rows = try rows()
    func column(_ name: String) -> [String?] { rows.map { $0[name] } }
    #expect(
      column("instant") == [
        "2026-03-01T11:00:00.000Z", "2026-03-02T06:50:00.250Z", "2026-03-03T12:40:00.000Z", "", "",
        "",
      ])
    #expect(
      column("localTime") == [
        "2026-03-01T12:00:00.000", "2026-03-02T12:20:00.250", "2026-03-03T13:40:00.000", "", "", "",
      ])
    #expect(column("utcOffset") == ["+01:00", "+05:30", "+01:00", "", "", ""])
    #expect(column("basis") == ["wall", "zoned", "instant", "day", "month", "year"])
    #expect(column("captureSource") == ["filename"] + Array(repeating: "manual", count: 5))
    #expect(column("localDay").first == "2026-03-01")
    // The first days of a month and of a year are where they are sorted.
    #expect(column("localDay").suffix(2) == ["2026-04-01", "2027-01-01"])
    #expect(column("plantDay") == ["1", "2", "3", "4", "", ""])
    #expect(column("originalName").first == "20260301_120000.png")
  }

  @Test func `a photo has its picture, and its words`() async throws {
    let ids = try await shoot([
      ("drought/basil", "20260301_120000"), ("drought/basil", "20260302_120000"),
    ])
    let id = try #require(ids["20260301_120000"])
    _ = try library.photos.edit(
      .photos([id]), notes: "=1+1, “two”\nlines", tags: ["first; flower", "x"], isFavourite: true)
    let row = try #require(try rows().first)
    let photo = try #require(try library.photos.find(id).entry.photo)
    #expect(row["id"] == id.description && row["plant"] == "basil")
    #expect(row["width"] == "8" && row["height"] == "8")
    #expect(row["sourceByteCount"] == "\(photo.sourceByteCount)")
    #expect(row["sourceDigest"] == photo.sourceDigest.hex)
    // 120 of 255, in 64 steps.
    #expect(row["meanLightness"] == "0.476")
    #expect(row["isFavourite"] == "yes" && row["tags"] == "first\\; flower; x")
    #expect(row["notes"] == "'=1+1, “two”\nlines")
  }

  @Test func `the rows are sorted as the timeline is, of one plant or of all, without the trash`()
    async throws
  {
    let ids = try await shoot([
      ("fern", "20260303_080000"), ("basil", "20260302_080000"), ("fern", "20260301_080000"),
      ("fern", "20260302_070000"), ("basil", "20260304_080000"),
    ])
    _ = try library.photos.delete(.photos([try #require(ids["20260304_080000"])]))
    #expect(
      try rows().map { $0["id"] }
        == fixture.base.entries(TimelineQuery(order: .oldestFirst)).map(\.id.description))
    let fern = try library.plants.find(matching: "fern").id
    #expect(try rows(of: fern).map { $0["plant"] } == ["fern", "fern", "fern"])
    #expect(try rows(of: fern, from: "2026-03-02").count == 2)
    let summary = try DiaryExporter(library).writeCSV(.photo, to: nil, into: .stream { _ in })
    #expect(summary.rowCounts == [.photo: 4] && summary.entryCount == 4)
  }

  @Test func `the tables of a diary are without it`() async throws {
    _ = try await shoot([("fern", "20260303_080000")])
    let folder = fixture.base.folder.file("tables")
    _ = try DiaryExporter(library).writeCSV(intoFolder: folder)
    #expect(!fixture.base.folder.files(below: "tables").contains("photos.csv"))
  }

  @Test(arguments: [
    (header, "other.csv"), (header, "photos.csv"), (header + ",treatment", "photos.csv"),
    ("id,plant,utcOffset", "joined.csv"), (header.replacing(",", with: ";"), "photos.csv"),
  ])
  func `the table is refused as what it is when a diary is imported`(
    _ columns: String, _ name: String
  ) throws {
    let error = try fixture.refusal(of: columns + "\r\n", as: name)
    #expect(
      error.message.hasSuffix(
        "this is the table of photos, which is not imported: photos come from their files."),
      "\(error.message)")
  }

  @Test(arguments: ["a,b", "Datum,Notiz,Wetter", "plant,notes", "id,width,height"])
  func `no other table is taken for it`(_ columns: String) throws {
    let error = try fixture.refusal(of: columns + "\r\n", as: "table.csv")
    #expect(!error.message.contains("table of photos"), "\(error.message)")
  }

  @Test func `a table of the diary may have its name`() throws {
    try fixture.readFixture("diary-1.json")
    let other = try ExchangeFixture()
    #expect(try other.read(fixture.csv(.mood), as: "photos.csv").added[.entry(.mood)] == 1)
  }

  @Test func `entries have their moment in JSON, and photos the name of their file`() async throws {
    let ids = try await shoot([("fern", "20260301_120000"), ("fern", "20260302_120000")])
    _ = try library.photos.edit(
      try #require(ids["20260302_120000"]), time: .day(LocalDay("2026-03-02")!))
    var (moments, names): ([String?], [String?]) = ([], [])
    for entry in try fixture.base.entries(TimelineQuery(order: .oldestFirst)) {
      let json = try JSONSerialization.jsonObject(with: Data(Entry.shown.json(entry)))
      let shown = try #require(json as? [String: Any])
      moments.append(shown["instant"] as? String)
      names.append((shown["photo"] as? [String: Any])?["originalName"] as? String)
    }
    #expect(moments == ["2026-03-01T11:00:00Z", nil])
    #expect(names == ["20260301_120000.png", "20260302_120000.png"])
  }
}
