import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct LocationTests {
  private func strip(_ data: some Collection<UInt8>) throws -> [UInt8] {
    let photo = try photoFile(data)
    return try LocationRemoval.strip(photo.bytes, format: photo.format)
      .withUnsafeBytes { Array($0) }
  }

  /// A little-endian EXIF block: a directory with a comment and a pointer to a GPS directory with a
  /// latitude and a date, all of which a search for their bytes would find.
  private static let block: [UInt8] = {
    func integer(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      integer(tag, 2) + integer(type, 2) + integer(count, 4) + value
    }
    let gps = 8 + 2 + 24 + 4
    let latitude = gps + 2 + 36 + 4
    let day = latitude + 24
    return Array("II".utf8) + integer(42, 2) + integer(8, 4)
      + integer(2, 2) + entry(0x010E, 2, 4, Array("fern".utf8))
      + entry(0x8825, 4, 1, integer(gps, 4)) + integer(0, 4)
      + integer(3, 2) + entry(1, 2, 2, Array("N\0\0\0".utf8))
      + entry(2, 5, 3, integer(latitude, 4)) + entry(0x1D, 2, 11, integer(day, 4)) + integer(0, 4)
      + [52, 27, 33].flatMap { integer($0, 4) + integer(7919, 4) } + Array("2025:04:02\0".utf8)
  }()

  private func holds(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(pattern)) != nil
  }

  private let marks: [[UInt8]] = [[0xEF, 0x1E, 0, 0], Array("2025:04:02".utf8)]

  @Test func `a JPEG keeps its pixels, its EXIF and its profile and loses its place`() throws {
    let source = Array(try Fixtures.data("Colour/display-p3.jpg"))
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
    }
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude='52,27N'/>".utf8)
    let iptc = Array("Photoshop 3.0\0Berlin".utf8)
    let tagged =
      [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + Self.block) + segment(0xE1, xmp)
      + segment(0xED, iptc) + segment(0xFE, Array("at home".utf8)) + source.dropFirst(2)
      + Array("a video with its own GPS".utf8)
    let result = try strip(tagged)
    for mark in marks + ["GPSLatitude", "Berlin", "at home", "its own"].map({ Array($0.utf8) }) {
      #expect(holds(tagged, mark))
      #expect(!holds(result, mark))
    }
    #expect(holds(result, Array("fern".utf8)))
    #expect(holds(result, Array("ICC_PROFILE".utf8)))
    let score = try photoFile(result).decode().score(of: photoFile(source).decode())
    #expect(score == 100)
  }

  @Test(arguments: ["Colour/lossless.webp", "Colour/rgb.tif", "Colour/sixteen-bit.png"])
  func `other formats without a place stay what they are`(path: String) throws {
    let source = try Fixtures.data(path)
    let result = try strip(source)
    #expect(try photoFile(result).decode().size == photoFile(source).decode().size)
  }

  @Test func `a WebP's EXIF loses its place where it lies`() throws {
    let still = Array(try Fixtures.data("Colour/lossless.webp"))
    func integer(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // RFC 9649, 2.7: an extended header that tells of EXIF, the picture, the EXIF.
    let size = try photoFile(still).storedSize
    let header: [UInt8] =
      Array("VP8X".utf8) + integer(10, 4) + [8, 0, 0, 0] + integer(size.width - 1, 3)
      + integer(size.height - 1, 3)
    let padded = Self.block + (Self.block.count % 2 == 0 ? [] : [0])
    let exif = Array("EXIF".utf8) + integer(padded.count, 4) + padded
    let body = Array("WEBP".utf8) + header + still.dropFirst(12) + exif
    let tagged = Array("RIFF".utf8) + integer(body.count, 4) + body
    let result = try strip(tagged)
    #expect(result.count == tagged.count)
    for mark in marks {
      #expect(holds(tagged, mark))
      #expect(!holds(result, mark))
    }
    #expect(holds(result, Array("fern".utf8)))
  }

  @Test(.enabled(if: Fixtures.sharedPhotos != nil, "the shared photos are not here"))
  func `real files lose their place and keep their date`() throws {
    let root = try #require(Fixtures.sharedPhotos)
    let names = FileManager.default.enumerator(atPath: root + "/zoo")?.compactMap { $0 as? String }
    var count = 0
    for name in (names ?? []) + ["../bench/tree"] {
      guard let data = FileManager.default.contents(atPath: root + "/zoo/" + name),
        let photo = try? photoFile(data), photo.exif.gps != nil
      else { continue }
      let result = try photoFile(strip(data))
      #expect(result.exif.gps == nil, "\(name)")
      #expect(result.exif.original == photo.exif.original, "\(name)")
      #expect(result.uprightSize == photo.uprightSize, "\(name)")
      count += 1
    }
    #expect(count >= 3)
  }
}
