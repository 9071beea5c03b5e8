package import Fields
package import Foundation

extension LocalDay: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

extension RecordedTime: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .text(let text) = scalar, let time = RecordedTime(text) else { return nil }
    self = time
  }

  package var scalar: Scalar { .text(iso8601) }
}

/// A time without an offset is taken as UTC.
extension Timestamp: FieldValue {
  package init?(_ scalar: Scalar) {
    guard let time = RecordedTime(scalar)?.withKnownDay else { return nil }
    self = EntryTime(time, in: .gmt).instant
  }

  package var scalar: Scalar { .text(RecordedTime.instant(self).iso8601) }
}

extension Kind<LocalDay> {
  package static let day = Kind(
    .written(
      TextForm(
        takes: "a day such as 2026-03-01", input: "date", format: "date", isQuoted: false,
        fromCell: isoDay)))
}

extension Kind<[LocalDay]> {
  package static let days = Kind(.list(Kind<LocalDay>.day.rule))
}

/// A time in a cell: `Z` is a moment without a known zone, and `+00:00` a clock that shows UTC (RFC 9557, 2.2).
package struct CellTime: WrittenValue {
  package let time: RecordedTime

  package init(_ time: RecordedTime) { self.time = time }

  package init?(written text: String) {
    guard let time = RecordedTime(text)?.withKnownDay else { return nil }
    guard text.hasSuffix("Z"), case .zoned(let wall, let offset) = time else {
      self.init(time)
      return
    }
    self.init(.instant(wall.timestamp(offset: offset)))
  }

  package var description: String {
    if case .zoned(let wall, .utc) = time { return "\(wall)+00:00" }
    return time.iso8601
  }
}

/// The time of a photo as it is sent with its file: a moment of which no local time is known has the offset `-00:00`
/// (RFC 3339, 4.3), as `Z` is read as the offset of a clock.
package struct SentTime: WrittenValue {
  package let time: RecordedTime

  package init(_ time: RecordedTime) { self.time = time }

  package init?(written text: String) {
    guard let time = RecordedTime(text) else { return nil }
    guard text.hasSuffix("-00:00"), case .zoned(let wall, let offset) = time else {
      self.init(time)
      return
    }
    self.init(.instant(wall.timestamp(offset: offset)))
  }

  package var description: String {
    if case .instant(let instant) = time { return "\(LocalDateTime(utc: instant))-00:00" }
    return time.iso8601
  }
}

/// The regular expressions of days and times (ECMA-262), which take every text that is read.
package enum TimePattern {
  /// 0001 to 9999.
  static let year = "([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
  package static let day = "\(year)-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
  static let clock = "T([01][0-9]|2[0-3]):[0-5][0-9](:([0-5]?[0-9]|60)([.][0-9]+)?)?"
  static let offset = "([Zz]|[+-][01][0-9](:?[0-5][0-9](:?[0-5][0-9])?)?)"
  static let time = "^\(day)(\(clock)\(offset)?)?$"
}

private let timeForm = TextForm(
  takes: "a time such as 2026-03-01T09:30, or a day", input: "datetime-local",
  pattern: TimePattern.time, isQuoted: false,
  // LibreOffice writes times with a space.
  fromCell: { isoDay($0).replacing(" ", with: "T", maxReplacements: 1) },
  isTaken: { RecordedTime($0)?.withKnownDay != nil })

extension Kind<RecordedTime> {
  /// A time of an entry, of which at least the day is known.
  package static let time = Kind(.written(timeForm))
  /// The time of a photo, of which a month or a year may be all that is known.
  package static let captureTime = Kind(.written(captureForm))
}

private let captureForm = TextForm(
  takes: "a time such as 2026-03-01T09:30, a day, a month or a year",
  pattern: "\(TimePattern.time)|^\(TimePattern.year)(-(0[1-9]|1[0-2]))?$")

extension Kind<SentTime> {
  package static let captureTime = Kind(.written(captureForm))
}

extension Kind<CellTime> {
  package static let time = Kind(.written(timeForm))
}

extension TimeZone: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .text(let name) = scalar else { return nil }
    self.init(identifier: name)
  }

  package var scalar: Scalar { .text(identifier) }
}

extension Kind<TimeZone> {
  package static let timeZone = Kind(
    .written(TextForm(takes: "a time zone such as Europe/Berlin")))
}

extension BlobID: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .text(let digits) = scalar else { return nil }
    self.init(hex: digits)
  }

  package var scalar: Scalar { .text(hex) }
}

extension Kind<BlobID> {
  package static let digest = Kind(
    .written(
      TextForm(takes: "a SHA-256 of 64 hexadecimal digits", pattern: "^[0-9a-f]{64}$")))
}

extension Kind<Timestamp> {
  /// A moment, written with its offset.
  package static let offsetMoment = Kind(
    .written(
      TextForm(
        takes: "a time such as 2026-03-01T09:30:00Z",
        pattern: "^\(TimePattern.day)\(TimePattern.clock)\(TimePattern.offset)$",
        isTaken: { if case .zoned? = RecordedTime($0) { true } else { false } })))

  package static let moment = Kind(
    .written(
      TextForm(
        takes: "a time such as 2026-03-01T09:30:00Z", input: "datetime-local", format: "date-time",
        isQuoted: false)))
}

extension Kind<String> {
  package static let emoji = Kind(
    .written(
      TextForm(takes: "one emoji", isTaken: { $0.tidied?.isOneEmoji ?? true })))
}

extension Kind where Value: WrittenValue {
  /// An id of an entry, a plant or an activity.
  package static var id: Kind {
    Kind(.written(TextForm(takes: "32 hexadecimal digits", pattern: "^[0-9a-f]{32}$")))
  }
}

extension Kind<QuoteID> {
  package static let id = Kind(
    .written(
      TextForm(
        takes: "32 hexadecimal digits, or b or g and a number",
        pattern: "^([0-9a-f]{32}|[bg][0-9]{1,8})$")))
}

/// A day or time as a spreadsheet shows it in German and other languages, `25.11.2026 9:30`, in the form of ISO 8601; any
/// other text as it is. No language has the month before the day where there are dots between them.
@Sendable private func isoDay(_ text: String) -> String {
  guard
    let parts = text.wholeMatch(of: /(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:[ T](\d{1,2})(:.*))?/)
  else { return text }
  func padded(_ number: Substring) -> String { number.count == 1 ? "0" + number : String(number) }
  let day = "\(parts.3)-\(padded(parts.2))-\(padded(parts.1))"
  guard let hour = parts.4, let rest = parts.5 else { return day }
  return "\(day) \(padded(hour))\(rest)"
}

extension CaptureSource: FieldValue {}
extension BucketUnit: FieldValue {}

extension CalendarMonth: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

extension Kind<CalendarMonth> {
  package static let month = Kind(
    .written(
      TextForm(takes: "a month such as 2026-03", pattern: "^\(TimePattern.year)-(0[1-9]|1[0-2])$")))
}

extension Cursor: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

extension Kind<Cursor> {
  /// The place of an entry in a listing.
  package static let position = Kind(
    .written(TextForm(takes: "a page's `next` or `previous`", pattern: "^\(Cursor.pattern)$")))
}
