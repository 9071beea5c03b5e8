import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct HEIFTests {
  private let source: [UInt8]
  private let answer: Answers.Picture

  init() throws {
    source = Array(try Fixtures.data("Colour/photo.heic"))
    answer = try #require(Answers.all.colour.first { $0.path == "photo.heic" })
  }

  /// EXIF of a camera, with its sides as it stores them.
  private func exif(_ orientation: Int, width: Int = 160, height: Int = 120) -> [UInt8] {
    var builder = TIFFBuilder()
    builder.main = [(0x0112, .long(UInt32(orientation)))]
    builder.exif = [
      (0x9003, .ascii("2023:04:27 19:44:18")), (0xA002, .long(UInt32(width))),
      (0xA003, .long(UInt32(height))),
    ]
    return builder.block
  }

  private func master(_ photo: PhotoFile) throws -> PhotoFile {
    // Hard edges between vivid colours do not reach the usual target.
    let master = try #require(
      try photo.decode()
        .master(of: photo, target: PerceptualTarget(score: 30), maxByteCount: .max))
    return try PhotoFile(bytes: master.bytes, format: .jpeg)
  }

  /// The picture's quadrants turned by quarters with the clock.
  private func turned(_ quarters: Int) throws -> Answers.Picture {
    let quadrants = answer.quadrants
    var ring = [
      quadrants.topLeft, quadrants.topRight, quadrants.bottomRight, quadrants.bottomLeft,
    ]
    ring = Array((ring + ring)[(4 - quarters)..<(8 - quarters)])
    let names = ["topLeft", "topRight", "bottomRight", "bottomLeft"]
    let size = quarters % 2 == 0 ? [160, 120] : [120, 160]
    let document: [String: Any] = [
      "path": "turned", "uprightSize": size, "tolerance": answer.tolerance,
      "quadrants": Dictionary(uniqueKeysWithValues: zip(names, ring)),
    ]
    return try JSONDecoder().decode(
      Answers.Picture.self, from: JSONSerialization.data(withJSONObject: document))
  }

  /// Everything that is made of the photo is upright, and says so.
  private func expectUpright(_ file: [UInt8], _ answer: Answers.Picture) throws {
    let photo = try photoFile(file)
    #expect([photo.uprightSize.width, photo.uprightSize.height] == answer.uprightSize)
    try expectQuadrants(answer, decoded(photo.decode().thumbnail().image))
    try expectQuadrants(answer, decoded(photo.decode().preview()))
    try expectQuadrants(answer, photo.decode().frame(side: 512))
    let copy = try master(photo)
    #expect(copy.orientation == 1)
    #expect(copy.exif == photo.exif && copy.exif.original?.iso8601 == "2023-04-27T19:44:18")
    try expectQuadrants(answer, decoded(copy.decode().thumbnail().image))
  }

  @Test(arguments: [(3, 6, 1), (2, 3, 2), (1, 8, 3)])
  func `a rotation that the container and EXIF both tell is applied once`(
    quarterTurns: UInt8, orientation: Int, quarters: Int
  ) throws {
    var builder = HEIFBuilder()
    builder.quarterTurns = quarterTurns
    builder.exif = HEIFBuilder.exifItem(exif(orientation))
    try expectUpright(builder.file(source), turned(quarters))
  }

  @Test func `a rotation that is listed before the size is applied once, too`() throws {
    var builder = HEIFBuilder()
    builder.quarterTurns = 3
    builder.turnsFirst = true
    builder.exif = HEIFBuilder.exifItem(exif(6))
    try expectUpright(builder.file(source), turned(1))
  }

  @Test(arguments: [(0, 6, 0), (3, 1, 1), (3, 8, 1)])
  func `the container's rotation counts, not EXIF's`(
    quarterTurns: UInt8, orientation: Int, quarters: Int
  ) throws {
    var builder = HEIFBuilder()
    builder.quarterTurns = quarterTurns
    builder.exif = HEIFBuilder.exifItem(exif(orientation))
    try expectUpright(builder.file(source), turned(quarters))
  }

  @Test(arguments: [(1, 0), (6, 1), (3, 2), (8, 3)])
  func `EXIF's rotation counts where the container has none`(
    orientation: Int, quarters: Int
  ) throws {
    var builder = HEIFBuilder()
    builder.exif = HEIFBuilder.exifItem(exif(orientation))
    try expectUpright(builder.file(source), turned(quarters))
  }

  @Test func `EXIF about a picture that was turned since does not turn it again`() throws {
    var builder = HEIFBuilder()
    builder.exif = HEIFBuilder.exifItem(exif(6, width: 120, height: 160))
    try expectUpright(builder.file(source), turned(0))
  }

  @Test func `a copy's EXIF has the copy's size and no thumbnail`() throws {
    var builder = HEIFBuilder()
    builder.quarterTurns = 3
    // A second directory with a thumbnail at the end.
    let block = exif(6)
    let directory: [UInt8] =
      [2, 0, 1, 2, 4, 0, 1, 0, 0, 0] + number(block.count + 30)
      + [2, 2, 4, 0, 1, 0, 0, 0] + number(500) + [0, 0, 0, 0]
    var exif = block
    exif.replaceSubrange(34..<38, with: number(block.count))
    #expect(directory.count == 30)
    builder.exif = HEIFBuilder.exifItem(exif + directory + Array(repeating: 0xAB, count: 500))
    let copy = try master(photoFile(builder.file(source)))
    let bytes = copy.bytes.withUnsafeBytes { Data($0) }
    #expect(bytes.range(of: Data(repeating: 0xAB, count: 100)) == nil)
    #expect(bytes.range(of: Data([2, 0xA0, 4, 0, 1, 0, 0, 0, 120, 0, 0, 0])) != nil)
    #expect(bytes.range(of: Data([3, 0xA0, 4, 0, 1, 0, 0, 0, 160, 0, 0, 0])) != nil)
  }

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// What phones write before the TIFF header of an Exif item.
  private static let heads: [[UInt8]] = {
    let mark = Array("Exif\0\0".utf8)
    let segment: [UInt8] = [0xFF, 0xE1, 1, 0] + mark
    let distances: [[UInt8]] = [
      [0, 0, 0, 0], [0, 0, 0, 6], [0, 0, 0, 10], [0x7F, 0xFF, 0xFF, 0xFF],
    ]
    return [[], mark, segment, [0, 0, 0, 3, 1, 2, 3]] + distances
      + distances.map { $0 + mark } + distances.map { $0 + segment }
  }()

  @Test(arguments: heads)
  func `EXIF is read whatever precedes it, and stays in the copy`(head: [UInt8]) throws {
    var builder = HEIFBuilder()
    builder.exif = head + exif(1)
    let photo = try photoFile(builder.file(source))
    #expect(photo.exif.original?.iso8601 == "2023-04-27T19:44:18")
    #expect(try master(photo).exif == photo.exif)
    #expect(EXIF(block: head + exif(1)) == photo.exif)
  }

  @Test func `a wide profile is converted, in whatever way the file tells it`() throws {
    let profile = EmbeddedMetadata.profile(ofJPEG: try Fixtures.data("Colour/display-p3.jpg"))
    #expect(profile.count > 300)
    var icc = HEIFBuilder()
    icc.profile = profile
    var numbers = HEIFBuilder()
    numbers.codes = (12, 13)
    var plain = HEIFBuilder()
    plain.codes = (1, 13)
    let pictures = try [icc, numbers, plain].map { builder -> [[UInt8]] in
      let photo = try photoFile(builder.file(source))
      let decodedPhoto = try photo.decode()
      // Each image is freed before the next is made of it.
      return try [decodedPhoto.thumbnail().image, decodedPhoto.preview()].map {
        try decoded($0).pixel(x: 120, y: 30).map { $0 }
      }
    }
    let green = answer.quadrants.topRight
    #expect(isNear(pictures[2][0], green, 12) && isNear(pictures[2][1], green, 12))
    for picture in [pictures[0][1], pictures[1][0], pictures[1][1]] {
      #expect(isNear(picture, pictures[0][0].map(Int.init), 6), "\(picture)")
    }
    // The same numbers mean a more vivid colour.
    #expect(!isNear(pictures[0][0], pictures[2][0].map(Int.init), 6), "\(pictures)")
  }

  private func isNear(_ pixel: [UInt8], _ expected: [Int], _ tolerance: Int) -> Bool {
    zip(pixel, expected).allSatisfy { abs(Int($0) - $1) <= tolerance }
  }

  @Test func `the content of a file besides its picture is kept, or named`() throws {
    func photo(_ change: (inout HEIFBuilder) -> Void) throws -> PhotoFile {
      var builder = HEIFBuilder()
      change(&builder)
      return try photoFile(builder.file(source))
    }
    let film = try photo { $0.further = [("mpvd", Array("....ftypisom".utf8))] }
    #expect(try film.decode().warnings == [.motionPhoto])
    let depth = try photo { $0.auxiliary = "urn:mpeg:hevc:2015:auxid:2" }
    #expect(try depth.decode().warnings == [.furtherPictures] && !depth.decode().isPlain)
    let map = try photo { $0.auxiliary = "urn:com:apple:photo:2020:aux:hdrgainmap" }
    #expect(try map.decode().warnings.isEmpty && map.decode().isPlain)
    #expect(map.lostInCopy == [.gainMapDropped])
    let maker = try photo { $0.further = [("sefd", [1, 2, 3])] }
    #expect(try maker.decode().warnings == [.trailingData])
    let plain = try photo { $0.further = [("free", [1, 2, 3])] }
    #expect(try plain.decode().warnings.isEmpty && plain.lostInCopy.isEmpty)
    let cut = try photoFile(HEIFBuilder().file(source) + [1, 2, 3])
    #expect(try cut.decode().warnings == [.trailingData])
  }

  @Test func `a picture that takes too much memory is kept without a preview`() throws {
    var builder = HEIFBuilder()
    builder.size = (16_320, 12_240)
    let photo = try photoFile(builder.file(source))
    let read = try photo.read()
    #expect(read.warnings == [.noPreview] && !read.isPlain)
    let thumbnail = try read.thumbnail().image
    #expect(thumbnail.size == PixelSize(width: 512, height: 384))
    #expect(photo.memory.importByteCount(ImageLimits()) < 10_000_000)
    #expect(throws: ImagingError.self) { try photo.decode() }
  }

  @Test func `a file whose last box has no size is read`() throws {
    var builder = HEIFBuilder()
    builder.endsOpen = true
    builder.quarterTurns = 3
    builder.exif = HEIFBuilder.exifItem(exif(6))
    let file = builder.file(source)
    try expectUpright(file, turned(1))
    builder.endsOpen = false
    let digests = try [file, builder.file(source)].map { file in
      let ranges = try #require(PictureData.ranges(of: SharedBytes(copying: file), .heic))
      return ranges.flatMap { file[$0] }
    }
    #expect(digests[0] == digests[1])
    #expect(try photoFile(file).read().warnings.isEmpty)
  }

  @Test func `an animation without a still picture is a photo without a preview`() throws {
    let file = HEIFBuilder.sequence(size: (300, 200), exif: exif(1, width: 300, height: 200))
    let photo = try photoFile(file)
    #expect(photo.format == .avif && photo.uprightSize == PixelSize(width: 300, height: 200))
    #expect(photo.exif.original?.iso8601 == "2023-04-27T19:44:18")
    let read = try photo.read()
    #expect(read.warnings == [.noPreview] && !read.isPlain)
    #expect(try read.thumbnail().image.size == PixelSize(width: 256, height: 171))
    let error = try #require(throws: ImagingError.self) { _ = try photo.decode() }
    #expect(error.code == .unsupported)
    #expect(error.message == "It is an animation without a still picture, which is not read.")
    let cut = try #require(throws: ImagingError.self) { _ = try photoFile(file.dropLast(20)) }
    #expect(cut.code == .truncated)
  }

  @Test func `a picture of a codec that is not read is a photo without a preview`() throws {
    var builder = HEIFBuilder()
    builder.codec = "j2k1"
    builder.quarterTurns = 3
    builder.exif = HEIFBuilder.exifItem(exif(6))
    let photo = try photoFile(builder.file(source))
    #expect(photo.uprightSize == PixelSize(width: 120, height: 160))
    #expect(photo.exif.original?.iso8601 == "2023-04-27T19:44:18")
    #expect(try photo.read().warnings == [.noPreview])
    let error = try #require(throws: ImagingError.self) { _ = try photo.decode() }
    #expect(error.code == .unsupported)
  }

  @Test(.enabled(if: Fixtures.sharedCases != nil, "the shared cases are not here"))
  func `the shared AVIF whose meta box has no size is read`() throws {
    let path = "/pictures/avif-called-damaged/draw_points_idat_metasize0.avif"
    let file = try #require(Fixtures.sharedCases) + path
    let photo = try photoFile(try #require(FileManager.default.contents(atPath: file)))
    #expect(photo.storedSize == PixelSize(width: 33, height: 11))
    #expect(try photo.read().warnings.isEmpty)
  }

  @Test(
    .enabled(if: Fixtures.sharedCases != nil, "the shared cases are not here"),
    arguments: ["arrow.heic", "h6.heic"])
  func `the shared turned photos are portraits`(name: String) throws {
    let folder = try #require(Fixtures.sharedCases) + "/turned-heic/"
    let photo = try photoFile(try #require(FileManager.default.contents(atPath: folder + name)))
    #expect(photo.uprightSize.height > photo.uprightSize.width)
    let copy = try master(photo)
    #expect(copy.orientation == 1 && copy.storedSize == photo.uprightSize)
    let top = try decoded(copy.decode().thumbnail().image).pixel(x: 190, y: 20)
    if name == "h6.heic" { #expect(isNear(Array(top), [220, 20, 20], 12)) }
  }

  @Test(.enabled(if: Fixtures.sharedCases != nil, "the shared cases are not here"))
  func `the shared wide photo, EXIF and further contents are read`() throws {
    let folder = try #require(Fixtures.sharedCases)
    func photo(_ name: String) throws -> PhotoFile {
      try photoFile(try #require(FileManager.default.contents(atPath: folder + "/" + name)))
    }
    let wide = try photo("wide-heic/300-heic.heic").decode()
    for image in [try wide.thumbnail().image, try wide.preview()] {
      #expect(isNear(Array(try decoded(image).pixel(x: 10, y: 10)), [220, 40, 41], 8))
    }
    let xiaomi = try photo("heic-exif/xiaomi.heic")
    #expect(xiaomi.exif.original?.iso8601.hasPrefix("2023-04-27T19:44:18") == true)
    #expect(try master(xiaomi).exif == xiaomi.exif)
    #expect(try photo("extras/mp.heic").decode().warnings == [.motionPhoto])
    #expect(try photo("extras/mpo.mpo").decode().warnings == [.furtherPictures])
  }
}
