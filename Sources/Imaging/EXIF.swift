package import DiaryModel

/// What an EXIF block (EXIF 2.32, CIPA DC-008) says of a photo's time.
package struct EXIF: Sendable, Equatable {
  /// DateTimeOriginal (0x9003) with SubSecTimeOriginal (0x9291) and OffsetTimeOriginal (0x9011).
  package var original: RecordedTime?
  /// DateTimeDigitized (0x9004), which ExifTool calls CreateDate, with 0x9292 and 0x9012.
  package var digitized: RecordedTime?
  /// GPSDateStamp (0x001D) and GPSTimeStamp (0x0007), UTC.
  package var gps: RecordedTime?

  /// Nothing known.
  package init() {}

  /// Reads a block that starts with a TIFF header, or with `Exif\0\0` before one. What does not
  /// parse is as good as absent.
  package init(block: some Collection<UInt8>) {
    let marker: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    let bytes = block.starts(with: marker) ? block.dropFirst(marker.count) : block[...]
    guard let tiff = TIFFStructure(bytes: bytes) else { return }
    let main = tiff.main
    if let exif = tiff.children(of: main, TIFFStructure.Tag.exifIFD).first {
      original = Self.time(tiff, exif, date: 0x9003, fraction: 0x9291, offset: 0x9011)
      digitized = Self.time(tiff, exif, date: 0x9004, fraction: 0x9292, offset: 0x9012)
    }
    if let directory = tiff.children(of: main, TIFFStructure.Tag.gpsIFD).first {
      gps = Self.gpsTime(tiff, directory)
    }
  }

  private static func time(
    _ tiff: TIFFStructure, _ directory: TIFFStructure.Directory, date: UInt16, fraction: UInt16,
    offset: UInt16
  ) -> RecordedTime? {
    func text(_ tag: UInt16) -> String? { directory[tag].flatMap(tiff.text) }
    guard let date = text(date), let wall = DateText.exif(date, fraction: text(fraction))
    else { return nil }
    if let offset = text(offset).flatMap({ UTCOffset($0) }) { return .zoned(wall, offset) }
    return .wall(wall)
  }

  private static func gpsTime(
    _ tiff: TIFFStructure, _ directory: TIFFStructure.Directory
  ) -> RecordedTime? {
    guard let date = directory[0x1D].flatMap(tiff.text), let time = directory[0x07],
      case let parts = tiff.rationals(time), parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second < 61,
      let day = DateText.day(date),
      let wall = LocalDateTime(
        day: day, hour: Int(hour), minute: Int(minute), second: Int(second),
        millisecond: Int((second - second.rounded(.down)) * 1000))
    else { return nil }
    return .instant(wall.timestamp(offset: .utc))
  }
}
