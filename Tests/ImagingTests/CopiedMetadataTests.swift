import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// What a compressed copy says of its photo besides the picture.
@Suite struct CopiedMetadataTests {
  private func copy(_ file: some Collection<UInt8>) throws -> [UInt8] {
    let photo = try photoFile(file)
    let source = try photo.read()
    let master = try #require(
      try source.master(target: PerceptualTarget(score: 30), maxByteCount: .max))
    #expect(photo.hasMetadataForJPEG)
    return master.bytes.withUnsafeBytes { Array($0) }
  }

  /// JFIF's unit and its two densities.
  private func density(_ jpeg: [UInt8]) -> [Int] {
    #expect(Array(jpeg[6..<11]) == Array("JFIF\0".utf8))
    return [Int(jpeg[13]), Int(jpeg[14]) << 8 | Int(jpeg[15]), Int(jpeg[16]) << 8 | Int(jpeg[17])]
  }

  private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    bytes.firstRange(of: Array(text.utf8)) != nil
  }

  private func isKeptExactly(_ file: [UInt8]) throws -> Bool {
    let photo = try photoFile(file)
    let master = try photo.read().master(target: PerceptualTarget(score: 30), maxByteCount: .max)
    #expect((master == nil) == !photo.hasMetadataForJPEG)
    return master == nil
  }

  // MARK: - Density

  @Test(arguments: [
    [1, 300, 300], [2, 118, 118], [1, 600, 300], [0, 4, 3], [0, 1, 1], [1, 72, 72],
  ])
  func `a JPEG's density is its copy's, by its coefficients and by its pixels`(
    density: [Int]
  ) throws {
    // Only chroma that is halved is read by its coefficients.
    for across in [2, 4] {
      let plain = JPEGFixture(sampling: (across, 1)).bytes()
      let header = EmbeddedMetadata.jpeg(
        plain.prefix(2), marker: 0xE0, Array("JFIF\0".utf8) + [1, 1] + jfif(density) + [0, 0])
      let file = header + plain.dropFirst(20)
      #expect(try self.density(copy(file)) == density)
      // EXIF may stand before it.
      let tagged = EmbeddedMetadata.jpeg(file, exif: TIFFBuilder())
      #expect(try self.density(copy(tagged)) == density)
    }
  }

  /// The unit and the two densities, as JFIF has them.
  private func jfif(_ density: [Int]) -> [UInt8] {
    [UInt8(density[0])] + bigEndian(density[1], 2) + bigEndian(density[2], 2)
  }

  private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  @Test(arguments: [[0, 0, 0], [1, 0, 300], [3, 300, 300]])
  func `a density that is none is not copied`(density: [Int]) throws {
    var file = JPEGFixture().bytes()
    let plain = try copy(file)
    file.replaceSubrange(13..<18, with: jfif(density))
    #expect(try copy(file) == plain)
    #expect(self.density(plain) == [0, 1, 1])
  }

  @Test(
    arguments: [
      (2, (300, 1), (300, 1), [1, 300, 300]), (3, (1181, 10), (1181, 10), [2, 118, 118]),
      (nil, (600, 1), (300, 1), [1, 600, 300]), (1, (16, 15), (1, 1), [0, 16, 15]),
      (1, (1, 1), (1, 1), [0, 1, 1]), (2, (14, 10), (10, 10), [0, 7, 5]),
      (2, (200_000, 1), (100_000, 1), [0, 2, 1]), (2, (200_000, 1), (200_000, 1), [0, 1, 1]),
      (2, (0, 1), (300, 1), [0, 1, 1]), (2, (1, 0), (300, 1), [0, 1, 1]),
      (2, (UInt32.max, 1), (1, UInt32.max), [0, 1, 1]),
    ] as [(UInt32?, (UInt32, UInt32), (UInt32, UInt32), [Int])])
  func `a TIFF's density is its copy's, and turned with it`(
    unit: UInt32?, across: (UInt32, UInt32), down: (UInt32, UInt32), expected: [Int]
  ) throws {
    for orientation in [1, 3, 6] {
      var builder = TIFFBuilder()
      builder.main = [(0x011A, .rationals([across])), (0x011B, .rationals([down]))]
      if let unit { builder.main.append((0x0128, .long(unit))) }
      let file = EmbeddedMetadata.wavyTIFF(orientation: orientation)
      let found = try density(copy(builder.added(to: file)))
      #expect(found == (orientation == 6 ? [expected[0], expected[2], expected[1]] : expected))
    }
  }

  @Test func `EXIF's density is copied exactly, and turned with the copy`() throws {
    func rational(_ value: UInt8) -> [UInt8] { [value, 1, 0, 0, 10, 0, 0, 0] }
    var builder = TIFFBuilder()
    builder.main = [
      (0x0112, .long(6)), (0x011A, .rationals([(0x101, 10)])), (0x011B, .rationals([(0x102, 10)])),
    ]
    let png = EmbeddedMetadata.png(
      EmbeddedMetadata.wavyPNG, "eXIf", builder.block, .beforePixels)
    builder.main.removeFirst()
    let tiff = builder.added(to: EmbeddedMetadata.wavyTIFF(orientation: 6))
    for file in [png, tiff] {
      #expect(try copy(file).firstRange(of: rational(2) + rational(1)) != nil)
    }
    let upright = builder.added(to: EmbeddedMetadata.wavyTIFF())
    #expect(try copy(upright).firstRange(of: rational(1) + rational(2)) != nil)
  }

  @Test(
    arguments: [
      (11_811, 11_811, 1, [1, 300, 300]), (2835, 2835, 1, [1, 72, 72]),
      (1000, 1000, 1, [2, 10, 10]),
      (3780, 1890, 1, [1, 96, 48]), (4, 3, 0, [0, 4, 3]), (1, 1, 0, [0, 1, 1]),
      (0, 0, 1, [0, 1, 1]),
      (100, 133, 1, [0, 100, 133]), (0xFFFF_FFFF, 0xFFFF_FFFF, 1, [0, 1, 1]),
    ] as [(Int, Int, UInt8, [Int])])
  func `a PNG's density is its copy's`(
    across: Int, down: Int, unit: UInt8, expected: [Int]
  ) throws {
    let data = bigEndian(across, 4) + bigEndian(down, 4)
    let file = EmbeddedMetadata.png(
      EmbeddedMetadata.wavyPNG, "pHYs", data + [unit], .beforePixels)
    #expect(try density(copy(file)) == expected)
  }

  @Test func `a copy of a picture without a density has none`() throws {
    #expect(try density(copy(EmbeddedMetadata.wavyPNG)) == [0, 1, 1])
    #expect(try density(copy(EmbeddedMetadata.wavyTIFF())) == [0, 1, 1])
  }

  // MARK: - IPTC

  private let iptc = EmbeddedMetadata.iptc([(0x50, "Ann"), (0x74, "2020 Ann"), (0x78, "Caption")])

  @Test func `a TIFF's IPTC is its copy's, in whatever form it is`() throws {
    let padded = iptc + [UInt8](repeating: 0, count: (4 - iptc.count % 4) % 4)
    let longs = stride(from: 0, to: padded.count, by: 4).map { at in
      padded[at..<(at + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let resources = EmbeddedMetadata.resources(iptc: iptc)
    for fields in [
      [(0x83BB, .bytes(iptc))], [(0x83BB, .longs(longs))], [(0x8649, .bytes(resources))],
      [(0x83BB, .bytes(iptc)), (0x8649, .bytes(EmbeddedMetadata.resources(iptc: [0x1C])))],
    ] as [[(UInt16, TIFFBuilder.Value)]] {
      var builder = TIFFBuilder()
      builder.main = fields
      let copy = try copy(builder.added(to: EmbeddedMetadata.wavyTIFF()))
      #expect(copy.firstRange(of: iptc) != nil)
      #expect(try photoFile(copy).iptc.caption == "Caption")
      // Those about the file stay behind.
      #expect(
        copy.ranges(of: Array("8BIM".utf8)).count
          == (fields.count == 1 && fields[0].0 == 0x83BB ? 1 : 2))
    }
  }

  @Test(arguments: [EmbeddedMetadata.Place.beforePixels, .atEnd])
  func `a PNG's IPTC is its copy's, wherever it is`(place: EmbeddedMetadata.Place) throws {
    for (name, block) in [
      ("iptc", iptc), ("IPTC", EmbeddedMetadata.resources(iptc: iptc)),
      ("8bim", EmbeddedMetadata.resources(iptc: iptc)),
    ] {
      for isCompressed in [false, true] {
        let text = EmbeddedMetadata.text(
          "Raw profile type " + name, EmbeddedMetadata.rawProfile("iptc", block),
          isCompressed: isCompressed)
        let file = EmbeddedMetadata.png(
          EmbeddedMetadata.wavyPNG, isCompressed ? "zTXt" : "tEXt", text, place)
        let copy = try copy(file)
        #expect(copy.firstRange(of: iptc) != nil)
        #expect(try photoFile(copy).iptc.caption == "Caption")
      }
    }
  }

  // MARK: - Tags and texts

  @Test func `a TIFF's rating and comments are its copy's`() throws {
    let comment = EmbeddedMetadata.utf16("a comment\0")
    var builder = TIFFBuilder()
    builder.main = [
      (0x010D, .ascii("sheet 7")), (0x4746, .long(4)), (0x9003, .ascii("2019:03:04 05:06:07")),
      (0x9C9C, .bytes(comment)),
    ]
    let copy = try copy(builder.added(to: EmbeddedMetadata.wavyTIFF()))
    #expect(copy.firstRange(of: [0x46, 0x47, 4, 0, 1, 0, 0, 0, 4, 0, 0, 0]) != nil)
    #expect(copy.firstRange(of: comment) != nil)
    #expect(holds(copy, "sheet 7") && holds(copy, "2019:03:04 05:06:07"))
  }

  private func chunks(_ keyword: String, _ text: String) -> [(String, [UInt8])] {
    [
      ("tEXt", EmbeddedMetadata.text(keyword, text)),
      ("zTXt", EmbeddedMetadata.text(keyword, text, isCompressed: true)),
      ("iTXt", EmbeddedMetadata.internationalText(keyword, text, language: "en")),
      ("iTXt", EmbeddedMetadata.internationalText(keyword, text, isCompressed: true)),
    ]
  }

  @Test(arguments: [EmbeddedMetadata.Place.beforePixels, .atEnd])
  func `a PNG's texts are its copy's, in chunks of all kinds`(
    place: EmbeddedMetadata.Place
  ) throws {
    for (keyword, element) in [
      ("Title", "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">"),
      ("AUTHOR", "<dc:creator><rdf:Seq><rdf:li>"),
      ("copyright", "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">"),
      ("Description", "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">"),
    ] {
      for (type, data) in chunks(keyword, "Ann & \u{1}<Bob>") {
        let copy = try copy(EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, type, data, place))
        #expect(holds(copy, element + "Ann &amp; &lt;Bob&gt;</rdf:li>"))
        let facts = try XMP.facts(#require(try photoFile(copy).xmp))
        #expect(facts?.notes == (keyword == "Description" ? "Ann & <Bob>" : nil))
      }
    }
    for (type, data) in chunks("Comment", "under LED") {
      let copy = try copy(EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, type, data, place))
      #expect(copy.firstRange(of: [0xFF, 0xFE, 0, 11] + Array("under LED".utf8)) != nil)
    }
    for (type, data) in chunks("Creation Time", "Sat, 06 Aug 2022 12:44:26 +0200") {
      let copy = try copy(EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, type, data, place))
      let facts = try XMP.facts(#require(try photoFile(copy).xmp))
      #expect(facts?.time?.iso8601 == "2022-08-06T12:44:26+02:00")
    }
  }

  @Test func `a PNG's texts are added to its XMP, which counts where both say something`() throws {
    let packet = XMPPacket(
      time: try #require(RecordedTime("2021-05-04T10:00")), notes: "in XMP", plant: nil
    ).bytes
    var file = EmbeddedMetadata.png(
      EmbeddedMetadata.wavyPNG, "iTXt",
      EmbeddedMetadata.internationalText(
        "XML:com.adobe.xmp", String(decoding: packet, as: UTF8.self)),
      .atEnd)
    #expect(try photoFile(copy(file)).xmp == packet)
    for (keyword, text) in [("Title", "Monstera"), ("Title", "again"), ("Description", "as text")] {
      file = EmbeddedMetadata.png(file, "tEXt", EmbeddedMetadata.text(keyword, text), .atEnd)
    }
    let copy = try copy(file)
    #expect(holds(copy, ">Monstera<") && !holds(copy, "again") && !holds(copy, "as text"))
    let facts = try XMP.facts(#require(try photoFile(copy).xmp))
    #expect(facts?.notes == "in XMP" && facts?.time?.iso8601 == "2021-05-04T10:00:00")
    #expect(facts?.isMended == false)
    // A packet that cannot be extended keeps the photo exact.
    let strange = EmbeddedMetadata.internationalText("XML:com.adobe.xmp", "<a/>")
    let other = EmbeddedMetadata.png(
      EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "iTXt", strange, .beforePixels), "tEXt",
      EmbeddedMetadata.text("Title", "Monstera"), .atEnd)
    #expect(try isKeptExactly(other))
  }

  @Test func `titles in several languages are kept`() throws {
    var file = EmbeddedMetadata.wavyPNG
    for (language, text) in [("en", "leaf"), ("de", "Blatt"), ("en", "sheet")] {
      file = EmbeddedMetadata.png(
        file, "iTXt", EmbeddedMetadata.internationalText("Title", text, language: language), .atEnd)
    }
    let copy = try copy(file)
    #expect(
      holds(
        copy,
        "<rdf:li xml:lang=\"x-default\">leaf</rdf:li><rdf:li xml:lang=\"de\">Blatt</rdf:li>"
          + "<rdf:li xml:lang=\"en\">sheet</rdf:li>"))
  }

  @Test func `a text such as Software changes nothing`() throws {
    let plain = try copy(EmbeddedMetadata.wavyPNG)
    let long = String(repeating: "x", count: 100_000)
    for keyword in ["Software", "Warning", "Source", "parameters"] {
      let file = EmbeddedMetadata.png(
        EmbeddedMetadata.wavyPNG, "tEXt", EmbeddedMetadata.text(keyword, long), .atEnd)
      #expect(try copy(file) == plain)
    }
  }

  // MARK: - Too much for a JPEG

  @Test(arguments: [65_000, 70_000, 200_000])
  func `metadata that do not fit into a segment keep the photo exact`(byteCount: Int) throws {
    let isLong = byteCount > 65_533
    let long = String(repeating: "x", count: byteCount)
    var files: [[UInt8]] = []
    for place in [EmbeddedMetadata.Place.beforePixels, .atEnd] {
      let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><!--\(long)--></x:xmpmeta>".utf8
      for (type, data) in [
        (
          "iTXt",
          EmbeddedMetadata.internationalText(
            "XML:com.adobe.xmp", String(decoding: packet, as: UTF8.self))
        ),
        ("tEXt", EmbeddedMetadata.text("Comment", long)),
        ("tEXt", EmbeddedMetadata.text("Title", long)),
      ] {
        files.append(EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, type, data, place))
      }
    }
    for field in [
      (0x010E, .ascii(long)),
      (0x83BB, .bytes(EmbeddedMetadata.iptc([(0x78, "a")]) + Array(long.utf8))),
    ]
      as [(UInt16, TIFFBuilder.Value)]
    {
      var builder = TIFFBuilder()
      builder.main = [field]
      files.append(builder.added(to: EmbeddedMetadata.wavyTIFF()))
    }
    var builder = TIFFBuilder()
    builder.exif = [(0x9286, .ascii(long)), (0x9003, .ascii("2021:05:03 09:05:00"))]
    files.append(EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "eXIf", builder.block, .atEnd))
    builder.exif = [(0x927C, .ascii(long))]
    files.append(EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "eXIf", builder.block, .atEnd))
    for (index, file) in files.enumerated() {
      #expect(try isKeptExactly(file) == isLong, "\(index)")
    }
  }

  @Test func `a profile of more than 255 pieces keeps the photo exact`() throws {
    var profile = EmbeddedMetadata.profile(ofJPEG: try Fixtures.data("Colour/display-p3.jpg"))
    for (byteCount, isExact) in [(100_000, false), (255 * 65_519, false), (255 * 65_519 + 1, true)]
    {
      profile += [UInt8](repeating: 0, count: byteCount - profile.count)
      profile.replaceSubrange(
        0..<4, with: bigEndian(byteCount, 4))
      var builder = TIFFBuilder()
      builder.main = [(0x8773, .bytes(profile))]
      let photo = try photoFile(builder.added(to: Array(Fixtures.data("Colour/rgb.tif"))))
      #expect(photo.hasMetadataForJPEG == !isExact, "\(byteCount)")
    }
  }

  @Test(.enabled(if: Fixtures.sharedCases != nil, "the shared cases are not here"))
  func `copies of the shared cases lose nothing`() throws {
    let folder = try #require(Fixtures.sharedCases) + "/pictures/copy-loses/"
    func copy(_ name: String) throws -> [UInt8] {
      try self.copy(Data(contentsOf: URL(fileURLWithPath: folder + name)))
    }
    #expect(try density(copy("dpi.jpg")) == [1, 300, 300])
    let tiff = try copy("iptc.tif")
    #expect(density(tiff) == [1, 600, 600])
    for text in ["Ann", "2020 Ann", "Caption in IPTC", "fern"] { #expect(holds(tiff, text)) }
    #expect(holds(tiff, "a\0 \0c\0o\0m\0m\0e\0n\0t\0"))
    let png = try copy("text.png")
    for text in [
      ">Monstera<", ">Ann<", ">2024 Ann<", ">third leaf with holes<", "shot under LED",
    ] { #expect(holds(png, text)) }
  }
}
