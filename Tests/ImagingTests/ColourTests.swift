import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// Colours that a file tells by numbers, and samples wider than 16 bits.
@Suite struct ColourTests {
  private func bigEndian(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  /// The colour that a viewer sees in the middle of a picture.
  private func shown(_ file: [UInt8], tolerance: Int = 3) throws -> [Int] {
    let photo = try photoFile(file).decode()
    let pixels = try [photo.thumbnail().image, photo.preview()].map {
      let picture = try decoded($0)
      return try picture.pixel(x: picture.size.width / 4, y: picture.size.height / 4).map(Int.init)
    }
    #expect(zip(pixels[0], pixels[1]).allSatisfy { abs($0 - $1) <= tolerance }, "\(pixels)")
    return pixels[0]
  }

  private func expect(_ file: [UInt8], _ colour: [Int]) throws {
    let found = try shown(file)
    #expect(
      zip(found, colour).allSatisfy { abs($0 - $1) <= 4 } && found.count == colour.count,
      "\(found) instead of \(colour)")
  }

  private func png(_ chunks: [(String, [UInt8])]) throws -> [UInt8] {
    chunks.reduce(PlainPNG.of([200, 100, 50])) {
      EmbeddedMetadata.png($0, $1.0, $1.1, .beforePixels)
    }
  }

  private static let sRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
  private static let displayP3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]

  @Test func `a PNG's gamma and primaries are converted`() throws {
    let plain = [200, 100, 50]
    try expect(png([]), plain)
    try expect(png([("gAMA", bigEndian([45_455]))]), plain)
    try expect(png([("gAMA", bigEndian([45_455])), ("cHRM", bigEndian(Self.sRGB))]), plain)
    // Light itself: 255 (v / 255) ^ (1 / 2.4), nearly.
    try expect(png([("gAMA", bigEndian([100_000]))]), [229, 168, 122])
    let wide = try shown(png([("cHRM", bigEndian(Self.displayP3))]))
    #expect(wide[0] > 208 && wide[1] < 100 && wide[2] < 45, "\(wide)")
    let codes = try shown(png([("cICP", [12, 13, 0, 1])]))
    #expect(zip(wide, codes).allSatisfy { abs($0 - $1) <= 3 }, "\(codes)")
  }

  @Test func `sRGB and a profile come before gamma and primaries`() throws {
    try expect(png([("gAMA", bigEndian([100_000])), ("sRGB", [0])]), [200, 100, 50])
  }

  @Test func `a grey PNG's gamma is converted`() throws {
    let file = EmbeddedMetadata.png(
      PlainPNG.of([100]), "gAMA", bigEndian([100_000]), .beforePixels)
    try expect(file, [168, 168, 168])
  }

  @Test(arguments: [[], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1]] as [[UInt8]])
  func `numbers that make no sense change nothing`(gamma: [UInt8]) throws {
    try expect(png([("gAMA", gamma)]), [200, 100, 50])
    let nonsense = Array(repeating: 0, count: 8)
    try expect(
      png([("cHRM", bigEndian(nonsense)), ("gAMA", bigEndian([45_455]))]), [200, 100, 50])
  }

  @Test func `a compressed copy keeps the colours`() throws {
    let file = EmbeddedMetadata.png(
      EmbeddedMetadata.wavyPNG, "gAMA", bigEndian([55_556]), .beforePixels)
    let photo = try photoFile(file)
    let master = try #require(
      try photo.decode().master(of: photo, target: .standard, maxByteCount: .max))
    // Waves, of which lossy copies differ a little.
    let copy = try shown(master.bytes.withUnsafeBytes { Array($0) }, tolerance: 16)
    #expect(try zip(copy, shown(file, tolerance: 16)).allSatisfy { abs($0 - $1) <= 16 })
  }

  /// A TIFF of one colour, of 64 pixels a side.
  private func tiff(_ pixel: [Float], times factor: Float = 1) -> [UInt8] {
    let samples = Array(repeating: pixel.map { $0 * factor }, count: 64 * 64).flatMap { $0 }
    return tiff(
      samples.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } },
      bandCount: pixel.count, format: 3)
  }

  private func tiff(_ samples: [UInt8], bandCount: Int, format: UInt32) -> [UInt8] {
    var builder = TIFFBuilder()
    let fields: [(UInt16, UInt32)] = [
      (0x0100, 64), (0x0101, 64), (0x0103, 1), (0x0106, bandCount == 1 ? 1 : 2),
      (0x0111, 0), (0x0115, UInt32(bandCount)), (0x0116, 64), (0x0117, UInt32(samples.count)),
    ]
    builder.main = fields.map { ($0.0, .long($0.1)) }
    builder.main.insert(
      (0x0102, .longs(Array(repeating: 32, count: bandCount))), at: 2)
    builder.main.append((0x0153, .longs(Array(repeating: format, count: bandCount))))
    let start = builder.block.count
    builder.main[5] = (0x0111, .long(UInt32(start)))
    return builder.block + samples
  }

  @Test func `floating-point samples are shown as samples of 8 bits would be`() throws {
    let colour: [Float] = [0.8, 0.5, 0.25]
    let expected = [204, 128, 64]
    try expect(tiff(colour), expected)
    try expect(tiff(colour, times: 255), expected)
    try expect(tiff(colour, times: 65_535), expected)
    try expect(tiff([0.5]), [128])
    try expect(tiff([0.5], times: 255), [128])
    try expect(tiff([.nan, 0.5, 3]), [0, 128, 255])
    #expect(try !photoFile(tiff(colour)).decode().isPlain)
  }

  @Test func `integers of 32 bits are shown as samples of 8 bits would be`() throws {
    let sample = withUnsafeBytes(of: (UInt32.max / 2).littleEndian) { Array($0) }
    try expect(
      tiff(Array(repeating: sample, count: 64 * 64).flatMap { $0 }, bandCount: 1, format: 1), [127])
  }
}

/// A PNG of one colour, of 96 x 64 pixels.
private enum PlainPNG {
  static func of(_ colour: [UInt8]) -> [UInt8] {
    let pixels = Array(repeating: colour, count: 96).flatMap { $0 }
    let rows = Array(repeating: [0 as UInt8] + pixels, count: 64).flatMap { $0 }
    return EmbeddedMetadata.png(width: 96, height: 64, isGrey: colour.count == 1, rows: rows)
  }
}
