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

  private static let formats = ["jpg", "png", "webp", "tif", "gif", "heic", "avif", "jxl"]
  private static let names = ["Berlin", "Palmenhaus", "Deutschland", "GPSLatitude"]

  @Test(arguments: formats)
  func `no format keeps a place, and none loses its picture or its date`(format: String) throws {
    let source = Array(try Fixtures.data("Places/place." + format))
    let result = try strip(source)
    for name in Self.names.map({ Array($0.utf8) }) {
      #expect(holds(source, name))
      #expect(!holds(result, name), "\(String(decoding: name, as: UTF8.self))")
    }
    let (before, after) = (try photoFile(source), try photoFile(result))
    #expect(after.exif == before.exif)
    #expect((after.exif.original == nil) == (format == "gif"))
    let (old, new) = (try before.decode(), try after.decode())
    #expect(old.size == new.size)
    for (x, y) in [(40, 30), (120, 30), (40, 90), (120, 90)] {
      #expect(try old.pixel(x: x, y: y) == new.pixel(x: x, y: y))
    }
  }

  @Test(.enabled(if: ExifTool.isInstalled, "exiftool is not installed"), arguments: formats)
  func `ExifTool finds no place either`(format: String) throws {
    let folder = try TemporaryFolder()
    let source = try Fixtures.data("Places/place." + format)
    #expect(try !ExifTool.places(in: folder.write(source, to: "before." + format)).isEmpty)
    let path = try folder.write(Data(try strip(source)), to: "after." + format)
    #expect(try ExifTool.places(in: path) == [])
  }

  @Test func `a JPEG XL's XMP does not hide its EXIF, nor its EXIF the XMP`() throws {
    let photo = try photoFile(Fixtures.data("Places/place.jxl"))
    #expect(photo.exif.original != nil)
    #expect(photo.xmp.map { holds($0, Array("Palmenhaus".utf8)) } == true)
  }

  private func refusal(_ bytes: [UInt8]) throws -> String {
    let error = try #require(throws: ImagingError.self) { try strip(bytes) }
    #expect(error.code == .tellsPlace)
    return error.message
  }

  @Test func `a file that cannot be cleaned for certain is refused`() throws {
    let jxl = Array(try Fixtures.data("Places/place.jxl"))
    let brob: [UInt8] = [0, 0, 0, 16] + Array("brobxml ".utf8) + [1, 2, 3, 4]
    #expect(try refusal(jxl + brob).contains("compressed"))
    var heic = Array(try Fixtures.data("Places/place.heic"))
    let items = try #require(Data(heic).range(of: Data("iloc".utf8))).lowerBound
    heic[items + 4] = 9  // a version that there is not
    #expect(throws: ImagingError.self) { try strip(heic) }
  }

  private static let placeInWords = "Lat: 52.520008, Lon: 13.404954"

  /// A text in the encodings of EXIF's UserComment, with their codes.
  private func comments(_ text: String) -> [[UInt8]] {
    let little = EmbeddedMetadata.utf16(text)
    let big = EmbeddedMetadata.utf16(text, isLittleEndian: false)
    // The digits and letters of JIS X 0208 are in row 3, and its signs in row 1.
    let signs: [Character: [UInt8]] = [
      " ": [0x21, 0x21], ",": [0x21, 0x24], ".": [0x21, 0x25], ":": [0x21, 0x27],
    ]
    let jis = text.reduce(into: [UInt8]()) { $0 += signs[$1] ?? [0x23, $1.asciiValue ?? 0x3F] }
    let plain = Array(text.utf8)
    let coded: [(String, [UInt8])] = [
      ("ASCII\0\0\0", plain), ("\0\0\0\0\0\0\0\0", plain), ("", plain), ("UNICODE\0", little),
      ("UNICODE\0", big), ("UNICODE\0", [0xFE, 0xFF] + big), ("UNICODE\0", plain),
      ("JIS\0\0\0\0\0", jis),
      ("JIS\0\0\0\0\0", [0x1B, 0x24, 0x42] + jis + [0x1B, 0x28, 0x42]),
    ]
    return coded.map { Array($0.0.utf8) + $0.1 }
  }

  private func tagged(_ main: [(UInt16, TIFFBuilder.Value)], _ exif: [(UInt16, TIFFBuilder.Value)])
    throws -> [[UInt8]]
  {
    var builder = TIFFBuilder()
    (builder.main, builder.exif) = (main, exif)
    return [
      EmbeddedMetadata.jpeg(try Fixtures.data("Colour/srgb.jpg"), exif: builder),
      EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "eXIf", builder.block, .atEnd),
      builder.added(to: EmbeddedMetadata.wavyTIFF()),
    ]
  }

  @Test func `coordinates in the words of EXIF are refused by the name of their tag`() throws {
    let wide = EmbeddedMetadata.utf16(Self.placeInWords + "\0")
    for (name, main) in [
      ("ImageDescription", (0x010E, .ascii(Self.placeInWords))),
      ("XPComment", (0x9C9C, .bytes(wide))), ("XPSubject", (0x9C9F, .bytes(wide))),
      ("Artist", (0x013B, .ascii("N 52° 31.2' E 13° 24.3'"))),
      ("the text of tag 0x10D", (0x010D, .ascii("52.5200, 13.4049"))),
    ] as [(String, (UInt16, TIFFBuilder.Value))] {
      for file in try tagged([main], []) {
        #expect(try refusal(file).contains("coordinates in \(name)"))
      }
    }
    for comment in comments(Self.placeInWords) {
      for file in try tagged([], [(0x9286, .bytes(comment))]) {
        #expect(try refusal(file).contains("coordinates in UserComment"))
      }
    }
  }

  @Test func `other words stay where they are`() throws {
    let words = "2024:05:06 07:08:09, 50 5 cm, v1.2.3, f/2.8, 21.5 °C, pH 6.5, 7.25"
    for comment in comments(words.replacing("°", with: "")) + comments("") {
      for file in try tagged([(0x010E, .ascii(words))], [(0x9286, .bytes(comment))]) {
        #expect(holds(try strip(file), Array(words.utf8)))
      }
    }
  }

  @Test func `words too long to be searched are refused`() throws {
    var builder = TIFFBuilder()
    builder.main = [(0x010E, .ascii(String(repeating: "leaf ", count: 300_000)))]
    #expect(try refusal(builder.added(to: EmbeddedMetadata.wavyTIFF())).contains("too long"))
  }

  @Test(.enabled(if: Fixtures.sharedCases != nil, "the shared cases are not here"))
  func `the shared case is refused`() throws {
    let folder = try #require(Fixtures.sharedCases) + "/pictures/place-in-words/"
    let file = try Data(contentsOf: URL(fileURLWithPath: folder + "place_usercomment.jpg"))
    #expect(try refusal(Array(file)).contains("UserComment"))
  }

  @Test func `a place in a sidecar's words is named`() throws {
    func place(_ notes: String?, _ plant: String?, _ tags: [String]) throws -> String? {
      let time = try #require(RecordedTime("2021-05-04T10:00"))
      return LocationRemoval.place(
        in: XMPPacket(time: time, notes: notes, plant: plant, tags: tags))
    }
    #expect(try place("by the pond\n" + Self.placeInWords, nil, []) == "its notes")
    #expect(try place("", "fern 52.5200, 13.4049", []) == "its plant's name")
    #expect(try place(nil, nil, ["moss", "52.5200", "13.4049"]) == "its tags")
    #expect(try place("watered 0.5 l", "fern 2", ["2024", "pot 12.5 cm"]) == nil)
  }

  @Test func `a place that only the search finds is refused`() throws {
    // In the preview inside of EXIF, which is kept as it is.
    func integer(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let outer = Array("II".utf8) + integer(42, 2) + integer(8, 4) + integer(0, 2) + integer(0, 4)
    let source = Array(try Fixtures.data("Colour/srgb.jpg"))
    func tagged(_ hidden: [UInt8]) -> [UInt8] {
      let payload = Array("Exif\0\0".utf8) + outer + hidden
      let length = payload.count + 2
      return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
        + source.dropFirst(2)
    }
    #expect(try strip(tagged(Array("nothing".utf8))).count > 100)
    let record: [UInt8] = [0x1C, 0x02, 90, 0, 6] + Array("Berlin".utf8)
    let box: [UInt8] = [0, 0, 0, 30, 0xA9] + Array("xyz".utf8) + Array("+52.4581+013.3047/".utf8)
    for (hidden, word) in [
      (Self.block, "GPS"), (Array("<rdf:Description exif:GPSLatitude='52,27N'/>".utf8), "XMP"),
      (Array("exif:GPSLatitude".utf8).flatMap { [0, $0] }, "XMP"), (record, "IPTC"), (box, "video"),
    ] {
      #expect(try refusal(tagged(hidden)).contains(word))
    }
  }

  @Test func `extended XMP goes, and what lies between the segments is refused`() throws {
    let source = Array(try Fixtures.data("Colour/srgb.jpg"))
    let payload = Array("http://ns.adobe.com/xmp/extension/\0exif:GPSLatitude".utf8)
    let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
    let result = try strip(source.prefix(2) + segment + source.dropFirst(2))
    #expect(!holds(result, Array("GPSLatitude".utf8)))
    let scan = try #require(Data(source).range(of: Data([0xFF, 0xDA]))).lowerBound
    let middle = scan + 40
    #expect(throws: ImagingError.self) {
      try strip(Array(source[..<middle]) + segment + source[middle...])
    }
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
