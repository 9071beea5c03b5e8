import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct CompareCommandTests {
  private func imported() throws -> (CommandFixture, [String: String]) {
    let fixture = try CommandFixture.imported(["Orientation", "Colour/grey.jpg", "Photos/basil"])
    var ids: [String: String] = [:]
    for entry in try fixture.entries() {
      let id = try #require(entry["id"] as? String)
      ids[try #require(try fixture.json("show", id)["originalName"] as? String)] = id
    }
    return (fixture, ids)
  }

  private func expectQuadrants(
    _ raster: Raster, x: Int, width: Int, height: Int, tolerance: Int, _ note: String
  ) throws {
    let known = try #require(Answers.all.orientation.first).quadrants
    for (color, horizontal, vertical) in [
      (known.topLeft, 1, 1), (known.topRight, 3, 1), (known.bottomLeft, 1, 3),
      (known.bottomRight, 3, 3),
    ] {
      let found = raster.color(x: x + width * horizontal / 4, y: height * vertical / 4)
      let difference = zip(found, color).map { abs($0 - $1) }.max() ?? 255
      #expect(
        difference <= tolerance, "\(note) at \(horizontal), \(vertical): \(found), not \(color)")
    }
  }

  @Test(arguments: [("png", 6), ("jpg", 12), ("webp", 16)])
  func `two photos stand side by side, upright and in their colours`(format: String, tolerance: Int)
    throws
  {
    let (fixture, ids) = try imported()
    let path = fixture.folder.file("both." + format)
    for number in 2...8 {
      let (first, second) = (try #require(ids["1.jpg"]), try #require(ids["\(number).jpg"]))
      let made = try fixture.json("compare", first, second, "-o", path)
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let raster = try Raster(data)
      #expect(
        [made["width"], made["height"]] as? [Int] == [raster.size.width, raster.size.height])
      #expect(raster.size == PixelSize(width: 324, height: 140))
      #expect(made["byteCount"] as? Int == data.count)
      try expectQuadrants(raster, x: 0, width: 160, height: 120, tolerance: tolerance, "first")
      try expectQuadrants(
        raster, x: 164, width: 160, height: 120, tolerance: tolerance, "\(number).jpg")
    }
  }

  @Test func `the first named stands on the left`() throws {
    let (fixture, ids) = try imported()
    let (colour, grey) = (try #require(ids["1.jpg"]), try #require(ids["grey.jpg"]))
    let path = fixture.folder.file("both.png")
    for (first, second, isColourLeft) in [(colour, grey, true), (grey, colour, false)] {
      try fixture.json("compare", first, second, "-o", path)
      let raster = try Raster(try Data(contentsOf: URL(fileURLWithPath: path)))
      let spreads = [40, 204].map { x in
        let color = raster.color(x: x, y: 30)
        return abs(color[0] - color[1])
      }
      #expect(spreads[isColourLeft ? 0 : 1] > 150, "\(spreads)")
      #expect(spreads[isColourLeft ? 1 : 0] < 5, "\(spreads)")
    }
  }

  @Test func `the days between are told, also backwards`() throws {
    let (fixture, ids) = try imported()
    let names = ["20250510T120006+0100.jpg", "20250531T120006+0100.jpg"]
    let (first, second) = (try #require(ids[names[0]]), try #require(ids[names[1]]))
    let path = fixture.folder.file("both.jpg")
    #expect(try fixture.json("compare", first, second, "-o", path)["days"] as? Int == 21)
    #expect(try fixture.json("compare", second, first, "-o", path)["days"] as? Int == -21)
    let text = try fixture.leaflog("compare", String(first.prefix(8)), second, "-o", path).output
    #expect(
      text.hasPrefix("Wrote \(path): 2407 × 964 px, ") && text.hasSuffix(", 21 days between.\n"),
      "\(text)")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(EXIFScan(jpeg: data) == nil)
    #expect(try fixture.leaflog("compare", first, second, "-o", path, "--quiet").output.isEmpty)
  }

  @Test func `a blend is half of each, at the size of the first`() throws {
    let (fixture, ids) = try imported()
    let (colour, grey) = (try #require(ids["1.jpg"]), try #require(ids["grey.jpg"]))
    let path = fixture.folder.file("blend.png")
    let made = try fixture.json("compare", colour, grey, "-o", path, "--blend")
    #expect([made["width"], made["height"]] as? [Int] == [160, 140])
    let raster = try Raster(try Data(contentsOf: URL(fileURLWithPath: path)))
    let known = try #require(Answers.all.orientation.first).quadrants
    let found = raster.color(x: 40, y: 30)
    let luma =
      0.299 * Double(known.topLeft[0]) + 0.587 * Double(known.topLeft[1]) + 0.114
      * Double(known.topLeft[2])
    // Between the two, and away from both.
    if made["aligned"] as? Bool == false {
      for (channel, value) in zip(found, known.topLeft) {
        #expect(abs(Double(channel) - (Double(value) + luma) / 2) < 8, "\(found)")
      }
    }
    #expect(abs(found[0] - known.topLeft[0]) > 20, "\(found)")
    #expect(found[0] - found[2] > 20, "\(found)")
  }

  @Test func `an output that cannot be written is refused and leaves nothing`() throws {
    let (fixture, ids) = try imported()
    let (first, second) = (try #require(ids["1.jpg"]), try #require(ids["6.jpg"]))
    let out = fixture.folder.file("out")
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    for (name, status, message) in [
      ("a.gif", Int32(64), ".jpg, .png or .webp"), ("a", 64, ".jpg, .png or .webp"),
      ("none/a.png", 1, "no such folder"), ("", 64, ".jpg"), (".", 64, ".jpg"),
    ] {
      let result = try fixture.leaflog("compare", first, second, "-o", out + "/" + name)
      #expect(result.status == status, "\(name): \(result.error)")
      #expect(result.error.contains(message), "\(name): \(result.error)")
    }
    try FileManager.default.createDirectory(
      atPath: out + "/b.png", withIntermediateDirectories: true)
    #expect(try fixture.leaflog("compare", first, second, "-o", out + "/b.png").status == 64)
    chmod(fixture.folder.path, 0o777)
    chmod(out, 0o555)
    let denied = try Unprivileged(fixture.leaflog)(
      "compare", first, second, "-o", out + "/a.png", "--json")
    #expect(denied.status == 1)
    #expect(denied.error.contains(out + "/a.png"))
    chmod(out, 0o755)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["b.png"])
    #expect(try fixture.leaflog("compare", first).status == 64)
    #expect(try fixture.leaflog("compare", first, second).status == 64)
  }
}

/// A picture file's pixels; of an animation the first frame's.
struct Raster {
  let size: PixelSize
  private let samples: [UInt8]

  init(_ data: Data) throws {
    let bytes = SharedBytes(copying: data)
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      throw ImagingError(.unsupported, "no image")
    }
    let photo = try PhotoFile(bytes: bytes, format: format).decode()
    size = photo.size
    samples = try photo.rgbSamples()
  }

  func color(x: Int, y: Int) -> [Int] {
    let at = 3 * (y * size.width + x)
    return samples[at..<(at + 3)].map(Int.init)
  }

  /// The mean over a rectangle.
  func difference(_ other: Raster, _ x: Range<Int>, _ y: Range<Int>) -> Double {
    let differences = y.flatMap { row in
      x.flatMap { column in
        zip(color(x: column, y: row), other.color(x: column, y: row)).map { Double(abs($0 - $1)) }
      }
    }
    return differences.reduce(0, +) / Double(differences.count)
  }
}
