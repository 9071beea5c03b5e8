import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct QuoteCardTests {
  /// Lightness from 0 to 255.
  private func lightness(_ raster: Raster, x: Int, y: Int) -> Double {
    let color = raster.color(x: x, y: y).map(Double.init)
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]
  }

  private func raster(_ path: String) throws -> Raster {
    try Raster(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func `without a file it is a line of text`() throws {
    let fixture = try CommandFixture.imported()
    let text = try fixture.leaflog("quote", "share", "b1").output
    #expect(
      text == "“Great works are performed, not by strength, but perseverance.” — Samuel Johnson, "
        + "Rasselas, ch. 13\n")
    #expect(try fixture.json("quote", "share", "b1")["id"] as? String == "b1")
    let today = try fixture.json("quote", "share")
    #expect(try today["id"] as? String == fixture.json("quote")["id"] as? String)
    #expect(
      try fixture.json("quote", "share", "--on", "2025-05-10")["day"] as? String == "2025-05-10")
    #expect(try fixture.leaflog("quote", "share", "--on", "2999-01-01").status == 64)
    #expect(try fixture.leaflog("quote", "share", "nonesuch").status == 1)
  }

  @Test(arguments: ["jpg", "jpeg", "png", "webp"])
  func `with one it is drawn onto the latest photo of the day`(format: String) throws {
    let fixture = try CommandFixture.imported()
    let path = fixture.folder.file("card." + format)
    let photo = try fixture.photo("2025-05-10")
    let made = try fixture.json("quote", "share", "b1", "--on", "2025-05-10", "-o", path)
    #expect(made["photo"] as? String == photo["id"] as? String)
    #expect((made["quote"] as? [String: Any])?["id"] as? String == "b1")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(made["byteCount"] as? Int == data.count)
    let raster = try Raster(data)
    #expect([made["width"], made["height"]] as? [Int] == [raster.size.width, raster.size.height])
    #expect((1080...2048).contains(max(raster.size.width, raster.size.height)))
    for mark in ["Exif", "EXIF", "GPS", "http://ns.adobe.com", "ICC_PROFILE"] {
      #expect(data.range(of: Data(mark.utf8)) == nil, "\(mark)")
    }
    #expect(fixture.folder.files().allSatisfy { !$0.contains(".leaflog-") })
    // There already: it is replaced, as `compare` does.
    let other = try fixture.leaflog("quote", "share", "b2", "--on", "2025-05-10", "-o", path)
    #expect(other.output.hasPrefix("Wrote \(path): "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != data)
  }

  @Test func `a day without a photo has the latest before it, and an early one none`() throws {
    let fixture = try CommandFixture.imported()
    let path = fixture.folder.file("card.png")
    let before = try fixture.json("quote", "share", "--on", "2025-05-12", "-o", path)
    #expect(try before["photo"] as? String == fixture.id("2025-05-10"))
    let plain = try fixture.json("quote", "share", "--on", "1999-01-01", "-o", path)
    #expect(plain["photo"] is NSNull || plain["photo"] == nil)
    #expect([plain["width"], plain["height"]] as? [Int] == [1600, 1200])
    let text = try fixture.leaflog("quote", "share", "--on", "1999-01-01", "-o", path).output
    #expect(text.hasSuffix(", without a photo.\n"))
  }

  /// The colour of a photo, its shape, and what is drawn on it.
  @Test(
    arguments: [UInt8(255), 0, 128],
    [PixelSize(width: 600, height: 400), PixelSize(width: 300, height: 900)])
  func `text can be read on light and on dark, upright and across`(
    grey: UInt8, size: PixelSize
  ) throws {
    let fixture = try CommandFixture()
    let photo = fixture.folder.file("IMG_20250101_120000.png")
    try PixelCanvas(size: size, grey: grey).picture().write(to: photo, as: .png)
    try #require(try fixture.leaflog("import", photo, "--policy", "exact", "-q").status == 0)
    let path = fixture.folder.file("card.png")
    let long = try fixture.json("quote", "list", "--all", "--limit", "1000").items
      .max { ($0["text"] as? String)?.count ?? 0 < ($1["text"] as? String)?.count ?? 0 }
    for quote in ["b1", try #require(long?["id"] as? String)] {
      try fixture.json("quote", "share", quote, "--on", "2025-01-01", "-o", path)
      let card = try raster(path)
      let (width, height) = (card.size.width, card.size.height)
      #expect(max(width, height) == 1080)
      #expect(abs(Double(width) / Double(height) - Double(size.width) / Double(size.height)) < 0.11)
      var lit: [(x: Int, y: Int)] = []
      // Every third pixel: it is a debug build that looks.
      for y in stride(from: 0, to: height, by: 3) {
        for x in stride(from: 0, to: width, by: 3) where lightness(card, x: x, y: y) > 250 {
          lit.append((x, y))
        }
      }
      // White letters in the lower half or so, away from the edges, and nothing white behind them.
      let rows = try #require(lit.map(\.y).min())...(try #require(lit.map(\.y).max()))
      #expect(lit.count > 100)
      #expect(rows.lowerBound > height / 6 && rows.upperBound < height * 97 / 100, "\(rows)")
      #expect(lit.allSatisfy { $0.x > width / 25 && $0.x < width * 24 / 25 })
      let behind = rows.map { lightness(card, x: 2, y: $0) }
      #expect((behind.max() ?? 255) < 110, "\(grey): \(behind.max() ?? 0)")
      if grey == 255 { #expect(lightness(card, x: 5, y: 5) > 220) }
    }
  }

  @Test func `an output that cannot be written is refused and leaves nothing`() throws {
    let fixture = try CommandFixture.imported()
    let out = fixture.folder.file("out")
    try FileManager.default.createDirectory(
      atPath: out + "/b.png", withIntermediateDirectories: true)
    for (name, status, message) in [
      ("a.gif", Int32(64), ".jpg, .png or .webp"), ("a", 64, ".jpg, .png or .webp"),
      ("none/a.png", 1, "no such folder"), ("b.png", 64, "not a file"),
    ] {
      let result = try fixture.leaflog("quote", "share", "b1", "-o", out + "/" + name)
      #expect(result.status == status, "\(name): \(result.error)")
      #expect(result.error.contains(message), "\(name): \(result.error)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["b.png"])
  }

  @Test func `a photo whose file is damaged is told`() throws {
    let fixture = try CommandFixture.imported()
    for file in fixture.folder.files(below: "library/blobs") {
      chmod(fixture.folder.file("library/blobs/" + file), 0o644)
      try fixture.folder.write(Data("nothing".utf8), to: "library/blobs/" + file)
    }
    let path = fixture.folder.file("card.png")
    #expect(try fixture.refusal("quote", "share", "-o", path, status: 12).code == "damaged")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
