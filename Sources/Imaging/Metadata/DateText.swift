internal import DiaryModel

/// Dates as cameras, editors and file names write them.
///
/// Parsing is strict: a text that does not parse as a whole is not a date.
package enum DateText {
  /// Parses an EXIF date (`2024:05:06 07:08:09`) and the forms that real software writes instead: dashes,
  /// ISO 8601's T, a 12-hour clock, an offset in the text itself, no time of day.
  ///
  /// - Parameters:
  ///   - fraction: the text of the tag with the fraction of the second.
  ///   - offset: the text of the tag with the offset. One that no place has is ignored.
  static func exif(_ text: String, fraction: String?, offset: String?) -> RecordedTime? {
    var scanner = DateScanner(text)
    guard let (day, time) = scanner.dayAndTime() else { return nil }
    // Some programs write `Z` after local times, so it says nothing.
    let isLocal = scanner.take(word: "Z") || scanner.isAtEnd
    let inText = isLocal ? nil : scanner.offset()
    guard scanner.isAtEnd else { return nil }
    guard var time else { return .day(day) }
    let fractionDigits = (fraction ?? "").prefix { $0.isASCII && $0.isNumber }
    if !fractionDigits.isEmpty { time.millisecond = millisecond(fractionDigits) }
    let recorded = offset.flatMap { UTCOffset($0) } ?? inText
    return time.recorded(on: day, offset: recorded.flatMap { $0.isInUse ? $0 : nil })
  }

  /// Parses an ISO 8601 or EXIF-like timestamp as used in XMP, with or without an offset, or a month or a year alone.
  static func timestamp(_ text: String) -> RecordedTime? {
    if let date = RecordedTime(text.trimmingSpaces()), date.withKnownDay == nil { return date }
    var scanner = DateScanner(text)
    guard let (day, time) = scanner.dayAndTime() else { return nil }
    let offset = scanner.offset()
    guard scanner.isAtEnd else { return nil }
    return time.map { $0.recorded(on: day, offset: offset) } ?? .day(day)
  }

  /// Parses IPTC's dates, `20210521` with `131451+0200`, and the same with separators.
  ///
  /// The form demands an offset, so programs that know none write `+0000`: it says nothing, as `Z` in EXIF.
  /// - Parameter clock: the text of the time of day. One that cannot be read counts as absent.
  static func iptc(_ text: String, clock: String?) -> RecordedTime? {
    var scanner = DateScanner(text)
    guard let day = Self.day(text) ?? scanner.runOnDay() else { return nil }
    guard let clock, !isBlank(clock) else { return .day(day) }
    scanner = DateScanner(clock.filter { $0 != ":" })
    guard let hour = scanner.number(2, open: true), let minute = scanner.number(2, open: true),
      let second = scanner.number(2)
    else { return .day(day) }
    let offset = scanner.offset()
    guard scanner.isAtEnd else { return .day(day) }
    return TimeOfDay(hour: hour, minute: minute, second: second)
      .recorded(on: day, offset: offset.flatMap { $0.isInUse && $0 != .utc ? $0 : nil })
      ?? .day(day)
  }

  /// Parses a date alone.
  static func day(_ text: String) -> LocalDay? {
    var scanner = DateScanner(text)
    guard let day = scanner.day(), scanner.isAtEnd else { return nil }
    return day
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
  private var rest: Substring.UnicodeScalarView

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

  /// Two digits, or a blank and one, as some cameras pad numbers.
  mutating func paddedNumber() -> Int? {
    if let number = number(2) { return number }
    var ahead = self
    guard ahead.take({ $0 == " " }), let digit = ahead.number(1) else { return nil }
    self = ahead
    return digit
  }

  /// One scalar that satisfies the condition.
  mutating func take(_ condition: (Unicode.Scalar) -> Bool) -> Bool {
    guard let first = rest.first, condition(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

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

  /// Four, two and two digits up to the end.
  mutating func runOnDay() -> LocalDay? {
    guard let year = number(4, open: true), let month = number(2, open: true),
      let day = number(2), isAtEnd
    else { return nil }
    return LocalDay(year: year, month: month, day: day)
  }

  /// Four, two and two digits, with a separator after each of the first two. A blank may stand for a leading zero.
  mutating func day() -> LocalDay? {
    let isMark: (Unicode.Scalar) -> Bool = {
      [":", "-", "/", ".", "年", "月"].contains($0)
    }
    guard let year = number(4), take(isMark), let month = paddedNumber(), take(isMark),
      let day = paddedNumber()
    else { return nil }
    _ = take { $0 == "日" }
    return LocalDay(year: year, month: month, day: day)
  }

  /// A day, and the time after it if there is one. Blanks stand for an unknown time of day (EXIF 2.32, 4.6.5).
  mutating func dayAndTime() -> (LocalDay, TimeOfDay?)? {
    guard let day = day() else { return nil }
    if rest.allSatisfy({ [" ", ":", "\t", "\n", "\0"].contains($0) }) {
      rest = rest[rest.endIndex...]
      return (day, nil)
    }
    guard take({ $0 == " " || $0 == "T" }) else { return nil }
    skipSpaces()
    guard let time = timeOfDay() else { return nil }
    skipSpaces()
    return (day, time)
  }

  /// `07:08`, `07:08:09`, `07:08:09.25` and the same on a 12-hour clock.
  private mutating func timeOfDay() -> TimeOfDay? {
    guard let hour = number(2) ?? number(1), take({ $0 == ":" }), let minute = paddedNumber()
    else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute)
    if take({ $0 == ":" }) {
      guard let second = paddedNumber() else { return nil }
      time.second = second
      if take({ $0 == "." || $0 == "," }) {
        time.millisecond = millisecond() ?? 0
      }
    }
    skipSpaces()
    for (word, shift) in [("AM", 0), ("PM", 12), ("am", 0), ("pm", 12)] where take(word: word) {
      guard (1...12).contains(hour) else { return nil }
      time.hour = hour % 12 + shift
    }
    return time
  }

  /// `Z` or `+05:30` up to the end.
  mutating func offset() -> UTCOffset? {
    guard let offset = UTCOffset(String(rest).trimmingSpaces()) else { return nil }
    rest = rest[rest.endIndex...]
    return offset
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
