import Foundation
import TestSupport
import Testing

@Suite struct RedateCommandTests {
  private func times(_ result: [String: Any]) -> [String] { result.texts("occurredAt") }

  private func failures(_ result: [String: Any]) -> [String] {
    (result["failed"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  @Test(
    arguments: [
      ("1h", "2025-05-10T13:00:06+01:00", "2025-06-20T17:30:00Z"),
      ("-1h30m", "2025-05-10T10:30:06+01:00", "2025-06-20T15:00:00Z"),
      ("-2d", "2025-05-08T12:00:06+01:00", "2025-06-18T16:30:00Z"),
      ("1w1d1h1m1s", "2025-05-18T13:01:07+01:00", "2025-06-28T17:31:01Z"),
      ("-13h", "2025-05-09T23:00:06+01:00", "2025-06-20T03:30:00Z"),
    ])
  func `a shift moves wall times and keeps offsets`(
    shift: String, basil: String, tomato: String
  ) throws {
    let fixture = try CommandFixture.imported()
    let result = try fixture.json(
      "photo", "redate", fixture.id("2025-05-10"), fixture.id("2025-06-20"), "--shift", shift)
    #expect(times(result) == [basil, tomato])
    #expect(result.items.map(\.captureSource) == ["manual", "manual"])
    #expect(result.texts("localDay")[0] == basil.prefix(10))
    #expect(try fixture.entries().contains { $0["occurredAt"] as? String == basil })
    #expect(failures(result).isEmpty)
  }

  @Test(arguments: ["1", "h", "", "1h-2m", "--1h", "9999999999d", "1 h", "1y", "٣h"])
  func `a shift that is none is refused`(shift: String) throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let before = try CatalogDump(of: fixture)
    let result = try fixture.leaflog("photo", "redate", "--plant", "basil", "--shift", shift)
    #expect(result.status == 64)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `an hour that was there twice is told, with the command that says which it was`()
    throws
  {
    let fixture = try CommandFixture()
    try #require(try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
    for (number, name) in ["20251026_022000", "20251026_023000"].enumerated() {
      try fixture.folder.write(
        DrawnFrame(lightness: 90).png(number), to: "photos/fern/\(name).png")
    }
    let imported = try fixture.leaflog("import", fixture.folder.file("photos"))
    #expect(
      imported.output.contains(
        "2 photos: the clocks went back and showed the time twice; the file's time decided if it was near, "
          + "else the first was taken. `leaflog photo redate ID … --time-zone OFFSET`, such as +01:00, "
          + "tells which it was.\n"), "\(imported.output)")
    let ids = try fixture.json("photo", "list")["items"] as? [[String: Any]]
    let id = try #require(ids?.last?["id"] as? String)
    let result = try fixture.json("photo", "redate", id, "--time-zone", "+01:00")
    #expect(times(result) == ["2025-10-26T02:20:00+01:00"])
    let names = try fixture.json("photo", "list", "--oldest-first")["items"] as? [[String: Any]]
    #expect(names?.last?["id"] as? String == id)
    #expect(try fixture.json("photo", "show", id)["warnings"] as? [String] == [])
  }

  @Test func `a zone is added where none was recorded, summer time and all`() throws {
    let fixture = try CommandFixture.imported()
    let result = try fixture.json(
      "photo", "redate", "--plant", "tomato", "--time-zone", "Europe/Berlin")
    #expect(
      times(result)
        == ["2025-06-10T18:31:10+02:00", "2025-06-20T18:30:00+02:00", "2025-07-05T19:05:00+02:00"])
    // Where the dates are known from has not changed.
    #expect(result.items.map(\.captureSource) == ["exif", "takeout", "filename"])
    #expect(result["unchanged"] as? Int == 1)
    let again = try fixture.json(
      "photo", "redate", "--plant", "tomato", "--time-zone", "Asia/Tokyo")
    #expect(again.items.isEmpty)
    #expect(again["unchanged"] as? Int == 4)
    #expect(
      try fixture.leaflog("photo", "redate", "--plant", "tomato", "--time-zone", "Moon").status
        == 64)
  }

  @Test func `EXIF, where there is one; the others fail by name and nothing else does`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("photo", "redate", "--source", "exif", "--plant", "monstera")
    try fixture.json("photo", "edit", fixture.id("2025-06-10"), "--at", "2025-06-11")
    let arguments = ["photo", "redate", "--plant", "tomato", "--source", "exif"]
    let result = try fixture.json(
      "photo", "redate", "--plant", "tomato", "--source", "exif", status: 3)
    #expect(times(result) == ["2024-01-01T00:00:00", "2025-06-10T18:31:10"])
    let failed = [try fixture.id("2025-06-20"), try fixture.id("2025-07-05")]
    #expect(failures(result) == failed)
    let text = try fixture.leaflog.run(arguments)
    #expect(text.status == 3)
    #expect(
      text.error
        == failed.map { String($0.prefix(8)) }.joined(separator: ", ") + ": Its EXIF has no date.\n"
    )
    let none = try fixture.json(
      "photo", "redate", "--plant", "basil", "--source", "exif", status: 1)
    #expect(failures(none).count == 4)
  }

  @Test func `the name of the imported file`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("photo", "redate", "--plant", "basil", "--shift", "400d", "--allow-future")
    let result = try fixture.json("photo", "redate", "--plant", "basil", "--source", "filename")
    #expect(times(result).first == "2025-05-10T12:00:06+01:00")
    #expect(result.items.map(\.captureSource) == Array(repeating: "filename", count: 4))
    #expect(
      try fixture.entries("basil").compactMap { $0["localDay"] as? String }.last == "2025-05-10")
    let partly = try fixture.json(
      "photo", "redate", "--plant", "tomato", "--source", "filename", status: 3)
    #expect(times(partly) == ["2025-06-20T16:30:00.123Z"])
    #expect(failures(partly).count == 2)
  }

  @Test func `a sidecar as it is now`() throws {
    let fixture = try CommandFixture()
    for name in ["DSC_0101.jpg", "DSC_0101.xmp", "DSC_0102.jpg"] {
      try fixture.folder.copy("Photos/tomato/\(name)", to: "photos/tomato/\(name)")
    }
    #expect(try fixture.leaflog("import", "-q", fixture.photos).status == 0)
    let first = try fixture.id("2025-05-20")
    let sidecar = try String(decoding: Fixtures.data("Photos/tomato/DSC_0101.xmp"), as: UTF8.self)
      .replacingOccurrences(of: "2025-05-20T18:30:00+02:00", with: "2025-05-21T06:07:08+03:00")
    try fixture.folder.write(Data(sidecar.utf8), to: "photos/tomato/DSC_0101.xmp")
    let result = try fixture.json(
      "photo", "redate", "--plant", "tomato", "--source", "sidecar", status: 3)
    #expect(times(result) == ["2025-05-21T06:07:08+03:00"])
    #expect(failures(result) == [try fixture.id("2025-06-10")])
    // The photo itself may be gone, its sidecar not.
    try FileManager.default.removeItem(atPath: fixture.photos + "/tomato/DSC_0101.jpg")
    #expect(
      try fixture.json("photo", "redate", first, "--source", "sidecar")["unchanged"] as? Int == 1)
    try FileManager.default.removeItem(atPath: fixture.photos)
    #expect(
      failures(try fixture.json("photo", "redate", first, "--source", "sidecar", status: 1)) == [
        first
      ])
  }

  @Test func `the modification time that the file had`() throws {
    let fixture = try CommandFixture()
    let path = try fixture.folder.copy(
      "Photos/basil/20250510T120006+0100.jpg", to: "photos/20250510T120006+0100.jpg")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    #expect(try fixture.leaflog("import", "-q", path).status == 0)
    try FileManager.default.removeItem(atPath: path)
    let result = try fixture.json("photo", "redate", "--to", "2030-01-01", "--source", "mtime")
    #expect(times(result) == ["2023-11-14T22:13:20Z"])
  }

  @Test func `times in the future fail unless they are meant`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let before = try CatalogDump(of: fixture)
    let arguments = ["photo", "redate", "--plant", "basil", "--shift", "5000d"]
    let refused = try fixture.leaflog.run(arguments + ["--json"])
    #expect(refused.status == 1)
    #expect(failures(try #require(refused.json.first)).count == 4)
    #expect(refused.output.contains("--allow-future"))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.leaflog.run(arguments + ["--allow-future"]).status == 0)
    #expect(try fixture.entries().compactMap { $0["localDay"] as? String }.last == "2039-01-17")
  }

  @Test func `a shift out of the calendar fails for the photo that it is too much for`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    try fixture.json("photo", "edit", fixture.id("2025-05-10"), "--at", "0001-01-05")
    let result = try fixture.json(
      "photo", "redate", "--plant", "basil", "--shift", "-9d", status: 3)
    #expect(result.items.count == 3)
    #expect(failures(result).count == 1)
    try fixture.json("photo", "edit", "e5616ca3", "--at", "9900-01-01", "--allow-future")
    let future = try fixture.leaflog(
      "photo", "redate", "--plant", "basil", "--shift", "360000d", "--allow-future")
    #expect(future.status == 3)
    #expect(future.error.contains("in the year 10885"), "\(future.error)")
  }

  @Test func `one way to redate at a time, of photos that are named`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let before = try CatalogDump(of: fixture)
    for arguments in [
      ["--plant", "basil"], ["--shift", "1h"],
      ["--plant", "basil", "--shift", "1h", "--source", "exif"],
      ["--plant", "basil", "--source", "manual"],
      ["54", "--plant", "basil", "--shift", "1h"],
    ] {
      #expect(
        try fixture.leaflog.run(["photo", "redate"] + arguments).status == 64,
        "\(arguments)")
    }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }
}
