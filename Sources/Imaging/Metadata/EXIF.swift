package import DiaryModel

/// The capture times in an EXIF block (EXIF 2.32, CIPA DC-008).
package struct EXIF: Sendable, Equatable {
  /// The dates that a block may have.
  package enum Date: Sendable, CaseIterable {
    case original, digitized, gps, changed
  }

  /// DateTimeOriginal (0x9003) with SubSecTimeOriginal (0x9291) and OffsetTimeOriginal (0x9011).
  package var original: RecordedTime?
  /// DateTimeDigitized (0x9004), which ExifTool calls CreateDate, with 0x9292 and 0x9012.
  package var digitized: RecordedTime?
  /// GPSDateStamp (0x001D) and GPSTimeStamp (0x0007), UTC; the day alone if there is no time that can be read.
  package var gps: RecordedTime?
  /// DateTime (0x0132) with SubSecTime (0x9290) and OffsetTime (0x9010): when a program last changed the file.
  package var changed: RecordedTime?
  /// The dates that are present but cannot be read. Blanks and zeros do not count: they say that a date
  /// is unknown (EXIF 2.32, 4.6.5).
  package var unreadable: Set<Date> = []
  /// The dates of which only the day can be read, although there is a time of day.
  package var partlyRead: Set<Date> = []

  /// No dates.
  package init() {}

  /// Reads a block with a TIFF header. Fields that do not parse count as absent.
  package init(block: some Collection<UInt8>) {
    let tiff = TIFFStructure(block: block)
    self.init(tiff, tiff?.main)
  }

  /// Reads a TIFF file, in whose own directories EXIF is.
  init(tiffFile: SharedBytes) {
    let tiff = TIFFStructure(tiffFile)
    self.init(tiff, tiff?.metadata)
  }

  /// - Parameter main: the directory with the dates, which also points to those of EXIF and GPS.
  init(_ tiff: TIFFStructure?, _ main: TIFFStructure.Directory?) {
    guard let tiff, let main else { return }
    let exif = tiff.children(of: main, TIFFStructure.Tag.exifIFD).first ?? [:]
    func text(_ field: TIFFStructure.Field?) -> String? { field.flatMap(tiff.text) }
    // TIFF/EP (ISO 12234-2) and ACDSee have the dates in the first directory.
    for directory in [exif, main] {
      original =
        original
        ?? time(
          .original, text(directory[0x9003]), fraction: text(directory[0x9291]),
          offset: text(directory[0x9011]))
      digitized =
        digitized
        ?? time(
          .digitized, text(directory[0x9004]), fraction: text(directory[0x9292]),
          offset: text(directory[0x9012]))
    }
    changed = time(
      .changed, text(main[0x0132]), fraction: text(exif[0x9290] ?? main[0x9290]),
      offset: text(exif[0x9010] ?? main[0x9010]))
    if let directory = tiff.children(of: main, TIFFStructure.Tag.gpsIFD).first {
      gps = gpsTime(tiff, directory)
    }
  }

  private mutating func time(
    _ kind: Date, _ date: String?, fraction: String?, offset: String?
  ) -> RecordedTime? {
    guard let date, !DateText.isBlank(date) else { return nil }
    return note(DateText.exif(date, fraction: fraction, offset: offset), kind)
  }

  private mutating func note(_ reading: DateText.Reading, _ kind: Date) -> RecordedTime? {
    if reading.time == nil { unreadable.insert(kind) }
    if reading.hasUnreadableClock { partlyRead.insert(kind) }
    return reading.time
  }

  private mutating func gpsTime(
    _ tiff: TIFFStructure, _ directory: TIFFStructure.Directory
  ) -> RecordedTime? {
    guard let date = directory[0x1D].flatMap(tiff.text), !DateText.isBlank(date) else { return nil }
    // GPSTimeStamp has its own tag, so a time of day in the text says nothing.
    var reading = DateText.exif(date, fraction: nil, offset: nil)
    let day = DateParts(date)?.day
    if let day { reading = DateText.Reading(time: .day(day)) }
    // Receivers that do not know a number write a fraction of zero.
    if let day, let time = directory[0x07], case let parts = tiff.rationals(time), parts.count == 3,
      let hour = parts[0], let minute = parts[1]
    {
      if let time = Self.moment(day, hour, minute, second: parts[2] ?? 0) {
        reading.time = .instant(time)
      } else {
        reading.hasUnreadableClock = true
      }
    }
    return note(reading, .gps)
  }

  private static func moment(
    _ day: LocalDay, _ hour: Double, _ minute: Double, second: Double
  ) -> Timestamp? {
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return LocalDateTime(
      day: day, hour: Int(hour), minute: Int(minute), second: Int(second),
      // A fraction in decimals is not exact in binary.
      millisecond: min(999, Int(((second - second.rounded(.down)) * 1000).rounded()))
    )?.timestamp(offset: .utc)
  }
}

/// The EXIF block of an upright copy.
struct EXIFBlock {
  /// Before the block stands `Exif\0\0`.
  private static let maxByteCount = JPEGMetadata.maxPayloadByteCount - 6
  /// The density of the pixels.
  private static let resolutions: (UInt16, UInt16) = (0x011A, 0x011B)
  /// The tags of a TIFF's own directory that are about the photo.
  private static let described: Set<UInt16> = Set(
    [
      // Names of the document and its page, description, maker, model, density and its unit, software, date, artist,
      // computer, copyright (TIFF 6.0; EXIF 2.32, 4.6.4).
      [0x010D, 0x011D, 0x010E, 0x010F, 0x0110, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B],
      [0x013C, 0x8298],
      // Windows' ratings, title, comment, author, keywords and subject.
      [0x4746, 0x4749, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F],
      // Of a camera, which TIFF/EP (ISO 12234-2) has here: exposure, aperture, programme, sensitivity; dates and their
      // offsets; from the shutter's speed to the focal length; comment, fractions of seconds, owner, lens.
      [0x829A, 0x829D, 0x8822, 0x8827, 0x9003, 0x9004], Array(0x9010...0x9012),
      Array(0x9201...0x920A), [0x9286], Array(0x9290...0x9292), Array(0xA430...0xA435),
    ].joined())
  /// MakerNote, the interoperability directory, and the size of the original picture.
  private static let leftOut: Set<UInt16> = [TIFFStructure.Tag.makerNote, 0xA005, 0xA002, 0xA003]

  /// The block, beginning with `Exif\0\0`.
  let bytes: [UInt8]

  /// Corrects another block in place, so that the offsets in maker notes stay valid: the orientation, the size of the
  /// picture, and no thumbnail, which may lie on its side. A block that does not fit into a JPEG is made anew, unless it
  /// has maker notes.
  ///
  /// - Parameter isTurned: whether the copy's sides are exchanged.
  init?(upright block: [UInt8], size: PixelSize, isTurned: Bool = false) {
    guard let start = block.withUnsafeBytes({ TIFFStructure.headerOffset(in: $0) }),
      let tiff = TIFFStructure(bytes: block[start...])
    else { return nil }
    var bytes = Array(block[start...])
    func write(_ value: Int, at offset: Int, size: Int) {
      for index in 0..<size {
        let shift = 8 * (tiff.isLittleEndian ? index : size - 1 - index)
        bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
      }
    }
    func set(_ field: TIFFStructure.Field?, to value: Int) {
      guard let field, let width = [1: 1, 3: 2, 4: 4][field.type], field.bytes.count >= width,
        value < 1 << (8 * width)
      else { return }
      write(value, at: field.bytes.startIndex, size: width)
    }
    let exif = tiff.children(of: tiff.main, TIFFStructure.Tag.exifIFD).first ?? [:]
    set(tiff.main[TIFFStructure.Tag.orientation], to: 1)
    for (directory, tags) in zip([tiff.main, exif], TIFFStructure.Tag.sizes) {
      set(directory[tags.width], to: size.width)
      set(directory[tags.height], to: size.height)
    }
    if isTurned, let across = tiff.main[Self.resolutions.0],
      let down = tiff.main[Self.resolutions.1], across.bytes.count == down.bytes.count
    {
      for (first, second) in zip(across.bytes.indices, down.bytes.indices) {
        (bytes[first], bytes[second]) = (down.bytes[second], across.bytes[first])
      }
    }
    if let thumbnail = tiff.thumbnail {
      for index in thumbnail { bytes[index] = 0 }
      // Nearly all blocks end with their thumbnail.
      if bytes[thumbnail.upperBound...].allSatisfy({ $0 == 0 }) {
        bytes.removeSubrange(thumbnail.lowerBound...)
      }
    }
    if let pointer = tiff.thumbnailPointer, pointer + 4 <= bytes.count {
      write(0, at: pointer, size: 4)
    }
    let hasMakerNote = exif[TIFFStructure.Tag.makerNote].map { $0.bytes.count > 4 } ?? false
    guard bytes.count > Self.maxByteCount, !hasMakerNote else {
      self.init(tiff: bytes)
      return
    }
    self.init(tiff, tiff.main, isTurned: isTurned)
  }

  private init(tiff: [UInt8]) { bytes = Array("Exif\0\0".utf8) + tiff }

  /// Makes a block from the directories of a TIFF file or of another block, without Orientation, tags that describe the
  /// samples, thumbnails, and maker notes, whose offsets are valid only in the original file.
  ///
  /// - Parameters:
  ///   - first: the directory that leads to the others.
  ///   - isTurned: whether the copy's sides are exchanged.
  init?(_ tiff: TIFFStructure, _ first: TIFFStructure.Directory, isTurned: Bool = false) {
    // Without the types that only BigTIFF has.
    func fields(_ directory: TIFFStructure.Directory?) -> TIFFStructure.Directory {
      directory?.filter { TIFFStructure.byteCounts[$0.value.type] != nil } ?? [:]
    }
    var main = fields(first).filter { Self.described.contains($0.key) }
    let (across, down) = Self.resolutions
    // A unit alone says nothing.
    if main[across] == nil, main[down] == nil { main[0x0128] = nil }
    if isTurned { (main[across], main[down]) = (main[down], main[across]) }
    let exif = fields(tiff.children(of: first, TIFFStructure.Tag.exifIFD).first)
    let gps = fields(tiff.children(of: first, TIFFStructure.Tag.gpsIFD).first)
    guard !(main.isEmpty && exif.isEmpty && gps.isEmpty) else { return nil }
    let parts = [main, exif.filter { !Self.leftOut.contains($0.key) }, gps]
    self.init(tiff: Self.block(parts, isLittleEndian: tiff.isLittleEndian))
  }

  private static func block(
    _ parts: [TIFFStructure.Directory], isLittleEndian: Bool
  ) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittleEndian ? bytes : bytes.reversed()
    }
    /// An entry of type LONG with one value.
    func pointer(_ tag: UInt16, _ place: Int) -> (UInt16, [UInt8]) {
      (tag, number(Int(tag), 2) + number(4, 2) + number(1, 4) + number(place, 4))
    }
    func directory(
      _ fields: TIFFStructure.Directory, _ pointers: [(UInt16, [UInt8])], at start: Int
    ) -> [UInt8] {
      var values: [UInt8] = []
      let valuesStart = start + 2 + 12 * (fields.count + pointers.count) + 4
      // In a fixed order, so that the same file always becomes the same copy.
      let entries = fields.sorted { $0.key < $1.key }.map { tag, field -> (UInt16, [UInt8]) in
        var entry = number(Int(tag), 2) + number(Int(field.type), 2) + number(field.count, 4)
        if field.bytes.count <= 4 {
          entry += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
        } else {
          entry += number(valuesStart + values.count, 4)
          values += field.bytes
          // Values begin at even offsets (TIFF 6.0, section 2).
          if values.count % 2 == 1 { values.append(0) }
        }
        return (tag, entry)
      }
      // Fields are sorted by tag.
      let sorted = (entries + pointers).sorted { $0.0 < $1.0 }.flatMap(\.1)
      return number(entries.count + pointers.count, 2) + sorted + number(0, 4) + values
    }
    let pointed = zip([TIFFStructure.Tag.exifIFD, TIFFStructure.Tag.gpsIFD], parts.dropFirst())
      .filter { !$1.isEmpty }
    let placeholder = pointed.map { pointer($0.0, 0) }
    var next = 8 + directory(parts[0], placeholder, at: 8).count
    var pointers: [(UInt16, [UInt8])] = []
    var children: [UInt8] = []
    for (tag, fields) in pointed {
      pointers.append(pointer(tag, next))
      let child = directory(fields, [], at: next)
      children += child
      next += child.count
    }
    return Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
      + directory(parts[0], pointers, at: 8) + children
  }
}
