import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct FileTypeTests {
  private func type(_ bytes: [UInt8]) -> FileType { bytes.withUnsafeBytes { FileType(head: $0) } }

  @Test(arguments: ["data.json", "document.pdf", "drawing.svg", "page.html"])
  func `documents are no images`(name: String) throws {
    #expect(type(Array(try Fixtures.data("Formats/not-photos/" + name))) == .other)
  }

  @Test func `formats are known by their bytes`() throws {
    let formats: [(String, ImageFormat)] = [
      ("srgb.jpg", .jpeg), ("alpha.png", .png), ("lossless.webp", .webp), ("rgb.tif", .tiff),
      ("animated.gif", .gif), ("photo.heic", .heic), ("photo.avif", .avif), ("photo.jxl", .jxl),
    ]
    for (name, format) in formats {
      #expect(type(Array(try Fixtures.data("Colour/" + name).prefix(4096))) == .image(format))
    }
  }

  @Test func `RAW files are known in TIFF's and MPEG's clothes`() {
    var dng = TIFFBuilder()
    dng.main = [(0xC612, .long(0x0104_0000))]
    #expect(type(dng.block) == .raw)
    var filterArray = TIFFBuilder()
    filterArray.main = [(0x0106, .long(32_803))]
    #expect(type(filterArray.block) == .raw)
    var plain = TIFFBuilder()
    plain.main = [(0x0106, .long(2))]
    #expect(type(plain.block) == .image(.tiff))
    #expect(type([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0] + Array("CR".utf8)) == .raw)
    #expect(type([0, 0, 0, 24] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8)) == .raw)
    #expect(type([0, 0, 0, 24] + Array("ftypisom\0\0\0\u{1}isommp42".utf8)) == .video)
  }

  @Test func `no short or empty file is an image`() {
    #expect(type([]) == .other)
    #expect(type([0xFF]) == .other)
    #expect(type([0xFF, 0xD8]) == .other)
  }
}

@Suite struct DamageTests {
  private func jpeg() throws -> [UInt8] { Array(try Fixtures.data("Photos/monstera/IMG_0002.jpg")) }

  @Test(arguments: [0.01, 0.1, 0.5, 0.9, 0.99])
  func `a file that ends before its picture is refused as truncated`(share: Double) throws {
    let whole = try jpeg()
    let cut = whole.prefix(Int(Double(whole.count) * share))
    #expect(errorCode { _ = try photoFile(cut).decode() } == .truncated)
  }

  @Test func `a file that lacks its end marker alone is a photo with a warning`() throws {
    for missing in 1...2 {
      let photo = try photoFile(jpeg().dropLast(missing)).decode()
      #expect(photo.warnings == [.missingEndMarker])
      #expect(!photo.isPlain)
    }
  }

  @Test(arguments: [false, true])
  func `a picture whose rest is zeros is refused, whatever the decoder makes of them`(
    isProgressive: Bool
  ) throws {
    var random = SplitMix64(state: 42)
    for quality in [75, 85, 92, 98, 100] {
      var drawn = JPEGFixture(isProgressive: isProgressive)
      drawn.quality = quality
      let whole = drawn.bytes()
      let end = try #require(wholeEnd(of: whole))
      for _ in 0..<20 {
        let cut = random.below(end - 3)
        let zeros: [UInt8] =
          Array(whole.prefix(cut)) + [UInt8](repeating: 0, count: whole.count - cut)
        let refusal = errorCode { _ = try photoFile(zeros).read() }
        #expect(refusal == .truncated || cut < 700 && refusal != nil, "\(quality), \(cut)")
        // Padding after it does not make it whole.
        #expect(
          errorCode { _ = try photoFile(zeros + [UInt8](repeating: 0, count: 512)).read() } != nil)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a picture whose rest is another's is refused or warned of, never silent`(
    isProgressive: Bool
  ) throws {
    var random = SplitMix64(state: 7)
    let other = JPEGFixture(quality: 97).bytes()
    for quality in [75, 92, 100] {
      let whole = JPEGFixture(isProgressive: isProgressive, quality: quality).bytes()
      for _ in 0..<12 {
        let cut = 700 + random.below(whole.count - 800)
        let length = whole.count - cut
        let from = 700 + random.below(max(1, other.count - 800))
        let rest = Array(other.dropFirst(from).prefix(length))
        for tail in [[UInt8](repeating: 0xFF, count: length), rest] {
          let mixed: [UInt8] = Array(whole.prefix(cut)) + tail
          let read = Result { try photoFile(mixed).read() }
          guard case .success(let photo) = read else { continue }
          #expect(!photo.warnings.isEmpty, "\(quality), \(cut)")
          #expect(!photo.isPlain)
        }
      }
    }
  }

  /// The offset of a file's end marker.
  private func wholeEnd(of jpeg: [UInt8]) -> Int? {
    jpeg.indices.dropLast().last { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xD9 }
  }

  @Test func `bytes between the last block and the end marker are a warning`() throws {
    for isProgressive in [false, true] {
      let whole = JPEGFixture(isProgressive: isProgressive).bytes()
      let longer: [UInt8] =
        Array(whole.prefix(whole.count - 2)) + [UInt8](repeating: 0x55, count: 3000) + [0xFF, 0xD9]
      let photo = try photoFile(longer).read()
      #expect(photo.warnings == [.damaged])
      #expect(!photo.isPlain)
    }
  }

  @Test func `a hole in the picture is a warning, and no compressed copy is made of it`() throws {
    var bytes = try jpeg()
    let middle = bytes.count / 2
    for index in middle..<(middle + 4096) { bytes[index] = 0 }
    let file = try photoFile(bytes)
    let photo = try file.decode()
    #expect(photo.warnings == [.damaged])
    #expect(try photo.master(of: file, target: .standard, maxByteCount: .max) == nil)
  }

  @Test func `a header that lies about its size keeps the exact bytes`() throws {
    let photo = try photoFile(patchedSize(jpeg(), width: 8, height: 8)).decode()
    #expect(photo.warnings == [.damaged])
  }

  @Test func `bytes that follow the picture are not lost`() throws {
    let trailing = try photoFile(jpeg() + Array(repeating: 7, count: 5000)).decode()
    #expect(trailing.warnings == [.trailingData])
    let box = [0, 0, 0, 24] + Array("ftypmp42\0\0\0\0mp42isom".utf8)
    let motion = try photoFile(jpeg() + box + Array(repeating: 7, count: 5000)).decode()
    #expect(motion.warnings == [.motionPhoto])
    // As Sony's: a header, and a JPEG without its first byte, or the application segment.
    let small = Array(try Fixtures.data("Colour/srgb.jpg"))
    let tables = try #require(small.firstRange(of: [0xFF, 0xDB] as [UInt8])).lowerBound
    let header: [UInt8] = [0, 0, 0x63, 0xD0, 0x50, 6, 0x38, 4, 0]
    let previewed = try photoFile(jpeg() + header + [0, 0xD8] + small[tables...])
    #expect(try previewed.decode().warnings.isEmpty)
    let duplicates = try photoFile(jpeg() + jpeg()).decode()
    #expect(duplicates.warnings == [.furtherPictures])
    let padded = try photoFile(jpeg() + Array(repeating: 0, count: 5000)).decode()
    #expect(padded.warnings.isEmpty)
  }

  /// A JPEG whose frame header says another size.
  private func patchedSize(_ jpeg: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    var bytes = jpeg
    let frame = try #require(
      bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1]) })
    (bytes[frame + 5], bytes[frame + 6]) = (UInt8(height >> 8), UInt8(height & 0xFF))
    (bytes[frame + 7], bytes[frame + 8]) = (UInt8(width >> 8), UInt8(width & 0xFF))
    return bytes
  }

  @Test func `bombs are refused by their header`() throws {
    let baseline = try patchedSize(jpeg(), width: 65_500, height: 65_500)
    #expect(errorCode { _ = try photoFile(baseline) } == .tooLarge)
    let progressive = try patchedSize(
      Array(Fixtures.data("Colour/progressive.jpg")), width: 16_000, height: 16_000)
    #expect(errorCode { _ = try photoFile(progressive) } == .tooLarge)
    let gif =
      Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x2C, 0, 0, 0, 0]
      + [0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x4C, 1, 0, 0x3B]
    #expect([.tooLarge, .corrupt].contains(errorCode { _ = try photoFile(gif).decode() }))
    var png = Array(try Fixtures.data("Colour/alpha.png"))
    png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(errorCode { _ = try photoFile(png) } == .tooLarge)
    png.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(errorCode { _ = try photoFile(png) } == .noPixels)
  }

  @Test(arguments: [
    "lossless.webp", "rgb.tif", "alpha.png", "photo.heic", "photo.avif", "photo.jxl",
    "animated.gif",
  ])
  func `half a file of any format is refused or warned of, never silent`(name: String) throws {
    let whole = Array(try Fixtures.data("Colour/" + name))
    do {
      let photo = try photoFile(whole.prefix(whole.count / 2)).decode()
      // A GIF whose first frame is whole is a whole picture.
      #expect(!photo.warnings.isEmpty || name == "animated.gif")
    } catch let error as ImagingError {
      #expect([.truncated, .corrupt].contains(error.code))
    }
  }

  /// A profile's header, its table of tags, and that with what it points to.
  @Test(arguments: [0..<36, 128..<140, 128..<400])
  func `a photo whose profile is broken comes in as sRGB`(broken: Range<Int>) throws {
    let source = Array(try Fixtures.data("Colour/display-p3.jpg"))
    let segment = try #require(Data(source).range(of: Data("ICC_PROFILE".utf8)))
    var bytes = source
    let start = segment.upperBound + 3
    for index in broken { bytes[start + index] = 0xA5 }
    let photo = try photoFile(bytes).decode()
    #expect(photo.warnings == [.profileUnreadable])
    #expect(!photo.isPlain)
    let length = Int(source[segment.lowerBound - 2]) << 8 | Int(source[segment.lowerBound - 1])
    let bare =
      source[..<(segment.lowerBound - 4)] + source[(segment.lowerBound - 2 + length)...]
    let plain = try photoFile(bare).decode()
    #expect(plain.warnings.isEmpty)
    #expect(
      try decoded(photo.thumbnail().image).pixel(x: 40, y: 30)
        == decoded(plain.thumbnail().image).pixel(x: 40, y: 30))
    #expect(try photoFile(source).decode().warnings.isEmpty)
  }

  @Test func `the reason for a failure comes from the file itself`() throws {
    func patched(_ name: String, _ pattern: [UInt8], _ offset: Int, _ byte: UInt8) throws -> [UInt8]
    {
      var bytes = Array(try Fixtures.data(name))
      let found = try #require(Data(bytes).range(of: Data(pattern))).lowerBound
      bytes[found + offset] = byte
      return bytes
    }
    let frame: [UInt8] = [0xFF, 0xC0]
    let srgb = "Colour/srgb.jpg"
    #expect(errorCode { _ = try photoFile(try patched(srgb, frame, 4, 12)) } == .unsupported)
    #expect(errorCode { _ = try photoFile(try patched(srgb, frame, 1, 0xC3)) } == .unsupported)
    let flat = try patched(srgb, frame, 6, 0).map { $0 }
    let height = try #require(Data(flat).range(of: Data(frame))).lowerBound
    var none = flat
    (none[height + 5], none[height + 6]) = (0, 0)
    #expect(errorCode { _ = try photoFile(none) } == .noPixels)
    #expect(
      errorCode { _ = try photoFile([0xFF, 0xD8, 0xFF, 0xFE, 0, 2, 0xFF, 0xD9]) } == .noPixels)
    let halves: [(String, ImagingError.Code)] = [
      ("alpha.png", .truncated), ("lossless.webp", .truncated), ("photo.heic", .truncated),
      ("photo.avif", .truncated), ("sixteen-bit.tif", .truncated),
    ]
    for (name, expected) in halves {
      let whole = Array(try Fixtures.data("Colour/" + name))
      #expect(
        errorCode { _ = try photoFile(whole.prefix(whole.count * 3 / 4)).decode() } == expected,
        "\(name)")
    }
  }

  @Test func `a chunk that goes on behind its file's end is refused before room is made for it`()
    throws
  {
    let png = Array(try Fixtures.data("Colour/alpha.png"))
    // It claims 1.5 GB of text, behind IHDR.
    let chunk: [UInt8] = [0x5B, 0, 1, 0x9B] + Array("iTXt".utf8)
    let error = try #require(throws: ImagingError.self) {
      _ = try photoFile(png.prefix(33) + chunk + png.dropFirst(33))
    }
    #expect(error.code == .truncated && error.message == "It ends within a chunk.")
  }

  @Test(.enabled(if: Fixtures.sharedPhotos != nil, "the shared photos are not here"))
  func `no hostile file brings the decoders down`() throws {
    let folder = try #require(Fixtures.sharedPhotos) + "/hostile"
    var count = 0
    for case let name as String in try #require(FileManager.default.enumerator(atPath: folder)) {
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      count += 1
      do {
        let photo = try photoFile(data)
        let picture = try photo.decode()
        _ = try picture.thumbnail()
        _ = try picture.master(of: photo, target: .standard, maxByteCount: .max)
      } catch is ImagingError {}
    }
    #expect(count > 0)
  }
}
