/// Where a photo's date came from, most trusted first.
public enum CaptureSource: String, Sendable, CaseIterable {
  /// An XMP sidecar, which people edit on purpose.
  case sidecar
  /// EXIF DateTimeOriginal (0x9003) or, failing that, DateTimeDigitized (0x9004). A photo without any other date has
  /// DateTime (0x0132), with the warning ``ImportWarning/dateIsChangeTime``.
  case exif
  /// The XMP packet inside the file, for photos that lost their EXIF in an editor.
  case xmp
  /// The IPTC data inside the file.
  case iptc
  /// The text `Creation Time` in a PNG.
  case png
  /// EXIF GPSDateStamp and GPSTimeStamp, which are UTC.
  case gps
  /// A Google Takeout JSON file's `photoTakenTime`, which is UTC.
  case takeout
  /// The file's name.
  case filename
  /// The file's modification time, or the time of the import, with the warning ``ImportWarning/dateIsImportTime``, if
  /// that was in the future.
  case mtime
  /// Set by the user.
  case manual
}

extension RecordedTime {
  /// Whether two times that were recorded for a picture are the same: of either, a part may be unknown, such as the
  /// offset, the fraction of a second or the time of day.
  package func agrees(with other: RecordedTime) -> Bool {
    if let own = moment, let theirs = other.moment { return own == theirs }
    let (own, theirs) = (wallText, other.wallText)
    return own.hasPrefix(theirs) || theirs.hasPrefix(own)
  }

  /// The second of a time that does not depend on a zone.
  private var moment: Int64? {
    switch self {
    case .zoned(let wall, let offset):
      wall.timestamp(offset: offset).milliseconds / 1000
    case .instant(let instant): instant.milliseconds / 1000
    default: nil
    }
  }

  /// The text without the fraction of a second and the offset.
  private var wallText: Substring { iso8601.prefix(19).prefix { $0 != "Z" } }
}

/// When a photo was taken, and how that is known.
public struct CaptureTime: Hashable, Sendable {
  /// The time as it was recorded, with nothing added.
  public let recorded: RecordedTime
  /// The source of the time.
  public let source: CaptureSource

  public init(recorded: RecordedTime, source: CaptureSource) {
    self.recorded = recorded
    self.source = source
  }
}
