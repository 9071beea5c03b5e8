import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// Every format's metadata as ExifTool writes and reads them.
@Suite struct MetadataFormatTests {
  static let exiftool: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { $0 + "/exiftool" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.exiftool))
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments)")
    return data
  }

  /// A fixture with some tags added. `-m`: a bare JPEG XL stream gets the boxes that it needs.
  private func photo(_ fixture: String, _ tags: [String]) throws -> (PhotoFile, [String: String]) {
    let folder = try TemporaryFolder()
    let path = try folder.copy("Colour/" + fixture, to: fixture)
    let names = tags.map { $0.prefix { $0 != "=" } }.map(String.init)
    // Written and read by one process: its start takes longer than both.
    let write = ["-m", "-q", "-overwrite_original"] + tags + [path]
    let read = try JSONSerialization.jsonObject(
      with: run(write + ["-execute", "-j"] + names + [path]))
    let answers = try #require((read as? [[String: Any]])?.first).compactMapValues { value in
      value as? String ?? (value as? NSNumber)?.stringValue
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    return (try photoFile(bytes), answers)
  }

  @Test(
    .enabled(if: exiftool != nil, "exiftool is not here"),
    arguments: [
      "srgb.jpg", "alpha.png", "lossless.webp", "rgb.tif", "photo.heic", "photo.avif", "photo.jxl",
    ])
  func `date, fraction, offset and GPS time are what ExifTool says`(fixture: String) throws {
    let (photo, answers) = try photo(
      fixture,
      [
        "-EXIF:DateTimeOriginal=2024:05:06 07:08:09", "-EXIF:SubSecTimeOriginal=25",
        "-EXIF:OffsetTimeOriginal=+05:30", "-EXIF:CreateDate=2024:05:07 01:02:03",
        "-EXIF:SubSecTimeDigitized=125", "-EXIF:OffsetTimeDigitized=-03:00",
        "-GPS:GPSDateStamp=2024:05:06", "-GPS:GPSTimeStamp=01:38:09.25",
      ])
    func answer(_ name: String) throws -> String { try #require(answers[name], "\(name)") }
    func iso(_ date: String) -> String {
      let parts = date.split(separator: " ")
      return parts[0].replacing(":", with: "-") + "T" + parts[1]
    }
    let original =
      try iso(answer("DateTimeOriginal")) + "." + answer("SubSecTimeOriginal") + "0"
      + answer("OffsetTimeOriginal")
    #expect(photo.exif.original?.iso8601 == original)
    let digitized =
      try iso(answer("CreateDate")) + "." + answer("SubSecTimeDigitized")
      + answer("OffsetTimeDigitized")
    #expect(photo.exif.digitized?.iso8601 == digitized)
    let gps = try iso(answer("GPSDateStamp") + " " + answer("GPSTimeStamp")) + "0Z"
    #expect(photo.exif.gps?.iso8601 == gps)
    #expect(photo.exif.unreadable.isEmpty)
  }

  @Test(
    .enabled(if: exiftool != nil, "exiftool is not here"),
    arguments: [
      "srgb.jpg", "alpha.png", "lossless.webp", "rgb.tif", "animated.gif", "photo.heic",
      "photo.avif", "photo.jxl",
    ])
  func `the date of the XMP packet is read, CreateDate too where it is alone`(
    fixture: String
  ) throws {
    for tag in ["XMP-exif:DateTimeOriginal", "XMP-xmp:CreateDate"] {
      let (photo, answers) = try photo(fixture, ["-\(tag)=2023:04:05 06:07:08.25+02:00"])
      #expect(answers.values.contains("2023:04:05 06:07:08.25+02:00"))
      let facts = XMP.facts(try #require(photo.xmp, "\(tag)"))
      #expect(facts?.time?.iso8601 == "2023-04-05T06:07:08.250+02:00")
    }
  }

  @Test func `a TIFF's own EXIF is read, and stays in its compressed copy`() throws {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2024:05:06 07:08:09")), (0x9011, .ascii("+05:30"))]
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(1, 1), (38, 1), (95, 10)]))]
    let photo = try photoFile(builder.added(to: Array(Fixtures.data("Colour/rgb.tif"))))
    #expect(photo.exif.original?.iso8601 == "2024-05-06T07:08:09+05:30")
    #expect(photo.exif.gps?.iso8601 == "2024-05-06T01:38:09.500Z")
  }

  @Test func `dates in the first directory count, after those in EXIF's`() throws {
    var builder = TIFFBuilder()
    builder.main = [
      (0x9003, .ascii("2019:03:04 05:06:07")), (0x9004, .ascii("2019:03:04 05:06:08")),
      (0x9011, .ascii("+02:00")), (0x9291, .ascii("5")),
    ]
    let bare = EXIF(block: builder.block)
    #expect(bare.original?.iso8601 == "2019-03-04T05:06:07.500+02:00")
    #expect(bare.digitized?.iso8601 == "2019-03-04T05:06:08" && bare.unreadable.isEmpty)
    builder.exif = [
      (0x9003, .ascii("    :  :     :  :  ")), (0x9004, .ascii("2020:01:02 03:04:05")),
    ]
    let both = EXIF(block: builder.block)
    #expect(both.original == bare.original)
    #expect(both.digitized?.iso8601 == "2020-01-02T03:04:05")
    // They stay in copies.
    var page = TIFFFixture.Page((256, 256), grey: 100)
    let slopes = (0..<65_536).map { (place: Int) -> UInt8 in
      UInt8(100 + (place % 256 + place / 256) % 50)
    }
    page.pieces = [slopes]
    page.fields[0x9003] = .ascii("2019:03:04 05:06:07")
    let photo = try photoFile(TIFFFixture([page]).bytes)
    #expect(photo.exif.original?.iso8601 == "2019-03-04T05:06:07")
    let master = try #require(
      try photo.decode()
        .master(of: photo, target: PerceptualTarget(score: 30), maxByteCount: .max))
    #expect(try PhotoFile(bytes: master.bytes, format: .jpeg).exif == photo.exif)
  }

  @Test func `a TIFF's EXIF stays in its compressed copy, which stands upright`() throws {
    let side = 256
    var file = TIFFBuilder()
    // Grey, 8 bits, in one strip behind the directory of ten fields, to be turned by a quarter.
    let fields: [(UInt16, Int)] = [
      (0x0100, side), (0x0101, side), (0x0102, 8), (0x0103, 1), (0x0106, 1),
      (0x0111, 8 + 2 + 12 * 10 + 4), (0x0112, 6), (0x0115, 1), (0x0116, side),
      (0x0117, side * side),
    ]
    file.main = fields.map { ($0, .long(UInt32($1))) }
    let waves = (0..<(side * side)).map { place -> UInt8 in
      let (x, y) = (Double(place % side), Double(place / side))
      return UInt8(128 + 60 * sin(x / 9) * cos(y / 13) + 40 * sin((x + y) / 5))
    }
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2024:05:06 07:08:09")), (0x9011, .ascii("+05:30"))]
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(1, 1), (38, 1), (95, 10)]))]
    let photo = try photoFile(builder.added(to: file.block + waves))
    #expect(photo.orientation == 6)
    let master = try #require(
      try photo.decode().master(of: photo, target: .standard, maxByteCount: .max))
    let copy = try PhotoFile(bytes: master.bytes, format: .jpeg)
    #expect(photo.exif.original != nil && copy.exif == photo.exif)
    #expect(copy.orientation == 1)
  }

  /// HEIF's containers turn their pictures themselves; `HEIFTests` has these.
  @Test(
    .enabled(if: exiftool != nil, "exiftool is not here"),
    .enabled(if: Fixtures.sharedPhotos != nil, "the shared photos are not here"))
  func `the orientation of the shared photos is what ExifTool says`() throws {
    let folder = try #require(Fixtures.sharedPhotos) + "/zoo"
    let read = try JSONSerialization.jsonObject(
      with: run(["-q", "-j", "-n", "-r", "-IFD0:Orientation", "-FileType", folder]))
    var count = 0
    for answer in try #require(read as? [[String: Any]]) {
      let path = try #require(answer["SourceFile"] as? String)
      guard let data = FileManager.default.contents(atPath: path),
        let photo = try? photoFile(data), ![.heic, .avif, .jxl, .gif].contains(photo.format)
      else { continue }
      let tag = answer["Orientation"] as? Int ?? 1
      #expect(photo.orientation == ((1...8).contains(tag) ? tag : 1), "\(path)")
      count += 1
    }
    #expect(count > 50)
  }
}
