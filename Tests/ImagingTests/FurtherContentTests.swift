import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// What JPEG, PNG, WebP, GIF and TIFF files hold besides their picture; `HEIFTests` has that of HEIC.
@Suite struct FurtherContentTests {
  private let jpeg: [UInt8]

  init() throws { jpeg = Array(try Fixtures.data("Photos/monstera/IMG_0002.jpg")) }

  private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A file of several pictures with an index (CIPA DC-007).
  private func indexed(_ first: [UInt8], _ others: [[UInt8]], gap: [UInt8] = []) -> [UInt8] {
    func payload(_ offsets: [Int]) -> [UInt8] {
      var entries: [UInt8] = []
      for (picture, offset) in zip([first] + others, [0] + offsets) {
        entries += bigEndian(0, 4) + bigEndian(picture.count, 4)
        entries += bigEndian(offset, 4) + bigEndian(0, 4)
      }
      var header = Array("MPF\0MM\0*".utf8) + bigEndian(8, 4) + bigEndian(1, 2)
      header += [0xB0, 2, 0, 7] as [UInt8]
      header += bigEndian(entries.count, 4) + bigEndian(26, 4) + bigEndian(0, 4)
      return header + entries
    }
    let base = 2 + 4 + 4
    let length = EmbeddedMetadata.jpeg(
      first, marker: 0xE2, payload(others.map { _ in 0 })
    ).count
    var offsets: [Int] = []
    var at = length + gap.count
    for other in others {
      offsets.append(at - base)
      at += other.count
    }
    return EmbeddedMetadata.jpeg(first, marker: 0xE2, payload(offsets)) + gap
      + others.flatMap { $0 }
  }

  private static let packet = """
    <?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
     xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
     xmlns:Container="http://ns.google.com/photos/1.0/container/"
     xmlns:Item='http://ns.google.com/photos/1.0/container/item/'
     xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
     hdrgm:Version="1.0" tiff:Orientation="6" dc:format='a > "b"'><!-- <hdrgm:x> -->
     <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item
     Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource">
     <Container:Item Item:Semantic="GainMap" Item:Length="1234"/></rdf:li></rdf:Seq>
     </Container:Directory><dc:description>fern</dc:description>
     </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
    """

  private func xmp(_ file: [UInt8], _ packet: String) -> [UInt8] {
    EmbeddedMetadata.jpeg(
      file, marker: 0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
  }

  private func warnings(_ file: [UInt8]) throws -> Set<ImportWarning> {
    let photo = try photoFile(file)
    let read = try photo.read()
    #expect(try photo.decode().warnings == read.warnings)
    #expect(read.isPlain == read.warnings.isEmpty)
    return read.warnings
  }

  @Test func `a second picture of the same size is kept, a smaller preview is not`() throws {
    let small = Array(try Fixtures.data("Colour/srgb.jpg"))
    #expect(try warnings(indexed(jpeg, [jpeg])) == [.furtherPictures])
    #expect(try warnings(indexed(jpeg, [small])) == [])
    #expect(try warnings(indexed(jpeg, [small, jpeg])) == [.furtherPictures])
    #expect(try warnings(indexed(jpeg, [small], gap: Array(repeating: 0, count: 99))) == [])
    #expect(try warnings(indexed(jpeg, [small], gap: [1, 2, 3])) == [.trailingData])
    #expect(try warnings(indexed(jpeg, [small]) + [1, 2, 3]) == [.trailingData])
    #expect(try warnings(jpeg + jpeg) == [.furtherPictures])
    let depth = xmp(small, "<x apdi:AuxiliaryImageType='urn:com:apple:photo:2018:aux:depth'/>")
    #expect(try warnings(indexed(jpeg, [depth])) == [.furtherPictures])
  }

  @Test func `a copy without its gain map says nothing of it`() throws {
    let small = Array(try Fixtures.data("Colour/srgb.jpg"))
    let iso = Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0]
    let first = EmbeddedMetadata.jpeg(xmp(jpeg, Self.packet), marker: 0xE2, iso)
    let photo = try photoFile(indexed(first, [small]))
    #expect(photo.lostInCopy == [.gainMapDropped])
    let read = try photo.read()
    #expect(read.isPlain)
    let master = try #require(try read.master(target: .standard, maxByteCount: .max))
    let text = master.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    for word in ["hdrgm:V", "hdr-gain-map", "Container", "GainMap", "21496", "MPF"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.contains(#"tiff:Orientation="6" dc:format='a > "b"'><!-- <hdrgm:x> -->"#))
    let copy = try PhotoFile(bytes: master.bytes, format: .jpeg)
    let facts = XMP.facts(try #require(copy.xmp))
    #expect(facts?.notes == "fern" && copy.xmp?.count == Self.packet.utf8.count)
    // A map that only the second picture, or the standard's segment, tells of.
    for other in [
      xmp(small, "<x hdrgm:Version='1.0' xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'/>"),
      EmbeddedMetadata.jpeg(small, marker: 0xE2, iso),
    ] {
      #expect(try photoFile(indexed(jpeg, [other])).lostInCopy == [.gainMapDropped])
    }
  }

  @Test func `XMP that says how to turn a picture is corrected in an upright copy`() throws {
    let data = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Array(Self.packet.utf8)
    var builder = TIFFBuilder()
    builder.main = [(0x0112, .long(6))]
    let turned = EmbeddedMetadata.png(
      EmbeddedMetadata.wavyPNG, "eXIf", builder.block, .beforePixels)
    let photo = try photoFile(EmbeddedMetadata.png(turned, "iTXt", data, .beforePixels))
    let master = try #require(
      try photo.decode().master(of: photo, target: .standard, maxByteCount: .max))
    let text = master.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    #expect(text.contains(#"tiff:Orientation="1""#) && !text.contains("GainMap"))
  }

  @Test func `an animated PNG is no still picture`() throws {
    let animated = EmbeddedMetadata.png(
      EmbeddedMetadata.wavyPNG, "acTL", bigEndian(2, 4) + bigEndian(0, 4), .beforePixels)
    let photo = try photoFile(animated)
    #expect(try photo.pageCount == 2 && !photo.decode().isPlain)
  }

  @Test(arguments: ["alpha.png", "lossless.webp", "animated.gif", "photo.jxl"])
  func `data after the picture are not lost`(name: String) throws {
    let file = Array(try Fixtures.data("Colour/" + name))
    #expect(try photoFile(file).decode().warnings == [])
    #expect(try photoFile(file + Array(repeating: 0, count: 99)).decode().warnings == [])
    let film = [0, 0, 0, 24] + Array("ftypmp42\0\0\0\0mp42isom".utf8)
    // A bare JPEG XL stream does not say where it ends.
    if name != "photo.jxl" {
      #expect(try photoFile(file + [7, 7, 7]).decode().warnings == [.trailingData])
      #expect(try photoFile(file + film).decode().warnings == [.motionPhoto])
    }
  }

  @Test func `a TIFF with layers or a further picture of full size is kept exactly`() throws {
    let file = Array(try Fixtures.data("Colour/rgb.tif"))
    #expect(try photoFile(file).decode().warnings == [])
    var layered = TIFFBuilder()
    layered.main = [(0x935C, .bytes(Array("Adobe Photoshop Document Data Block\0".utf8)))]
    #expect(try photoFile(layered.added(to: file)).decode().warnings == [.furtherPictures])
  }
}
