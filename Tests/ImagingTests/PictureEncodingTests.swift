import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// What samples mean: a picture is shown by it, and has no copy that means something else.
@Suite struct PictureEncodingTests {
  private let colours = [[220, 40, 40], [40, 180, 60], [40, 70, 200], [230, 210, 50]]

  /// Checks the four quadrants of thumbnail, preview and frame, and whether there is a copy.
  private func expect(
    _ photo: PhotoFile, _ expected: [[Int]], tolerance: Int, isPlain: Bool,
    _ warnings: Set<ImportWarning> = [], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let source = try photo.read()
    #expect(source.warnings == warnings, sourceLocation: location)
    #expect(source.isPlain == isPlain, sourceLocation: location)
    let master = try source.master(target: .standard, maxByteCount: .max)
    #expect(isPlain || master == nil, sourceLocation: location)
    var shown = try [
      decoded(source.thumbnail().image), decoded(photo.decode().preview()), photo.frame(side: 512),
    ]
    if let master { shown.append(try decoded(decoded(master).thumbnail().image)) }
    for (index, picture) in shown.enumerated() {
      let (width, height) = (picture.size.width, picture.size.height)
      let places = [(1, 1), (3, 1), (1, 3), (3, 3)]
      for (place, colour) in zip(places, expected) {
        let pixel = try picture.pixel(x: width * place.0 / 4, y: height * place.1 / 4)
        let found = pixel.count == 1 ? [pixel[0], pixel[0], pixel[0]] : pixel
        #expect(
          zip(found, colour).allSatisfy { abs(Int($0) - $1) <= tolerance },
          "\(found) instead of \(colour) in \(index)", sourceLocation: location)
      }
    }
  }

  /// The quadrants in samples of 160 x 120 pixels, with further bands.
  private func samples<Sample>(
    _ quadrants: [[Sample]], width: Int = 160, height: Int = 120
  ) -> [Sample] {
    (0..<(width * height)).flatMap { index -> [Sample] in
      let (x, y) = (index % width, index / width)
      return quadrants[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]
    }
  }

  private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// An uncompressed TIFF of one strip. Samples of more than 8 bits take 16.
  private func tiff(
    _ quadrants: [[Int]], bits: Int = 8, photometric: UInt16 = 2, extra: [UInt16] = [],
    more: [UInt16: TIFFFixture.Value] = [:]
  ) throws -> PhotoFile {
    let isWide = bits > 8
    let data = samples(quadrants).flatMap { sample in
      isWide ? [UInt8(sample & 0xFF), UInt8(sample >> 8)] : [UInt8(sample)]
    }
    var page = TIFFFixture.Page(
      (160, 120), samples: data, bits: isWide ? 16 : 8, bands: quadrants[0].count)
    page.fields[0x0106] = .shorts([photometric])
    if !extra.isEmpty { page.fields[0x0152] = .shorts(extra) }
    page.fields.merge(more) { $1 }
    return try photoFile(TIFFFixture([page]).bytes)
  }

  /// A PNG of 16 bits a sample.
  private func png16(_ quadrants: [[Int]], _ chunks: [(String, [UInt8])]) throws -> PhotoFile {
    // Small enough for the uncompressed blocks that the fixtures are written in.
    let (width, height) = (80, 60)
    let isGrey = quadrants[0].count == 1
    let pixels = samples(quadrants, width: width, height: height).flatMap { bigEndian($0, 2) }
    let rows = filtered(pixels, pixels.count / height)
    let file = EmbeddedMetadata.png(
      width: width, height: height, isGrey: isGrey, rows: rows, bits: 16)
    return try photoFile(
      chunks.reduce(file) { EmbeddedMetadata.png($0, $1.0, $1.1, .beforePixels) })
  }

  /// An ICC profile with one curve: `curv` for light itself, or for an exponent.
  private func profile(_ space: String, exponent: Double? = nil) -> [UInt8] {
    let curve =
      Array("curv\0\0\0\0".utf8)
      + (exponent.map { bigEndian(1, 4) + bigEndian(Int($0 * 256), 2) + [0, 0] } ?? bigEndian(0, 4))
    func xyz(_ values: [Double]) -> [UInt8] {
      Array("XYZ \0\0\0\0".utf8) + values.flatMap { bigEndian(Int(($0 * 65_536).rounded()), 4) }
    }
    var tags: [(String, [UInt8])] = [("wtpt", xyz([0.9642, 1, 0.8249]))]
    if space == "GRAY" {
      tags.append(("kTRC", curve))
    } else {
      tags += [
        ("rXYZ", xyz([0.4361, 0.2225, 0.0139])), ("gXYZ", xyz([0.3851, 0.7169, 0.0971])),
        ("bXYZ", xyz([0.1431, 0.0606, 0.7141])), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      ]
    }
    var (table, data) = (bigEndian(tags.count, 4), [UInt8]())
    let start = 132 + 12 * tags.count
    for (name, content) in tags {
      table += Array(name.utf8) + bigEndian(start + data.count, 4) + bigEndian(content.count, 4)
      data += content
    }
    var header = bigEndian(start + data.count, 4) + [0, 0, 0, 0] + bigEndian(0x0210_0000, 4)
    header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 68 - header.count)
    header += [0.9642, 1, 0.8249].flatMap { bigEndian(Int($0 * 65_536), 4) }
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  private func jpeg(_ name: String, _ profile: [UInt8]) throws -> PhotoFile {
    try photoFile(
      EmbeddedMetadata.jpeg(
        Fixtures.data("Colour/" + name), marker: 0xE2,
        Array("ICC_PROFILE\0".utf8) + [1, 1] + profile))
  }

  @Test(arguments: ["srgb.jpg", "progressive.jpg", "grey.jpg"])
  func `a profile for other samples is left out of use`(name: String) throws {
    let isGrey = name == "grey.jpg"
    let expected = isGrey ? colours.map { luma($0) } : colours
    for space in isGrey ? ["RGB ", "CMYK"] : ["GRAY", "CMYK"] {
      try expect(
        jpeg(name, profile(space, exponent: 2.2)), expected, tolerance: 6, isPlain: false,
        [.profileUnreadable])
    }
  }

  private func luma(_ colour: [Int]) -> [Int] {
    let value = (299 * colour[0] + 587 * colour[1] + 114 * colour[2]) / 1000
    return [value, value, value]
  }

  @Test(arguments: [8, 16])
  func `a TIFF with a grey profile shows its colours`(bits: Int) throws {
    let scaled = colours.map { $0.map { bits == 8 ? $0 : $0 * 257 } }
    let profile = profile("GRAY", exponent: 2.2)
    try expect(
      tiff(scaled, bits: bits, more: [0x8773: .bytes(profile)]), colours, tolerance: 4,
      isPlain: false, [.profileUnreadable])
  }

  @Test(arguments: [[0], [0, 0], [0, 0, 0]] as [[UInt16]])
  func `bands that are no transparency are not shown`(extra: [UInt16]) throws {
    let further = extra.map { _ in 90 }
    try expect(
      tiff(colours.map { $0 + further }, extra: extra), colours, tolerance: 4, isPlain: false)
    try expect(
      tiff(colours.map { ($0 + further).map { $0 * 257 } }, bits: 16, extra: extra), colours,
      tolerance: 4, isPlain: false)
  }

  @Test func `transparency behind other bands is laid on white`() throws {
    try expect(
      tiff(colours.map { $0 + [90, 128] }, extra: [0, 2]), onWhite, tolerance: 4, isPlain: false)
  }

  /// The quadrants on white, half transparent.
  private var onWhite: [[Int]] { colours.map { $0.map { ($0 * 128 + 255 * 127) / 255 } } }

  @Test(arguments: [2, 1] as [UInt16])
  func `transparency of a TIFF is applied once`(kind: UInt16) throws {
    let stored = colours.map { $0.map { kind == 1 ? ($0 * 128 + 127) / 255 : $0 } + [128] }
    try expect(tiff(stored, extra: [kind]), onWhite, tolerance: 4, isPlain: false)
  }

  @Test(arguments: ["premultiplied.avif", "premultiplied.jxl"])
  func `premultiplied colours are divided by their transparency`(name: String) throws {
    try expect(
      photoFile(Fixtures.data("Encodings/" + name)), onWhite, tolerance: 6, isPlain: false)
  }

  @Test func `greys of limited range go from black to white`() throws {
    try expect(
      photoFile(Fixtures.data("Encodings/grey-limited.avif")), colours.map { luma($0) },
      tolerance: 5, isPlain: true)
  }

  @Test(arguments: [8, 10, 12, 14])
  func `samples of a camera with fewer bits are shown from black to white`(bits: Int) throws {
    let white = (1 << bits) - 1
    // The brightest sample is that of a bright picture.
    let scaled = colours.map { $0.map { ($0 * white + 127) / 255 } }
    let greys = colours.map { [($0[0] * white + 127) / 255] }
    let expected = colours.map { [$0[0], $0[0], $0[0]] }
    try expect(tiff(scaled, bits: 16), colours, tolerance: 4, isPlain: false)
    try expect(tiff(greys, bits: 16, photometric: 1), expected, tolerance: 4, isPlain: false)
    try expect(
      tiff(greys.map { $0.map { white - $0 } }, bits: 16, photometric: 0), expected,
      tolerance: 4, isPlain: false)
    try expect(png16(greys, []), expected, tolerance: 4, isPlain: false)
  }

  @Test func `the file says how many bits its samples have`() throws {
    // A dark picture of 12 bits, which the brightest sample alone would take for one of 10.
    let dark = [[100], [400], [700], [1000]]
    let expected = dark.map { Array(repeating: ($0[0] * 255 + 2047) / 4095, count: 3) }
    try expect(
      tiff(dark, bits: 16, photometric: 1, more: [0x0119: .shorts([4095])]), expected, tolerance: 4,
      isPlain: false)
    try expect(png16(dark, [("sBIT", [12])]), expected, tolerance: 4, isPlain: false)
    // One of 16 bits is dark.
    try expect(
      png16(dark, [("sBIT", [16])]), dark.map { [$0[0] / 257] }.map { [$0[0], $0[0], $0[0]] },
      tolerance: 4, isPlain: true)
    // Samples that were scaled to 16 bits, as the standard wants it.
    let full = colours.map { $0.map { $0 * 257 } }
    try expect(png16(full, [("sBIT", [12, 12, 12])]), colours, tolerance: 4, isPlain: true)
  }

  @Test func `linear light is kept exactly`() throws {
    func light(_ value: Int) -> Double {
      let value = Double(value) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let wide = colours.map { $0.map { Int((light($0) * 65_535).rounded()) } }
    let narrow = colours.map { $0.map { Int((light($0) * 255).rounded()) } }
    let linear = profile("RGB ")
    try expect(
      tiff(wide, bits: 16, more: [0x8773: .bytes(linear)]), colours, tolerance: 4,
      isPlain: false)
    try expect(
      tiff(narrow, more: [0x8773: .bytes(linear)]), colours, tolerance: 12, isPlain: false)
    // A dark one is dark: its profile says what white is.
    let dark = colours.map { $0.map { Int((light($0) * 6000).rounded()) } }
    let shown = try tiff(dark, bits: 16, more: [0x8773: .bytes(linear)]).frame(side: 512)
    #expect(try shown.pixel(x: 120, y: 30)[1] < 80)
  }

  @Test(arguments: [2.2, 1.8, 1])
  func `16 bits become 8 where the curve is like that of sRGB`(exponent: Double) throws {
    let wide = colours.map { $0.map { $0 * 257 } }
    let photo = try tiff(
      wide, bits: 16, more: [0x8773: .bytes(profile("RGB ", exponent: exponent))])
    #expect(try photo.read().isPlain == (exponent == 2.2))
  }

  /// EXIF with a colour space and the index in the interoperability directory, each directory after the other.
  private func exif(space: UInt32, index: String?) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      bigEndian(tag, 2) + bigEndian(type, 2) + bigEndian(count, 4) + value
    }
    let count = index == nil ? 1 : 2
    let last = 26 + 2 + 12 * count + 4
    var block = Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8, 4)
    block += bigEndian(1, 2) + entry(0x8769, 4, 1, bigEndian(26, 4)) + bigEndian(0, 4)
    block += bigEndian(count, 2) + entry(0xA001, 3, 1, bigEndian(Int(space), 2) + [0, 0])
    if let index {
      block += entry(0xA005, 4, 1, bigEndian(last, 4)) + bigEndian(0, 4)
      block += bigEndian(1, 2) + entry(0x0001, 2, 4, Array(index.utf8) + [0]) + bigEndian(0, 4)
    } else {
      block += bigEndian(0, 4)
    }
    return block
  }

  @Test func `Adobe RGB that only EXIF tells is shown, and its copy has a profile`() throws {
    let source = try Fixtures.data("Colour/srgb.jpg")
    func photo(space: UInt32, index: String?) throws -> PhotoFile {
      let block = Array("Exif\0\0".utf8) + self.exif(space: space, index: index)
      return try photoFile(EmbeddedMetadata.jpeg(source, marker: 0xE1, block))
    }
    let wide = [[255, 35, 35], [0, 181, 42], [2, 68, 205], [238, 211, 3]]
    for (space, index) in [(65_535, "R03"), (2, nil), (2, "R03")] as [(UInt32, String?)] {
      let photo = try photo(space: space, index: index)
      let shown = try photo.frame(side: 512)
      for (place, colour) in zip([(40, 30), (120, 30), (40, 90), (120, 90)], wide) {
        let pixel = try shown.pixel(x: place.0, y: place.1)
        #expect(zip(pixel, colour).allSatisfy { abs(Int($0) - $1) <= 8 }, "\(pixel) \(colour)")
      }
    }
    for (space, index) in [(65_535, nil), (1, "R98"), (65_535, "R98")] as [(UInt32, String?)] {
      try expect(photo(space: space, index: index), colours, tolerance: 6, isPlain: true)
    }
  }

  @Test func `the copy of a photo in Adobe RGB has a profile`() throws {
    let file = try Fixtures.data("Photos/monstera/IMG_0001.jpg")
    let block = Array("Exif\0\0".utf8) + exif(space: 65_535, index: "R03")
    let photo = try photoFile(EmbeddedMetadata.jpeg(file, marker: 0xE1, block))
    let master = try #require(try photo.read().master(target: .standard, maxByteCount: .max))
    let profile = EmbeddedMetadata.profile(ofJPEG: master.bytes.withUnsafeBytes { Array($0) })
    #expect((200...1000).contains(profile.count))
    let (copy, source) = (try decoded(master).frame(side: 256), try photo.frame(side: 256))
    #expect(try copy.meanDifference(from: source) < 3)
    #expect(try copy.meanDifference(from: photoFile(file).frame(side: 256)) > 2)
  }

  @Test func `HDR is kept exactly, and shown with tones of an ordinary screen`() throws {
    try expect(
      photoFile(Fixtures.data("Encodings/pq.jxl")), colours, tolerance: 26, isPlain: false)
    let heic = try Fixtures.data("Colour/photo.heic")
    for transfer in [16, 18] as [UInt8] {
      var builder = HEIFBuilder()
      builder.codes = (1, transfer)
      let photo = try photoFile(builder.file(heic))
      #expect(try !photo.read().isPlain)
      for bits in [8, 16] {
        let white: Double = bits == 8 ? 255 : 65_535
        let codes: [[Int]] = colours.map { colour in
          colour.map { Int((code($0, transfer) * white).rounded()) }
        }
        let named: [UInt8] = [1, transfer, 0, 1]
        let png =
          bits == 16
          ? try png16(codes, [("cICP", named)])
          : try photoFile(
            EmbeddedMetadata.png(
              png8(codes.map { $0.map { UInt8($0) } }), "cICP", named, .beforePixels))
        // Light colours are compressed a little.
        try expect(png, colours, tolerance: 26, isPlain: false)
      }
    }
  }

  /// The code from 0 to 1 of an sRGB sample whose white is 203 cd/m2.
  private func code(_ value: Int, _ transfer: UInt8) -> Double {
    let sample = Double(value) / 255
    let light = sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    if transfer == 16 {
      let power: Double = pow(light * 203 / 10_000, 2610.0 / 16_384)
      let above: Double = 3424.0 / 4096 + 2413.0 / 128 * power
      let below: Double = 1 + 2392.0 / 128 * power
      return pow(above / below, 2523.0 / 32)
    }
    let scene = pow(light * 203 / 1000, 1 / 1.2)
    if scene <= 1.0 / 12 { return (3 * scene).squareRoot() }
    let logarithm: Double = log(12 * scene - 0.284_668_92)
    return 0.178_832_77 * logarithm + 0.559_910_73
  }

  /// Rows of a PNG, each with its filter, which is none.
  private func filtered(_ pixels: [UInt8], _ rowByteCount: Int) -> [UInt8] {
    var rows: [UInt8] = []
    for start in stride(from: 0, to: pixels.count, by: rowByteCount) {
      rows.append(0)
      rows += pixels[start..<(start + rowByteCount)]
    }
    return rows
  }

  private func png8(_ quadrants: [[UInt8]]) -> [UInt8] {
    let (width, height) = (80, 60)
    let pixels = samples(quadrants, width: width, height: height)
    return EmbeddedMetadata.png(
      width: width, height: height, isGrey: false, rows: filtered(pixels, width * 3))
  }

  @Test func `primaries are believed where the transfer function is unspecified`() throws {
    func shown(_ codes: [UInt8]) throws -> [UInt8] {
      let file = EmbeddedMetadata.png(
        png8(colours.map { $0.map { UInt8($0) } }), "cICP", codes, .beforePixels)
      return try photoFile(file).frame(side: 512).pixel(x: 60, y: 15)
    }
    let (wide, unspecified) = (try shown([12, 13, 0, 1]), try shown([12, 2, 0, 1]))
    #expect(wide == unspecified)
    #expect(try shown([2, 2, 0, 1]) == [40, 180, 60])
  }

  @Test(
    "the shared pictures are shown and kept as their list says",
    .enabled(if: Fixtures.sharedCases != nil, "no ../shared"),
    arguments: [
      ("grey-profile-on-colour/rgb_greyicc.jpg", 3.0), ("more-bands/rgb_nir.tif", 3),
      ("more-bands/bands5.tif", 3), ("hdr-lost/pq8.avif", 4), ("linear-profile/linear16.png", 3),
    ])
  func sharedPictures(name: String, tolerance: Double) throws {
    let folder = (Fixtures.sharedCases ?? "") + "/pictures/"
    func frame(_ name: String) throws -> (PhotoFile, DecodedPhoto) {
      let photo = try photoFile(Data(contentsOf: URL(fileURLWithPath: folder + name)))
      return (photo, try photo.frame(side: 512))
    }
    let truth = try frame("adobe-rgb-by-exif/srgb_truth.png").1
    let (photo, shown) = try frame(name)
    #expect(try photo.read().isPlain == false)
    #expect(try shown.meanDifference(from: truth) < tolerance)
  }
}
