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
  package init(block: some Collection<UInt8>) { self.init(TIFFStructure(block: block)) }

  /// Reads a TIFF file, in whose own directories EXIF is.
  init(tiffFile: ByteBuffer) { self.init(TIFFStructure(tiffFile)) }

  private init(_ tiff: TIFFStructure?) {
    guard let tiff else { return }
    let main = tiff.main
    let exif = tiff.children(of: main, TIFFStructure.Tag.exifIFD).first ?? [:]
    func text(_ field: TIFFStructure.Field?) -> String? { field.flatMap(tiff.text) }
    original = time(
      .original, text(exif[0x9003]), fraction: text(exif[0x9291]), offset: text(exif[0x9011]))
    digitized = time(
      .digitized, text(exif[0x9004]), fraction: text(exif[0x9292]), offset: text(exif[0x9012]))
    changed = time(
      .changed, text(main[0x0132]), fraction: text(exif[0x9290]), offset: text(exif[0x9010]))
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
