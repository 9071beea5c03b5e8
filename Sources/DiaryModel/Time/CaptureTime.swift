/// Where a photo's date came from, most trusted first.
@nonexhaustive
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

/// A recorded time as it is compared with the times of other files of a picture.
package struct ComparedTime: Hashable, Sendable {
  /// The second of a time that does not depend on a zone.
  package let moment: Int64?
  /// The text without the fraction of a second and the offset.
  package let wallText: String

  package init(_ time: RecordedTime) {
    let milliseconds: Int64? =
      switch time {
      case .zoned(let wall, let offset): wall.timestamp(offset: offset).milliseconds
      case .instant(let instant): instant.milliseconds
      default: nil
      }
    // Rounded down, as a fraction counts on from its second, before 1970 as well.
    moment = milliseconds.map { $0 >= 0 ? $0 / 1000 : ($0 + 1) / 1000 - 1 }
    wallText = String(time.iso8601.prefix(Self.fullCount).prefix { $0 != "Z" })
  }

  /// Whether two times that were recorded for a picture are the same: of either, a part may be unknown, such as the
  /// offset, the fraction of a second or the time of day.
  package func agrees(with other: ComparedTime) -> Bool {
    if let moment, let theirs = other.moment { return moment == theirs }
    return wallText.hasPrefix(other.wallText) || other.wallText.hasPrefix(wallText)
  }

  /// The day, the month and the year that it lies in, as far as less is known of them than of the time itself.
  package var dates: [String] {
    [10, 7, 4].filter { $0 < wallText.count }.map { String(wallText.prefix($0)) }
  }

  /// The number of characters of a text up to its second.
  private static let fullCount = 19
}

extension RecordedTime {
  /// Whether two times that were recorded for a picture are the same (`ComparedTime`).
  package func agrees(with other: RecordedTime) -> Bool {
    ComparedTime(self).agrees(with: ComparedTime(other))
  }
}

/// When a photo was taken, and how that is known.
public struct CaptureTime: Hashable, Sendable {
  /// The time as it was recorded, with nothing added.
  public let recorded: RecordedTime
  /// The source of the time.
  public let source: CaptureSource

  /// Creates a capture time; the two are not checked against each other.
  public init(recorded: RecordedTime, source: CaptureSource) {
    self.recorded = recorded
    self.source = source
  }
}
