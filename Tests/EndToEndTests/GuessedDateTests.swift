import Foundation
import TestSupport
import Testing

@Suite struct GuessedDateTests {
  private func warnings(_ result: Command.Result, of name: String) -> [String]? {
    let line = result.json.first { ($0["path"] as? String)?.hasSuffix("/" + name) == true }
    #expect(line?["outcome"] as? String == "added", "\(name): \(line ?? [:])")
    return line?["warnings"] as? [String]
  }

  @Test func `dates that are only files' times are counted, until they are corrected`() throws {
    let fixture = try CommandFixture()
    for name in ["alpha.png", "grey.jpg"] {
      try fixture.folder.copy("Colour/" + name, to: "photos/fern/" + name)
    }
    let dry = try fixture.leaflog("import", fixture.photos, "--dry-run")
    #expect(dry.output.contains("2 dates are guesses, from the files' times."))
    let result = try fixture.leaflog("import", fixture.photos, "--json")
    #expect(warnings(result, of: "alpha.png") == ["dateIsFileTime"])
    let summary = result.json.last?["summary"] as? [String: Any]
    #expect(summary?["guessedDates"] as? Int == 2)
    let id = try #require(result.json.first?["photo"] as? String)
    let note = "the date is a guess, from the file's time"
    #expect(try fixture.leaflog("show", id).output.contains(note))
    #expect(try fixture.leaflog("photo", "edit", id, "--at", "2025-05-06T07:08").status == 0)
    #expect(try !fixture.leaflog("show", id).output.contains(note))
  }

  @Test func `the source of a guess is said, and what it is worth`() throws {
    let fixture = try CommandFixture()
    var builder = TIFFBuilder()
    builder.main = [(0x0132, .ascii("2021:05:03 09:05:00"))]
    let plain = try Fixtures.data("Colour/srgb.jpg")
    try fixture.folder.write(
      Data(EmbeddedMetadata.jpeg(plain, exif: builder)), to: "photos/scan.jpg")
    let path = try fixture.folder.write(
      Fixtures.data("Colour/grey.jpg"), to: "photos/later.jpg")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: path)
    let result = try fixture.leaflog("import", fixture.photos, "--json")
    #expect(warnings(result, of: "scan.jpg") == ["dateIsChangeTime"])
    #expect(warnings(result, of: "later.jpg") == ["dateIsImportTime"])
    let summary = result.json.last?["summary"] as? [String: Any]
    #expect(summary?["guessedDates"] as? Int == 2)
    let shown = try result.json.compactMap { $0["photo"] as? String }
      .map { try fixture.leaflog("show", $0).output }.joined()
    #expect(shown.contains("2021-05-03T09:05:00 (zone not recorded), from EXIF DateTime"))
    #expect(shown.contains("from the time of the import"))
    #expect(shown.contains("a program last changed the file; the photo may be older"))
    let text = try fixture.leaflog(
      "import", fixture.photos, "--dry-run", "--library", fixture.folder.file("other"))
    #expect(!text.output.contains("from the file's time"))
  }

  @Test func `a date in a thirteenth month is said`() throws {
    let fixture = try CommandFixture()
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2025:13:06 07:08:09"))]
    let file = builder.added(to: Array(try Fixtures.data("Colour/rgb.tif")))
    try fixture.folder.write(Data(file), to: "photos/leaf.tif")
    let result = try fixture.leaflog("import", fixture.photos, "--json")
    #expect(warnings(result, of: "leaf.tif") == ["dateIsFileTime", "dateUnreadable"])
    let text = try fixture.leaflog(
      "import", fixture.photos, "--dry-run", "--library", fixture.folder.file("other"))
    #expect(text.output.contains("1 date is a guess, from the file's time."))
    #expect(text.output.contains("1 photo: a date could not be read."))
  }

  @Test func `a TIFF has the date of its EXIF, and redating finds it in the compressed copy`()
    throws
  {
    let fixture = try CommandFixture()
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2025:05:06 07:08:09")), (0x9011, .ascii("+02:00"))]
    let file = builder.added(to: Array(try Fixtures.data("Colour/rgb.tif")))
    try fixture.folder.write(Data(file), to: "photos/leaf.tif")
    let result = try fixture.leaflog("import", fixture.photos, "--json")
    #expect(result.json.first?["capturedAt"] as? String == "2025-05-06T07:08:09+02:00")
    let id = try #require(result.json.first?["photo"] as? String)
    #expect(try fixture.leaflog("photo", "edit", id, "--at", "2024-01-01").status == 0)
    #expect(try fixture.leaflog("photo", "redate", id, "--source", "exif").status == 0)
    #expect(try fixture.entries().first?["occurredAt"] as? String == "2025-05-06T07:08:09+02:00")
  }

  @Test func `no sidecar and no time of a file ends an import`() throws {
    let fixture = try CommandFixture()
    let names = ["name.jpg", "depth.jpg", "takeout.jpg", "later.jpg"]
    for (index, name) in names.enumerated() {
      try fixture.folder.write(
        Fixtures.data("Colour/srgb.jpg") + Data(repeating: 0, count: index), to: "photos/" + name)
    }
    let broken = Array("<rdf:Descrip".utf8) + [0xF4] + Array("tion/>".utf8)
    try fixture.folder.write(Data(broken), to: "photos/name.jpg.xmp")
    try fixture.folder.write(
      Data(String(repeating: "<a>", count: 500_000).utf8), to: "photos/depth.jpg.xmp")
    try fixture.folder.write(
      Data(#"{"photoTakenTime": {"timestamp": "9223372036854775807"}}"#.utf8),
      to: "photos/takeout.jpg.json")
    for (index, year) in [2300, 1600].enumerated() {
      let time = timespec(tv_sec: (year - 1970) * 31_556_952, tv_nsec: 0)
      let path = fixture.photos + "/" + names[index + 2]
      #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
    let result = try fixture.leaflog("import", fixture.photos, "--json")
    #expect(result.status == 0, "\(result.error.suffix(500))")
    for name in names.prefix(2) {
      #expect(warnings(result, of: name)?.contains("sidecarUnreadable") == true)
    }
    #expect(warnings(result, of: "takeout.jpg")?.contains("dateUnreadable") == true)
    #expect(warnings(result, of: "takeout.jpg")?.contains("dateIsImportTime") == true)
    #expect(warnings(result, of: "later.jpg")?.contains("dateIsImportTime") == true)
    #expect(try fixture.entries().count == 4)
  }
}
