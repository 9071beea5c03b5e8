package import DiaryModel

/// The time that a file's name tells.
///
/// A date is four, two and two digits of a year from 1970 on, run together or with one of `-_.:`
/// between them (the same mark twice), not part of a longer number. A time of day may follow, and
/// an offset after that.
package struct FileNameDate: Sendable, Equatable {
  package let recorded: RecordedTime
  /// False when the name tells the day only; `recorded` says midnight then.
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
    if let (time, after) = timeOfDay(scanner, isRunOn: mark == nil),
      let wall = time.wall(on: day, millisecond: time.millisecond)
    {
      return FileNameDate(
        recorded: recorded(wall, isUTC: isUTC, offsetIn: after), hasTimeOfDay: true)
    }
    var check = afterDay
    guard !check.take({ ("0"..."9").contains($0) }),
      let midnight = LocalDateTime(day: day)
    else { return nil }
    return FileNameDate(recorded: .wall(midnight), hasTimeOfDay: false)
  }

  /// Hours, minutes and seconds, with or without marks, after `T`, a space, a mark, ` at ` or, in a
  /// run of 14 digits, nothing.
  private static func timeOfDay(_ start: DateScanner, isRunOn: Bool) -> (TimeOfDay, DateScanner)? {
    var scanner = start
    let isTimeMark: (Unicode.Scalar) -> Bool = { "-_.:".unicodeScalars.contains($0) }
    if !scanner.take(word: " at "), !scanner.take({ "T _-.".unicodeScalars.contains($0) }), !isRunOn
    {
      return nil
    }
    guard let hour = scanner.number(2, open: true) else { return nil }
    let isMarked = scanner.take(isTimeMark)
    guard let minute = scanner.number(2, open: true) else { return nil }
    if isMarked != scanner.take(isTimeMark) { return nil }
    guard let second = scanner.number(2, open: true), hour < 24, minute < 60, second < 60
    else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute, second: second)
    if let millisecond = scanner.number(3) { time.millisecond = millisecond }
    var check = scanner
    return check.take(isDigit) ? nil : (time, scanner)
  }

  private static func recorded(
    _ wall: LocalDateTime, isUTC: Bool, offsetIn rest: DateScanner
  ) -> RecordedTime {
    if isUTC { return .instant(wall.timestamp(offset: .utc)) }
    var scanner = rest
    if let offset = scanner.leadingOffset() { return .zoned(wall, offset) }
    return .wall(wall)
  }
}

extension DateScanner {
  /// `Z`, `+0100` or `+01:00` at this place, whatever follows. A minus could as well be a dash, so
  /// it needs all four digits.
  mutating func leadingOffset() -> UTCOffset? {
    if take(word: "Z") { return .utc }
    for sign in ["+", "-"] where take(word: sign) {
      guard let hours = number(2, open: true) else { return nil }
      _ = take { $0 == ":" }
      guard let minutes = number(2) else { return nil }
      return UTCOffset("\(sign)\(padded(hours, 2))\(padded(minutes, 2))")
    }
    return nil
  }
}
