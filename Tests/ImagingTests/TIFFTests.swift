import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct TIFFTests {
  /// A grey picture that a JPEG compresses well, dated and described.
  private static func waves(side: Int = 256) -> TIFFFixture.Page {
    let samples = (0..<(side * side)).map { place -> UInt8 in
      let (x, y) = (Double(place % side), Double(place / side))
      return UInt8(128 + 60 * sin(x / 9) * cos(y / 13) + 40 * sin((x + y) / 5))
    }
    var page = TIFFFixture.Page((side, side), samples: samples)
    page.fields[0x010E] = .ascii("a fern in May")
    page.fields[0x0132] = .ascii("2024:05:06 07:08:09")
    return page
  }

  private func master(_ photo: PhotoFile) throws -> PhotoFile {
    let master = try #require(
      try photo.decode().master(of: photo, target: .standard, maxByteCount: .max))
    return try PhotoFile(bytes: master.bytes, format: .jpeg)
  }

  /// The bytes of a file that make the picture.
  private func picture(_ photo: PhotoFile) throws -> [UInt8] {
    let ranges = try #require(PictureData.ranges(of: photo.bytes, photo.format))
    return photo.bytes.withUnsafeBytes { bytes in ranges.flatMap { Array(bytes[$0]) } }
  }

  @Test(arguments: [true, false])
  func `a BigTIFF is read and copied like the same TIFF`(isLittleEndian: Bool) throws {
    var page = Self.waves()
    page.fields[0x0112] = .shorts([6])
    page.fields[0x02BC] = .bytes(
      XMPPacket(time: .day(LocalDay(dayNumber: 20_000)), notes: "leaf", plant: nil).bytes)
    page.fields[0x83BB] = .bytes(EmbeddedMetadata.iptc([(0x37, "20210521"), (0x78, "bud")]))
    page.exif = [
      0x9003: .ascii("2023:04:05 06:07:08"), 0x9011: .ascii("+02:00"), 0x920A: .shorts([50]),
    ]
    let photos = try [false, true].map { isBig in
      try photoFile(TIFFFixture([page], isBig: isBig, isLittleEndian: isLittleEndian).bytes)
    }
    #expect(photos[1].exif.original?.iso8601 == "2023-04-05T06:07:08+02:00")
    #expect(photos[1].exif.changed?.iso8601 == "2024-05-06T07:08:09")
    #expect(photos[1].exif == photos[0].exif && photos[1].iptc == photos[0].iptc)
    #expect(photos[1].iptc.caption == "bud")
    #expect(photos[1].xmp != nil && photos[1].xmp == photos[0].xmp)
    #expect(photos[1].orientation == 6)
    #expect(try picture(photos[1]) == picture(photos[0]))
    let copies = try photos.map(master)
    #expect(copies[1].exif == photos[1].exif)
    let bytes = copies.map { copy in copy.bytes.withUnsafeBytes { Data($0) } }
    #expect(bytes[0] == bytes[1])
    #expect(bytes[1].range(of: Data("a fern in May".utf8)) != nil)
  }

  @Test func `a BigTIFF with sensor data is a RAW file`() {
    var page = Self.waves(side: 16)
    page.fields[0x0106] = .shorts([32_803])
    for isBig in [false, true] {
      let file = TIFFFixture([page], isBig: isBig).bytes
      #expect(file.withUnsafeBytes { FileType(head: $0) } == .raw)
    }
  }

  /// The places of a large picture beside a smaller one.
  enum Place: CaseIterable {
    case laterPage, laterPageByOldTag, subdirectory
  }

  @Test(arguments: Place.allCases, [false, true])
  func `a smaller picture before the large one is not the photo`(
    place: Place, isBig: Bool
  ) throws {
    var small = TIFFFixture.Page((64, 48), grey: 20)
    small.fields[place == .laterPageByOldTag ? 0x00FF : 0x00FE] =
      place == .laterPageByOldTag ? .shorts([2]) : .longs([1])
    small.fields[0x0132] = .ascii("2020:01:02 03:04:05")
    var large = TIFFFixture.Page((640, 480), grey: 200)
    large.fields[0x0112] = .shorts([6])
    large.exif = [0x9003: .ascii("2023:04:05 06:07:08")]
    if place == .subdirectory { small.subdirectories = [large] }
    let pages = place == .subdirectory ? [small] : [small, large]
    let photo = try photoFile(TIFFFixture(pages, isBig: isBig).bytes)
    #expect(photo.storedSize == PixelSize(width: 640, height: 480) && photo.orientation == 6)
    #expect(photo.exif.original?.iso8601 == "2023-04-05T06:07:08")
    #expect(photo.exif.changed?.iso8601 == "2020-01-02T03:04:05")
    let thumbnail = try photo.read().thumbnail().image
    #expect(thumbnail.size == PixelSize(width: 240, height: 320))
    #expect(try abs(Int(decoded(thumbnail).pixel(x: 100, y: 100)[0]) - 200) < 4)
    #expect(try photo.decode().size == PixelSize(width: 480, height: 640))
  }

  @Test func `a smaller picture after the large one changes nothing`() throws {
    var small = TIFFFixture.Page((64, 48), grey: 20)
    small.fields[0x00FE] = .longs([1])
    let large = TIFFFixture.Page((640, 480), grey: 200)
    let photo = try photoFile(TIFFFixture([large, small]).bytes)
    #expect(photo.storedSize == PixelSize(width: 640, height: 480))
    // Alone, it is the picture.
    #expect(try photoFile(TIFFFixture([small]).bytes).storedSize.width == 64)
  }

  /// A page of a kind that is not read, with the words for it.
  struct Kind: CustomTestStringConvertible {
    let words: String
    let page: TIFFFixture.Page
    var testDescription: String { words }

    init(_ words: String, _ page: TIFFFixture.Page) { (self.words, self.page) = (words, page) }
  }

  private static let size = (width: 64, height: 48)

  private static func samples(_ bits: Int, bands: Int = 1) -> [UInt8] {
    (0..<(64 * 48 * bands * bits / 8)).map { UInt8(truncatingIfNeeded: $0 * 7) }
  }

  static let kinds: [Kind] = {
    func page(_ bits: Int, bands: Int = 1, format: Int = 1) -> TIFFFixture.Page {
      TIFFFixture.Page(
        size, samples: samples(bits, bands: bands), bits: bits, bands: bands, format: format)
    }
    var planes = page(8, bands: 3)
    planes.fields[0x011C] = .shorts([2])
    planes.fields[0x0142] = .shorts([32])
    planes.fields[0x0143] = .shorts([32])
    planes.fields[0x0116] = nil
    planes.isTiled = true
    planes.pieces = (0..<12).map { Array(repeating: UInt8($0 * 20), count: 32 * 32) }
    var chroma = page(8, bands: 3)
    chroma.fields[0x0106] = .shorts([6])
    chroma.fields[0x0212] = .shorts([2, 2])
    chroma.pieces = [Array(samples(8, bands: 3).prefix(64 * 48 * 3 / 2))]
    var old = page(8, bands: 3)
    old.fields[0x0103] = .shorts([6])
    old.fields[0x0106] = .shorts([6])
    var wavelets = page(8, bands: 3)
    wavelets.fields[0x0103] = .shorts([34_712])
    var unlike = page(8, bands: 3)
    unlike.fields[0x0102] = .shorts([5, 6, 5])
    return [
      Kind("half-precision floating-point samples", page(16, bands: 3, format: 3)),
      Kind("half-precision floating-point samples", page(16, format: 3)),
      Kind("floating-point samples of 24 bits", page(24, bands: 3, format: 3)),
      Kind("double-precision floating-point samples", page(64, bands: 3, format: 3)),
      Kind("samples of 10 bits", page(10)), Kind("samples of 12 bits", page(12, bands: 3)),
      Kind("samples of 14 bits", page(14)), Kind("samples of 24 bits", page(24)),
      Kind("samples of 64 bits", page(64, bands: 3)), Kind("samples of 4 bits", page(4, bands: 3)),
      Kind("complex samples", page(64, format: 6)),
      Kind("samples of 5, 6, 5 bits", unlike),
      Kind("tiles of separate colour planes", planes), Kind("subsampled YCbCr", chroma),
      Kind("old-style JPEG compression", old), Kind("JPEG 2000 compression", wavelets),
    ]
  }()

  @Test(arguments: kinds, [false, true])
  func `a TIFF of a kind that is not read is a photo without a preview`(
    kind: Kind, isBig: Bool
  ) throws {
    var page = kind.page
    page.fields[0x0112] = .shorts([8])
    page.fields[0x0132] = .ascii("2024:05:06 07:08:09")
    page.exif = [0x9003: .ascii("2023:04:05 06:07:08")]
    let photo = try photoFile(TIFFFixture([page], isBig: isBig).bytes)
    #expect(photo.uprightSize == PixelSize(width: 48, height: 64))
    #expect(photo.exif.original?.iso8601 == "2023-04-05T06:07:08")
    let read = try photo.read()
    #expect(read.warnings == [.noPreview] && !read.isPlain)
    #expect(try read.thumbnail().image.size == PixelSize(width: 48, height: 64))
    #expect(try read.master(target: .standard, maxByteCount: .max) == nil)
    let error = try #require(throws: ImagingError.self) { _ = try photo.decode() }
    #expect(error.code == .unsupported)
    #expect(error.message == "It is a TIFF with \(kind.words), which is not read.")
  }

  @Test(arguments: kinds)
  func `a TIFF of such a kind whose picture is not wholly there is refused`(kind: Kind) throws {
    var page = kind.page
    page.missingByteCount = 100_000
    #expect(errorCode { _ = try photoFile(TIFFFixture([page]).bytes).read() } == .truncated)
    page = kind.page
    page.fields[page.isTiled ? 0x0142 : 0x0116] = .shorts([1])
    #expect(errorCode { _ = try photoFile(TIFFFixture([page]).bytes).read() } == .corrupt)
  }

  @Test func `a chunk that does not decode is damage`() throws {
    for compression in [5, 8] as [UInt16] {
      var page = TIFFFixture.Page(Self.size, samples: Self.samples(8))
      page.fields[0x0103] = .shorts([compression])
      let photo = try photoFile(TIFFFixture([page]).bytes)
      #expect(errorCode { _ = try photo.read() } == .corrupt)
    }
  }

  @Test(.enabled(if: Fixtures.sharedCases != nil, "the shared cases are not here"))
  func `the shared TIFFs are read, or kept without a preview`() throws {
    let folder = try #require(Fixtures.sharedCases) + "/pictures/"
    func photo(_ name: String) throws -> PhotoFile {
      try photoFile(try #require(FileManager.default.contents(atPath: folder + name)))
    }
    let big = try photo("bigtiff/big.tif")
    #expect(big.exif.changed?.iso8601 == "2024-05-06T07:08:09")
    for name in ["half.tif", "planar_tiled.tif"] {
      #expect(try photo("tiff-called-damaged/" + name).read().warnings == [.noPreview])
    }
    let dated = try photo("date-in-ifd0/date_ifd0.jpg")
    #expect(dated.exif.original?.iso8601 == "2019-03-04T05:06:07")
    let iptc = try photo("iptc-windows-1252/iptc_cp1252.jpg").iptc
    #expect(iptc.caption == "„Königin der Nacht“ – 5 €")
    #expect(iptc.keywords == ["Größe", "50 €"])
  }
}
