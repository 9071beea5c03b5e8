package import DiaryModel

/// The time in a file's name.
///
/// A date is four, two and two digits with a year from 1970 on, run together or separated by one of
/// `-_.:` (the same one twice), and not part of a longer number. A time of day may follow, and an
/// offset after that.
package struct FileNameDate: Sendable, Equatable {
  package let recorded: RecordedTime
  /// False when the name has only a day; `recorded` is midnight then.
  package let hasTimeOfDay: Bool

  /// The first date in a name; nil when there is none.
  package init?(name: String) {
    let stem = Array((name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]).unicodeScalars)
    let starts = stem.indices.filter { index in
      Self.isDigit(stem[index]) && (index == 0 || !Self.isDigit(stem[index - 1]))
    }
    for start in starts {
      // Google's camera names its files by UTC: PXL_20210518_205931163.jpg.
      let isUTC =
        start >= 4 && String(String.UnicodeScalarView(stem[(start - 4)..<start])) == "PXL_"
      if let found = Self.read(stem[start...], isUTC: isUTC) {
        self = found
        return
      }
    }
    return nil
  }

  private init(recorded: RecordedTime, hasTimeOfDay: Bool) {
    self.recorded = recorded
    self.hasTimeOfDay = hasTimeOfDay
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func read(_ stem: ArraySlice<Unicode.Scalar>, isUTC: Bool) -> FileNameDate? {
    let text = String(String.UnicodeScalarView(stem))
    var scanner = DateScanner(text)
    guard let year = scanner.number(4, open: true), (1970...2199).contains(year) else { return nil }
    let mark = stem.dropFirst(4).first.flatMap { "-_.:".unicodeScalars.contains($0) ? $0 : nil }
    if let mark, !scanner.take({ $0 == mark }) { return nil }
    guard let month = scanner.number(2, open: mark == nil) else { return nil }
    if let mark, !scanner.take({ $0 == mark }) { return nil }
    guard let dayOfMonth = scanner.number(2, open: true),
      let day = LocalDay(year: year, month: month, day: dayOfMonth)
    else { return nil }
    let afterDay = scanner
    if let (time, after, isISO) = timeOfDay(scanner, isRunOn: mark == nil),
      let wall = time.wall(on: day, millisecond: time.millisecond)
    {
      return FileNameDate(
        recorded: recorded(wall, isUTC: isUTC, offsetIn: after, mayBeNegative: isISO),
        hasTimeOfDay: true)
    }
    var check = afterDay
    guard !check.take({ ("0"..."9").contains($0) }),
      let midnight = LocalDateTime(day: day)
    else { return nil }
    return FileNameDate(recorded: .wall(midnight), hasTimeOfDay: false)
  }

  /// The words before a time of day, as phones and desktops write them in some languages.
  private static let wordsForAt = [" at ", " um ", " om ", " à ", " às ", " alle ", " a las "]

  /// Hours, minutes and seconds, with or without separators, after `T`, a space, a separator, ` at ` or,
  /// in a run of 14 digits, nothing; on a 12-hour clock if `AM` or `PM` follows.
  ///
  /// - Returns: the time, the text after it, and whether it came after `T`.
  private static func timeOfDay(
    _ start: DateScanner, isRunOn: Bool
  ) -> (TimeOfDay, DateScanner, isISO: Bool)? {
    var scanner = start
    let isTimeMark: (Unicode.Scalar) -> Bool = { "-_.:".unicodeScalars.contains($0) }
    let isSpoken = wordsForAt.contains { scanner.take(word: $0) }
    let isISO = !isSpoken && scanner.take(word: "T")
    if !isSpoken, !isISO, !scanner.take({ " _-.".unicodeScalars.contains($0) }), !isRunOn {
      return nil
    }
    guard let hour = scanner.number(2, open: true) ?? (isSpoken ? scanner.number(1) : nil) else {
      return nil
    }
    let isMarked = scanner.take(isTimeMark)
    guard let minute = scanner.number(2, open: true) else { return nil }
    if isMarked != scanner.take(isTimeMark) { return nil }
    guard let second = scanner.number(2, open: true), hour < 24, minute < 60, second < 60
    else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute, second: second)
    var fraction = scanner
    if isISO { _ = fraction.take(word: ".") }
    if let millisecond = fraction.number(3) {
      (time.millisecond, scanner) = (millisecond, fraction)
    }
    var check = scanner
    if check.take(isDigit) { return nil }
    guard (1...12).contains(hour), let isAfternoon = scanner.halfOfDay() else {
      return (time, scanner, isISO)
    }
    time.hour = hour % 12 + (isAfternoon ? 12 : 0)
    return (time, scanner, isISO)
  }

  private static func recorded(
    _ wall: LocalDateTime, isUTC: Bool, offsetIn rest: DateScanner, mayBeNegative: Bool
  ) -> RecordedTime {
    if isUTC { return .instant(wall.timestamp(offset: .utc)) }
    var scanner = rest
    guard let offset = scanner.leadingOffset(mayBeNegative: mayBeNegative) else {
      return .wall(wall)
    }
    return .zoned(wall, offset)
  }
}

extension DateScanner {
  /// An offset at this position, `Z`, `+0100` or `+01:00`, if it is in use somewhere and no letter or digit follows:
  /// `-1024x768` is a size. A minus is mostly a dash before a number.
  fileprivate mutating func leadingOffset(mayBeNegative: Bool) -> UTCOffset? {
    if take(word: "Z") { return .utc }
    for sign in mayBeNegative ? ["+", "-"] : ["+"] where take(word: sign) {
      guard let hours = number(2, open: true) else { return nil }
      _ = take { $0 == ":" }
      guard let minutes = number(2), !take({ $0.properties.isAlphabetic }) else { return nil }
      // +05:45, +08:45 and +12:45 have no negative counterparts.
      let (latest, parts) = sign == "+" ? (14, [0, 30, 45]) : (12, [0, 30])
      guard parts.contains(minutes), hours * 60 + minutes <= latest * 60 else { return nil }
      return UTCOffset("\(sign)\(padded(hours, 2))\(padded(minutes, 2))")
    }
    return nil
  }

  /// Whether ` PM` follows, and not ` AM`; nil when neither does. Some systems write a narrow space before it.
  fileprivate mutating func halfOfDay() -> Bool? {
    var ahead = self
    _ = ahead.take { [" ", "\u{A0}", "\u{202F}", "_"].contains($0) }
    for (word, isAfternoon) in [("AM", false), ("am", false), ("PM", true), ("pm", true)]
    where ahead.take(word: word) {
      guard !ahead.take({ $0.properties.isAlphabetic }) else { return nil }
      self = ahead
      return isAfternoon
    }
    return nil
  }
}
