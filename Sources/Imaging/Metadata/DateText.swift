internal import DiaryModel

/// Dates as cameras, editors and file names write them.
///
/// Of a date, everything is kept that can be read: a time of day that cannot leaves the day, and a day or a month that
/// is blank or zero leaves the month or the year.
package enum DateText {
  /// The contents of a text that should be a date.
  struct Reading: Equatable {
    /// Nil when not even a year can be read.
    var time: RecordedTime?
    /// Whether a time of day is there that could not be read.
    var hasUnreadableClock = false
  }

  /// Reads an EXIF date (`2024:05:06 07:08:09`) or one of the forms that real software writes instead.
  ///
  /// - Parameters:
  ///   - fraction: the text of the tag with the fraction of the second.
  ///   - offset: the text of the tag with the offset. One that no place has is ignored.
  static func exif(_ text: String, fraction: String?, offset: String?) -> Reading {
    guard var parts = DateParts(text) else { return Reading() }
    let digits = (fraction ?? "").prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty { parts.clock?.millisecond = millisecond(digits) }
    // Some programs write `Z` after local times, so it says nothing.
    let recorded = offset.flatMap { UTCOffset($0) } ?? (parts.isUTCByName ? nil : parts.offset)
    parts.offset = recorded.flatMap { $0.isInUse ? $0 : nil }
    return parts.reading
  }

  /// Reads a timestamp as used in XMP: ISO 8601 with or without an offset, any beginning of it down to the year, or what
  /// is written instead.
  static func timestamp(_ text: String) -> Reading {
    DateParts(text)?.reading ?? Reading()
  }

  /// Reads the date in a PNG's text, which should be that of an e-mail (RFC 1123). UTC by name says nothing about the
  /// clocks where the picture was made, so it is a moment.
  static func pngText(_ text: String) -> Reading {
    var reading = timestamp(text)
    if case .zoned(let wall, .utc) = reading.time {
      reading.time = .instant(wall.timestamp(offset: .utc))
    }
    return reading
  }

  /// Reads IPTC's dates, `20210521` with `131451+0200`, and the same with separators.
  ///
  /// The form demands an offset, so programs that know none write `+0000`: it says nothing, as `Z` in EXIF.
  /// - Parameter clock: the text of the time of day.
  static func iptc(_ text: String, clock: String?) -> Reading {
    guard var parts = DateParts(text) else { return Reading() }
    if let clock, !isBlank(clock) {
      var scanner = DateScanner(DateParts.normalized(clock))
      let found = scanner.clock()
      parts.hasUnreadableClock = found == nil
      (parts.clock, parts.offset) = (found?.time, found?.offset)
    }
    parts.offset = parts.offset.flatMap { $0.isInUse && $0 != .utc ? $0 : nil }
    return parts.reading
  }

  /// Whether a text says that a date is unknown: blanks or zeros, with or without a date's separators.
  static func isBlank(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.allSatisfy { " \t\n\r\00:-/.+TZ".unicodeScalars.contains($0) }
  }

  static func millisecond(_ digits: some StringProtocol) -> Int {
    let three = digits.prefix(3)
    return Int(three + String(repeating: "0", count: 3 - three.count)) ?? 0
  }
}

/// A time of day, by default midnight.
struct TimeOfDay {
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0

  func wall(on day: LocalDay) -> LocalDateTime? {
    LocalDateTime(day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
  }

  /// - Parameter offset: nil if it was not recorded.
  func recorded(on day: LocalDay, offset: UTCOffset?) -> RecordedTime? {
    guard let wall = wall(on: day) else { return nil }
    return offset.map { .zoned(wall, $0) } ?? .wall(wall)
  }
}

/// Reads the parts of a date one after another.
struct DateScanner {
  private(set) var rest: Substring.UnicodeScalarView

  init(_ text: some StringProtocol) {
    rest = Substring(text).unicodeScalars
    skipSpaces()
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next scalar; nil at the end.
  var next: Unicode.Scalar? { rest.first }

  /// Exactly `count` digits, not followed by another unless `open`.
  mutating func number(_ count: Int, open: Bool = false) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    if !open, let following = rest.dropFirst(count).first, ("0"..."9").contains(following) {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int(String(String.UnicodeScalarView(digits)))
  }

  /// One scalar that satisfies the condition.
  mutating func take(_ condition: (Unicode.Scalar) -> Bool) -> Bool {
    guard let first = rest.first, condition(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func takeDigit() -> Bool { take { ("0"..."9").contains($0) } }

  mutating func take(word: String) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return true
  }

  mutating func skipSpaces() {
    while take({ $0 == " " || $0 == "\t" || $0 == "\0" || $0 == "\n" }) {}
  }

  /// The digits of a fraction of a second; nil when there are none.
  mutating func millisecond() -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return DateText.millisecond(String(String.UnicodeScalarView(digits)))
  }
}

extension String {
  func trimmingSpaces() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
