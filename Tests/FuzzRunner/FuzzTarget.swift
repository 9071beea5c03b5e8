internal import DiaryModel
internal import Foundation
internal import Imaging
internal import Leaflog
internal import TestSupport

/// The readers of untrusted bytes.
enum FuzzTarget: String, CaseIterable {
  case exif, tiff, xmp, takeout, fileName, jpeg, png, webp, gif, jxl, fileType, cursor, times
  case diaryJSON, diaryCSV, coefficients, heif, sequence, coordinates
  /// Everything that an import and a page make of a photo, for tools that watch memory.
  case pictures
  /// The control: a reader that crashes the process.
  case trap

  func read(_ input: [UInt8]) {
    var text: String { String(decoding: input, as: UTF8.self) }
    switch self {
    case .exif: place(EXIF(block: input))
    case .tiff: header(input, .tiff)
    case .xmp: place(XMP.facts(input), .xmp)
    case .takeout: place(Takeout.facts(input), .takeout)
    case .fileName:
      var evidence = CaptureTimeEvidence(modified: Self.now)
      evidence.fileName = FileNameDate(
        name: text, in: text.split(separator: "/").map(String.init))
      place(evidence)
    case .jpeg: header(input, .jpeg)
    case .coefficients: coefficients(input)
    case .png: header(input, .png)
    case .webp: header(input, .webp)
    case .gif: header(input, .gif)
    case .jxl: header(input, .jxl)
    case .heif: header(input, .heic)
    case .sequence: header(input, .avif)
    case .pictures: pictures(input)
    case .fileType: input.withUnsafeBytes { _ = FileType(head: $0) }
    case .cursor:
      guard let cursor = Cursor(text) else { return }
      precondition(Cursor(cursor.description) == cursor)
      place(.instant(cursor.instant))
    case .times:
      _ = UTCOffset(text).map(\.description)
      _ = CalendarMonth(text).map { $0.weeks() }
      if let time = RecordedTime(text) { place(time) }
    case .coordinates: _ = CoordinateSearch(text)
    case .diaryJSON: diary(input, "diary.json")
    case .diaryCSV: diary(input, "symptoms.csv")
    case .trap: precondition(input.count < 12, "as it is meant to")
    }
  }

  private static let now = Timestamp(milliseconds: 1_760_000_000_000)
  private static let zones = ["UTC", "America/St_Johns", "Pacific/Apia"]
    .compactMap(TimeZone.init(identifier:))

  /// Processes a file of a format, up to its pixels.
  private func header(_ input: [UInt8], _ format: ImageFormat) {
    let file = SharedBytes(copying: input)
    guard file.withUnsafeBytes({ FileType(head: $0) }) == .image(format) else { return }
    _ = try? LocationRemoval.strip(file, format: format)
    guard let photo = try? PhotoFile(bytes: file, format: format) else { return }
    place(photo.exif)
    _ = (photo.lostInCopy, photo.hasMetadataForJPEG)
    _ = PictureData.ranges(of: file, format)
    var evidence = CaptureTimeEvidence(modified: Self.now)
    evidence.iptc = photo.iptc
    evidence.take(pngText: photo.pngCreationTime)
    place(evidence)
    place(photo.xmp.flatMap { XMP.facts($0) }, .xmp)
  }

  /// Reads a JPEG as an import does, including its coefficients.
  private func coefficients(_ input: [UInt8]) {
    let file = SharedBytes(copying: input)
    guard file.withUnsafeBytes({ FileType(head: $0) }) == .image(.jpeg),
      let photo = try? PhotoFile(bytes: file, format: .jpeg),
      photo.storedSize.pixelCount < 1 << 22, let source = photo.coefficients()
    else { return }
    _ = try? source.thumbnail()
    _ = try? source.master(target: .standard, maxByteCount: .max)
  }

  private func pictures(_ input: [UInt8]) {
    let file = SharedBytes(copying: input)
    guard case .image(let format) = file.withUnsafeBytes({ FileType(head: $0) }),
      let photo = try? PhotoFile(bytes: file, format: format), let source = try? photo.read()
    else { return }
    _ = try? source.thumbnail()
    _ = try? source.master(target: .standard, maxByteCount: .max)
    guard let decoded = try? photo.decode() else { return }
    _ = try? decoded.preview()
    _ = try? decoded.frame(side: 100)
  }

  private func place(_ exif: EXIF) {
    var evidence = CaptureTimeEvidence(modified: Self.now)
    evidence.exif = exif
    place(evidence)
  }

  private func place(_ facts: SidecarFacts?, _ source: CaptureSource) {
    var evidence = CaptureTimeEvidence(modified: Self.now)
    evidence.take(facts, from: source)
    place(evidence)
    if let time = facts?.time {
      let packet = XMPPacket(time: time, notes: facts?.notes, plant: facts?.plant)
      precondition(XMP.facts(packet.bytes) != nil)
    }
  }

  private func place(_ evidence: CaptureTimeEvidence) {
    place(evidence.resolve(now: Self.now).0.recorded)
  }

  /// Places a time on a timeline.
  private func place(_ time: RecordedTime) {
    _ = CaptureTimeEvidence.doubt(about: time, now: Self.now)
    for zone in Self.zones {
      let placed = EntryTime(time, in: zone)
      _ = (placed.localDay.description, placed.recorded.iso8601)
      _ = EntryTime(placed.on(LocalDay(dayNumber: 0)), in: zone)
    }
  }

  private func diary(_ input: [UInt8], _ name: String) {
    _ = try? DiaryFile(reading: SourceText(name: name, bytes: input), in: Self.zones[1])
  }
}

extension FuzzTarget {
  /// Small valid inputs.
  func seeds() throws -> [[UInt8]] {
    func fixtures(_ names: String...) throws -> [[UInt8]] {
      try names.map { Array(try Fixtures.data($0)) }
    }
    switch self {
    case .exif: return [true, false].map { Self.block(isLittleEndian: $0).block }
    case .tiff:
      var small = TIFFFixture.Page((8, 8), grey: 9)
      small.fields[0x00FE] = .longs([1])
      small.subdirectories = [TIFFFixture.Page((12, 12), grey: 90)]
      var large = TIFFFixture.Page((16, 16), grey: 99)
      large.exif = [0x9003: .ascii("2024:05:06 07:08:09")]
      var half = large
      half.fields[0x0153] = .shorts([3])
      half.fields[0x0102] = .shorts([16])
      half.pieces = [Array(repeating: 60, count: 512)]
      return [
        Self.block(isLittleEndian: true).added(to: try fixtures("Colour/rgb.tif")[0]),
        TIFFFixture([large], isBig: true).bytes, TIFFFixture([small, large]).bytes,
        TIFFFixture([small], isBig: true, isLittleEndian: false).bytes, TIFFFixture([half]).bytes,
      ]
    case .xmp:
      let time = RecordedTime.wall(LocalDateTime(startOf: LocalDay(dayNumber: 20_000)))
      let packet = XMPPacket(time: time, notes: "leaf & <bud>", plant: "fern").bytes
      let wide = String(decoding: packet, as: UTF8.self).data(using: .utf16) ?? Data()
      return [packet, Array(wide)]
    case .takeout:
      return [
        Array(#"{"description": "two", "photoTakenTime": {"timestamp": "1696573800"}}"#.utf8)
      ]
    case .fileName:
      return [
        "PXL_20210518_205931163.jpg", "2021-05-21 at 13.21.31.jpeg", "20210521T132131+0100.j",
      ]
      .map { Array($0.utf8) }
    case .jpeg:
      let plain = try fixtures("Colour/srgb.jpg")[0]
      let exif = Array("Exif\0\0".utf8) + Self.block(isLittleEndian: true).block
      let count = exif.count + 2
      let segment: [UInt8] = [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF)]
      let resources = EmbeddedMetadata.resources(iptc: Self.iptc)
      return [
        plain, plain[..<2] + segment + exif + plain[2...],
        EmbeddedMetadata.jpeg(
          plain, marker: 0xED, Array("Photoshop 3.0\0".utf8) + resources),
      ]
    case .coefficients:
      return try fixtures("Colour/srgb.jpg", "Colour/grey.jpg", "Colour/progressive.jpg")
    case .png:
      let plain = try fixtures("Colour/alpha.png")[0]
      let profile = EmbeddedMetadata.rawProfile("iptc", Self.iptc)
      let text = EmbeddedMetadata.text("Raw profile type iptc", profile)
      let exif = Self.block(isLittleEndian: true).block
      return [
        plain, EmbeddedMetadata.png(plain, "tEXt", text, .beforePixels),
        EmbeddedMetadata.png(plain, "eXIf", exif, .atEnd),
        EmbeddedMetadata.png(
          plain, "iTXt",
          EmbeddedMetadata.internationalText("Title", "leaf", language: "en", isCompressed: true),
          .atEnd),
      ]
    case .webp: return try fixtures("Colour/lossless.webp")
    case .gif: return try fixtures("Colour/animated.gif")
    case .jxl:
      let stream = try fixtures("Colour/photo.jxl")[0]
      func box(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count + 8).bigEndian) { Array($0) } + Array(type.utf8)
          + bytes
      }
      let start =
        box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
      let exif = box("Exif", [0, 0, 0, 0] + Self.block(isLittleEndian: true).block)
      return [stream, start + exif + box("xml ", Array("<a/>".utf8)) + box("jxlc", stream)]
    case .heif:
      var builder = HEIFBuilder()
      builder.exif = HEIFBuilder.exifItem(Self.block(isLittleEndian: true).block)
      builder.quarterTurns = 1
      builder.codes = (12, 13)
      builder.auxiliary = "urn:mpeg:hevc:2015:auxid:2"
      var open = builder
      open.endsOpen = true
      var unread = builder
      unread.codec = "j2k1"
      let source = try fixtures("Colour/photo.heic")[0]
      return [builder, open, unread].map { $0.file(source) }
    case .sequence:
      return [
        HEIFBuilder.sequence(size: (64, 48), exif: Self.block(isLittleEndian: true).block)
      ]
    case .pictures: return try fixtures("Colour/srgb.jpg", "Colour/photo.heic")
    case .fileType:
      return try fixtures("Colour/srgb.jpg", "Colour/photo.heic", "Colour/rgb.tif").map {
        Array($0.prefix(FileType.headByteCount))
      }
    case .cursor:
      let cursor = Cursor.time(EntryTime(.instant(Self.now), in: .gmt), heading: .older)
      return [Array(cursor.description.utf8)]
    case .times:
      return [
        "2026-03-01T09:30:59.5-03:30", "2026-03-01", "+00:53:28", "2026-03", "9999-12-31T23:59",
        "1978",
      ]
      .map { Array($0.utf8) }
    case .coordinates:
      return [
        "lat: -52.52°, 13°24'18\"E", "5231.2,N,01324.3,E", "+52.52+013.40/ 9F4MGC8G+5X @1.5,2",
      ]
      .map { Array($0.utf8) }
    case .diaryJSON: return try fixtures("Diary/okie-1.0.json", "Diary/okie-1.1.json")
    case .diaryCSV:
      return [Array("occurredAt,symptom,severity,notes\n2026-03-01T09:30,cough,3,\"a, b\"\n".utf8)]
    case .trap: return [[1, 2, 3]]
    }
  }

  private static let iptc = EmbeddedMetadata.iptc([(0x37, "20210521"), (0x3C, "131451+0200")])

  private static func block(isLittleEndian: Bool) -> TIFFBuilder {
    var builder = TIFFBuilder()
    builder.isLittleEndian = isLittleEndian
    builder.main = [(0x010F, .ascii("A camera of long standing"))]
    builder.exif = [
      (0x9003, .ascii("2024:05:06 07:08:09")), (0x9011, .ascii("+05:30")), (0x9291, .ascii("25")),
    ]
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(7, 1), (8, 1), (95, 10)]))]
    return builder
  }

  /// Words that have a meaning for the reader.
  var words: [String] {
    switch self {
    case .xmp:
      [
        "<rdf:li>", "</rdf:li>", "<rdf:Description>", "xml:lang=\"x-default\"", "<!DOCTYPE a [",
        "&#0;",
        "&#x10FFFF;", "<![CDATA[", "]]>", "<!--", "xmlns:", "\u{F4}", "exif:GPSTimeStamp=\"",
        "9999-12-31T23:59:59-18:00", "0001-01-01T00:00:00+18:00",
      ]
    case .takeout, .diaryJSON:
      [
        "9223372036854775807", "-9223372036854775808", "1e308", "1e-400", "\\ud800", "null", "[[[[",
        "{",
      ]
    case .fileName, .times:
      [
        "9999", "0000", "12", "31", "23:59:60", "T", "Z", "+18:00", "-1800", "٣", "９",
        "99999999999999999999",
      ]
    case .diaryCSV: ["\"", "\r\n", ",", "99999999999999999999", "1e308", "0001-01-01"]
    case .jpeg, .coefficients: ["MPF\0", "Exif\0\0", "ftypmp42", "Photoshop 3.0\0", "8BIM"]
    case .gif: ["XMP DataXMP", "!\u{FF}"]
    case .jxl: ["Exif", "xml ", "brob", "jxlp", "jxlc"]
    case .exif, .tiff: ["2024:05:06 07:08:09", "Exif\0\0"]
    case .fileType: ["ftyp", "IIRO", "WEBP", "crx "]
    case .png: ["iTXt", "eXIf", "zTXt", "IEND", "Title\0", "pHYs"]
    case .coordinates: ["°", "'", "\"", "lon", "N", "-", "+", ",", ".", "9999999999"]
    case .webp: ["EXIF", "XMP ", "VP8X", "ANMF"]
    case .sequence: ["moov", "trak", "meta", "stsd", "mini"]
    case .heif: ["irot", "auxl", "iloc", "ipma", "colr", "nclx", "mpvd"]
    case .cursor, .trap, .pictures: []
    }
  }
}
