import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct PNGMetadataTests {
  private let exif: [UInt8]
  private let packet: [UInt8]
  private let plain: Data

  init() throws {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2021:05:03 09:05:00"))]
    exif = builder.block
    packet =
      XMPPacket(time: try #require(RecordedTime("2021-05-04T10:00")), notes: nil, plant: nil).bytes
    plain = try Fixtures.data("Colour/alpha.png")
  }

  private func photo(
    _ type: String, _ text: String, isCompressed: Bool = false
  ) throws -> PhotoFile {
    let data = EmbeddedMetadata.text(
      "Raw profile type " + type, text, isCompressed: isCompressed)
    return try photoFile(
      EmbeddedMetadata.png(plain, isCompressed ? "zTXt" : "tEXt", data, .beforePixels))
  }

  @Test(arguments: [EmbeddedMetadata.Place.beforePixels, .atEnd])
  func `a chunk eXIf is read wherever it is`(place: EmbeddedMetadata.Place) throws {
    let file = EmbeddedMetadata.png(plain, "eXIf", exif, place)
    #expect(try photoFile(file).exif.original?.iso8601 == "2021-05-03T09:05:00")
  }

  @Test(arguments: [EmbeddedMetadata.Place.beforePixels, .atEnd])
  func `XMP is read wherever it is`(place: EmbeddedMetadata.Place) throws {
    let data = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet
    let photo = try photoFile(EmbeddedMetadata.png(plain, "iTXt", data, place))
    #expect(photo.xmp == packet)
  }

  @Test(arguments: [false, true])
  func `ImageMagick's profiles are read`(isCompressed: Bool) throws {
    let marked = Array("Exif\0\0".utf8) + exif
    for type in ["exif", "APP1"] {
      let text = EmbeddedMetadata.rawProfile(type.lowercased(), marked)
      let photo = try photo(type, text, isCompressed: isCompressed)
      #expect(photo.exif.original?.iso8601 == "2021-05-03T09:05:00" && photo.xmp == nil)
    }
    let xmpMarker = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    for (type, bytes) in [("xmp", packet), ("APP1", xmpMarker + packet)] {
      let text = EmbeddedMetadata.rawProfile(type, bytes)
      let photo = try photo(type, text, isCompressed: isCompressed)
      #expect(photo.xmp == packet && photo.exif == EXIF())
    }
    let iptc = EmbeddedMetadata.iptc([(0x37, "20210521")])
    for (type, bytes) in [
      ("iptc", iptc), ("iptc", EmbeddedMetadata.resources(iptc: iptc)),
      ("8bim", EmbeddedMetadata.resources(iptc: iptc)),
    ] {
      let text = EmbeddedMetadata.rawProfile(type, bytes)
      let photo = try photo(type, text, isCompressed: isCompressed)
      #expect(photo.iptc.created?.iso8601 == "2021-05-21")
    }
  }

  @Test(arguments: [
    "", "\n", "\nexif\n", "\nexif\n  8\n", "\nexif\n  -1\n4d4d\n", "\nexif\nmany\n4d4d\n",
    "\nexif\n  9223372036854775807\n4d4d002a00000008\n", "\nexif\n  99999999999999999999\n4d4d\n",
    "\nexif\n  4\n4d4d00zz\n", "\nexif\n  4\n4d4d00", "4d4d002a", "\nexif\n  0\n\n",
  ])
  func `bytes that are no profile are none`(text: String) throws {
    #expect(try photo("exif", text).exif == EXIF())
  }

  @Test func `a profile ends at its length, and is none without as many digits`() throws {
    let whole = EmbeddedMetadata.rawProfile("exif", exif + [1, 2, 3], length: exif.count)
    #expect(try photo("exif", whole).exif.original != nil)
    let short = EmbeddedMetadata.rawProfile("exif", exif, length: exif.count + 1)
    #expect(try photo("exif", short).exif.original == nil)
  }

  @Test(arguments: [EmbeddedMetadata.Place.beforePixels, .atEnd])
  func `a compressed copy keeps the EXIF, and is upright`(place: EmbeddedMetadata.Place) throws {
    var builder = TIFFBuilder()
    builder.main = [(0x0112, .long(6))]
    builder.exif = [(0x9003, .ascii("2021:05:03 09:05:00"))]
    let file = EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "eXIf", builder.block, place)
    let photo = try photoFile(file)
    #expect(photo.orientation == 6)
    let master = try #require(
      try photo.decode().master(of: photo, target: .standard, maxByteCount: .max))
    let copy = try PhotoFile(bytes: master.bytes, format: .jpeg)
    #expect(copy.exif == photo.exif && copy.exif.original != nil)
    #expect(copy.orientation == 1 && copy.uprightSize == photo.uprightSize)
  }

  @Test(arguments: [
    ("Sat, 06 Aug 2022 12:44:26 +0200", "2022-08-06T12:44:26+02:00"),
    // By this form, a moment.
    ("Sat, 06 Aug 2022 10:44:26 GMT", "2022-08-06T10:44:26Z"),
    ("6 Aug 22 12:44 EST", "2022-08-06T12:44:00-05:00"),
    ("2022-08-06T12:44:26", "2022-08-06T12:44:26"),
    ("2022:08:06 12:44:26", "2022-08-06T12:44:26"),
    ("Sat Aug  6 12:44:26 2022", "2022-08-06T12:44:26"),
    ("August 2022", "2022-08"), ("Sat, 06 Aug 2022 25:44:26", "2022-08-06"),
  ])
  func `the text Creation Time is a date`(text: String, iso: String) throws {
    let now = Timestamp(milliseconds: 1_760_000_000_000)
    func source(_ type: String, _ data: [UInt8], _ place: EmbeddedMetadata.Place) throws
      -> CaptureTime
    {
      let photo = try photoFile(EmbeddedMetadata.png(plain, type, data, place))
      var evidence = CaptureTimeEvidence(modified: now)
      evidence.take(pngText: photo.pngCreationTime)
      return evidence.resolve(now: now).0
    }
    let keyword = Array("Creation Time\0".utf8)
    for place in [EmbeddedMetadata.Place.beforePixels, .atEnd] {
      for (type, data) in [
        ("tEXt", EmbeddedMetadata.text("Creation Time", text)),
        ("zTXt", EmbeddedMetadata.text("Creation Time", text, isCompressed: true)),
        ("iTXt", keyword + [0, 0] + Array("en\0Aufnahmezeit\0\(text)".utf8)),
        (
          "iTXt",
          keyword + [1, 0, 0, 0]
            + EmbeddedMetadata.text("", text, isCompressed: true).dropFirst(2)
        ),
      ] {
        let found = try source(type, data, place)
        #expect(found.recorded.iso8601 == iso && found.source == .png)
      }
    }
  }

  @Test func `a text that is cut or damaged is no date`() throws {
    let data = EmbeddedMetadata.text("Creation Time", "2022-08-06", isCompressed: true)
    for count in 0..<data.count {
      _ = try photoFile(EmbeddedMetadata.png(plain, "zTXt", Array(data.prefix(count)), .atEnd))
        .pngCreationTime
    }
    #expect(try photoFile(plain).pngCreationTime == nil)
  }
}
