package import DiaryModel

/// The time in a file's name.
///
/// A date is four, two and two digits with a year from 1970 on, run together or separated by one of
/// `-_.:` (the same one twice), and not part of a longer number. With separators, the year may be last. A time of day
/// may follow, and an offset after that. In a name without a date, 13 digits may be milliseconds since 1970, and 10
/// digits seconds; otherwise the date is that of the folders, and the name may have the time of day.
package struct FileNameDate: Sendable, Equatable {
  package private(set) var recorded: RecordedTime
  /// Whether the time of day is not the name's, but that of the file.
  private(set) var hasTimeOfFile = false

  /// The first date in a name, or the date of its folders; nil when there is none.
  ///
  /// - Parameters:
  ///   - folders: the names of the folders that the file is in, the outermost first.
  ///   - order: which number before a year is the day, if the name does not tell. Where nothing does, only the year is
  ///     known.
  package init?(name: String, in folders: [String] = [], order: DayOrder? = nil) {
    let stem = Self.stem(of: name)
    for start in Self.starts(in: stem) where !Self.isLast(in: stem, at: start) {
      // Google's camera names its files by UTC: PXL_20210518_205931163.jpg.
      let isUTC =
        start >= 4
        && String(String.UnicodeScalarView(stem[(start - 4)..<start])).uppercased() == "PXL_"
      if let found = Self.read(stem[start...], isUTC: isUTC) {
        self = found
        return
      }
    }
    if let (first, second, year, rest) = Self.yearLast(in: stem) {
      self.init(first, second, year: year, DayOrder(first, second) ?? order, rest)
      return
    }
    if let moment = Self.moment(in: stem) {
      self.init(recorded: .instant(moment))
      return
    }
    guard let day = FolderDate(folders: folders)?.day else { return nil }
    let wall = Self.timeOfDay(alone: stem)?.wall(on: day)
    self.init(recorded: wall.map { .wall($0) } ?? .day(day))
  }

  /// The places in a name at which a number begins.
  private static func starts(in stem: [Unicode.Scalar]) -> [Int] {
    stem.indices.filter { isDigit(stem[$0]) && ($0 == 0 || !isDigit(stem[$0 - 1])) }
  }

  /// The first date with the year last: its numbers and the text after it.
  private static func yearLast(
    in stem: [Unicode.Scalar]
  ) -> (first: Int, second: Int, year: Int, rest: DateScanner)? {
    for mark in stem.indices where isMark(stem[mark]) {
      let year = stem[(mark + 1)...].prefix(while: isDigit)
      guard year.count == 4, let year = number(year), (1970...2199).contains(year) else { continue }
      let second = stem[..<mark].suffix(while: isDigit)
      guard let number = number(second), let before = stem[..<second.startIndex].last,
        before == stem[mark]
      else { continue }
      let first = stem[..<(second.startIndex - 1)].suffix(while: isDigit)
      // A letter or a separator before it makes it a part of something else.
      let rest = stem[..<first.startIndex]
      guard let other = Self.number(first), rest.last?.properties.isAlphabetic != true,
        !(rest.last.map(isMark) == true && rest.dropLast().last.map(isDigit) == true),
        (1...12).contains(min(other, number)), (1...31).contains(max(other, number))
      else { continue }
      let after = String(String.UnicodeScalarView(stem[(mark + 5)...]))
      return (other, number, year, DateScanner(untrimmed: after))
    }
    return nil
  }

  /// The number that one, two or four digits are.
  private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
    [1, 2, 4].contains(digits.count) ? Int(String(String.UnicodeScalarView(digits))) : nil
  }

  private init?(
    _ first: Int, _ second: Int, year: Int, _ order: DayOrder?, _ rest: DateScanner
  ) {
    // The two numbers may be the same.
    guard let order = order ?? (first == second ? .dayFirst : nil) else {
      guard let known = CalendarYear(year: year) else { return nil }
      recorded = .year(known)
      return
    }
    guard let day = order.day(first, second, year: year) else { return nil }
    if let (time, after, isISO) = Self.timeOfDay(rest, isRunOn: false),
      let wall = time.wall(on: day)
    {
      recorded = Self.recorded(wall, isUTC: false, offsetIn: after, mayBeNegative: isISO)
    } else {
      recorded = .day(day)
    }
  }

  /// Whether it takes the other names of the folder to tell which number before a year is the day.
  package static func dependsOnOrder(_ name: String) -> Bool {
    guard let (first, second, _, _) = yearLast(in: stem(of: name)) else { return false }
    return DayOrder(first, second) == nil && first != second
  }

  private static func stem(of name: String) -> [Unicode.Scalar] {
    Array((name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]).unicodeScalars)
  }

  /// Which number is the day in the dates with the year last of a folder's names: that of all those which tell; nil when
  /// they disagree or none does.
  package static func order(ofNames names: some Sequence<String>) -> DayOrder? {
    var found: DayOrder?
    for name in names {
      guard let (first, second, _, _) = yearLast(in: stem(of: name)),
        let order = DayOrder(first, second)
      else { continue }
      guard found == nil || found == order else { return nil }
      found = order
    }
    return found
  }

  /// Takes the time of day of a file, if only the day is known and the file is of that day.
  package mutating func take(timeOfFile wall: LocalDateTime) {
    guard recorded == .day(wall.day) else { return }
    recorded = .wall(wall)
    hasTimeOfFile = true
  }

  /// The time of day in a name without a date, such as `10-00-00`, `cam1_10h00m00s` or `100000`. Six digits that begin
  /// with three zeros are a counter.
  private static func timeOfDay(alone stem: [Unicode.Scalar]) -> TimeOfDay? {
    for start in stem.indices where isDigit(stem[start]) {
      guard start == 0 || !isDigit(stem[start - 1]) else { continue }
      let digits = stem[start...].prefix(while: isDigit)
      if digits.count == 6, digits.prefix(3).allSatisfy({ $0 == "0" }) { continue }
      let scanner = DateScanner(String(String.UnicodeScalarView(stem[start...])))
      if let (time, _, _) = timeOfDay(scanner, isRunOn: true) { return time }
    }
    // Hours and minutes, if there is nothing else.
    var scanner = DateScanner(String(String.UnicodeScalarView(stem)))
    guard let hour = scanner.number(2), hour < 24, scanner.takeMark() != nil,
      let minute = scanner.number(2), minute < 60, scanner.isAtEnd
    else { return nil }
    return TimeOfDay(hour: hour, minute: minute)
  }

  /// The milliseconds since 1970 that messengers give as names: `1589365431123.jpg`, `mmexport1589365431123.jpg`, and
  /// the seconds that cameras and scripts give: `1589365431.jpg`. They are all of a word, or the end of one.
  ///
  /// From 2008, when phones began with it, to 2033: other numbers of so many digits are mostly those of goods (EAN),
  /// which hardly ever begin so.
  private static func moment(in stem: [Unicode.Scalar]) -> Timestamp? {
    stem.split { !$0.properties.isAlphabetic && !isDigit($0) }.lazy.compactMap { word in
      let digits = word.drop { $0.properties.isAlphabetic }
      guard [10, 13].contains(digits.count), digits.allSatisfy(isDigit),
        let number = Int64(String(String.UnicodeScalarView(digits)))
      else { return nil }
      let milliseconds = digits.count == 10 ? number * 1000 : number
      guard (1_200_000_000_000..<2_000_000_000_000).contains(milliseconds) else { return nil }
      return Timestamp(milliseconds: milliseconds)
    }.first
  }

  private init(recorded: RecordedTime) { self.recorded = recorded }

  fileprivate static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  fileprivate static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    "-_.:".unicodeScalars.contains(scalar)
  }

  /// Whether a year ends a date, as in `21_05_2021_12_30_15`: the numbers after it are no month and day.
  private static func isLast(in stem: [Unicode.Scalar], at start: Int) -> Bool {
    guard let mark = stem[start...].dropFirst(4).first, isMark(mark) else { return false }
    var before = stem[..<start]
    for _ in ["month", "day"] {
      guard before.popLast() == mark else { return false }
      let digits = before.reversed().prefix(while: isDigit)
      guard (1...2).contains(digits.count) else { return false }
      before.removeLast(digits.count)
    }
    return before.last.map { !$0.properties.isAlphabetic } ?? true
  }

  private static func read(_ stem: ArraySlice<Unicode.Scalar>, isUTC: Bool) -> FileNameDate? {
    let text = String(String.UnicodeScalarView(stem))
    var scanner = DateScanner(text)
    guard let year = scanner.number(4, open: true), (1970...2199).contains(year) else { return nil }
    let mark = stem.dropFirst(4).first.flatMap { isMark($0) ? $0 : nil }
    if let mark, !scanner.take({ $0 == mark }) { return nil }
    guard let month = scanner.number(2, open: mark == nil) else { return nil }
    if let mark, !scanner.take({ $0 == mark }) { return nil }
    guard let dayOfMonth = scanner.number(2, open: true),
      let day = LocalDay(year: year, month: month, day: dayOfMonth)
    else { return nil }
    let afterDay = scanner
    if let (time, after, isISO) = timeOfDay(scanner, isRunOn: mark == nil),
      let wall = time.wall(on: day)
    {
      return FileNameDate(
        recorded: recorded(wall, isUTC: isUTC, offsetIn: after, mayBeNegative: isISO))
    }
    var check = afterDay
    return check.take({ ("0"..."9").contains($0) }) ? nil : FileNameDate(recorded: .day(day))
  }

  /// The words before a time of day in names that phones and desktops give, and whether a 12-hour clock is usual with
  /// them.
  private static let wordsForAt: [(word: String, isTwelveHours: Bool)] =
    [("at", true), ("a las", true), ("a la", true)]
    + ["um", "om", "à", "a\u{300}", "às", "a\u{300}s", "à(s)", "alle", "o", "ore", "kl.", "kl"].map
  {
    ($0, false)
  }

  /// The separator or word before a time of day.
  fileprivate enum Introduction {
    /// One of the words for “at”.
    case word(isTwelveHours: Bool)
    /// `T`, as in ISO 8601.
    case iso
    /// A space or an underscore.
    case blank
    /// Another separator or nothing.
    case none
  }

  private static func introduction(_ scanner: inout DateScanner, isRunOn: Bool) -> Introduction? {
    for blank in [" ", "_"] {
      for (word, isTwelveHours) in wordsForAt where scanner.take(word: blank + word + blank) {
        return .word(isTwelveHours: isTwelveHours)
      }
    }
    for dash in ["--", "__", "_-_", " - "] where scanner.take(word: dash) {
      return Introduction.none
    }
    if scanner.take(word: "T") { return .iso }
    if scanner.take({ $0 == " " || $0 == "_" }) { return .blank }
    return scanner.take({ $0 == "-" || $0 == "." }) || isRunOn ? Introduction.none : nil
  }

  /// Hours, minutes and seconds, with or without separators, after `T`, a space, a separator, a word for “at” or,
  /// in a run of 14 digits, nothing; on a 12-hour clock if `AM` or `PM` follows. Seconds may be missing where hours and
  /// minutes cannot be anything else.
  ///
  /// - Returns: the time, the text after it, and whether it came after `T`; nil when there is none, or none that can
  ///   be told from one twelve hours later.
  private static func timeOfDay(
    _ start: DateScanner, isRunOn: Bool
  ) -> (TimeOfDay, DateScanner, isISO: Bool)? {
    var scanner = start
    guard let introduction = introduction(&scanner, isRunOn: isRunOn) else { return nil }
    let (isISO, isSpoken) =
      switch introduction {
      case .iso: (true, false)
      case .word: (false, true)
      case .blank, .none: (false, false)
      }
    guard let hour = scanner.number(2, open: true) ?? (isSpoken ? scanner.number(1) : nil) else {
      return nil
    }
    if scanner.take({ $0 == "h" || $0 == "H" }) {
      guard let (time, after) = spelled(hour, scanner) else { return nil }
      return (time, after, isISO)
    }
    let mark = scanner.takeMark()
    guard let minute = scanner.number(2, open: true), hour < 24, minute < 60 else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute)
    let hasSeconds: Bool
    var ahead = scanner
    if (mark == nil) == (ahead.takeMark() == nil), let second = ahead.number(2, open: true) {
      guard second < 60 else { return nil }
      scanner = ahead
      time.second = second
      time.millisecond = millisecond(&scanner, isISO: isISO)
      hasSeconds = true
    } else {
      hasSeconds = false
    }
    var check = scanner
    if check.take(isDigit) { return nil }
    if (1...12).contains(hour) {
      switch scanner.halfOfDay(after: introduction) {
      case nil: break
      case .unknown: return nil
      case .morning: time.hour = hour % 12
      case .afternoon: time.hour = hour % 12 + 12
      }
    }
    guard hasSeconds || scanner.isAfterMinutes(mark: mark, introduction) else { return nil }
    return (time, scanner, isISO)
  }

  /// The rest of `12h10m00s`, `12h10m` or `12h10`, after the letter of the hour.
  private static func spelled(
    _ hour: Int, _ start: DateScanner
  ) -> (TimeOfDay, DateScanner)? {
    var scanner = start
    guard hour < 24, let minute = scanner.number(2), minute < 60 else { return nil }
    _ = scanner.take(word: "min") || scanner.take { $0 == "m" || $0 == "M" }
    var time = TimeOfDay(hour: hour, minute: minute)
    var ahead = scanner
    if let second = ahead.number(2), second < 60 {
      _ = ahead.take { $0 == "s" || $0 == "S" }
      (time.second, scanner) = (second, ahead)
    }
    return (time, scanner)
  }

  /// Three digits; after ISO 8601's `.` or `,` any number of them; and three between a separator that stands for it and
  /// `Z`.
  private static func millisecond(_ scanner: inout DateScanner, isISO: Bool) -> Int {
    if let millisecond = scanner.number(3) { return millisecond }
    guard isISO else { return 0 }
    var fraction = scanner
    if fraction.take({ $0 == "." || $0 == "," }), let millisecond = fraction.millisecond() {
      scanner = fraction
      return millisecond
    }
    fraction = scanner
    guard fraction.take(isMark), let millisecond = fraction.number(3) else { return 0 }
    var end = fraction
    guard end.take(word: "Z") else { return 0 }
    scanner = fraction
    return millisecond
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

/// The half of a day on a 12-hour clock.
private enum HalfOfDay {
  case morning
  case afternoon
  /// Something like an abbreviation of it in another language.
  case unknown
}

extension DateScanner {
  /// An offset at this position, `Z`, `+0100` or `+01:00`, if it is in use somewhere and no letter or digit follows:
  /// `-1024x768` is a size. A minus is mostly a dash before a number, and `-0000` no offset (RFC 3339, 4.3).
  fileprivate mutating func leadingOffset(mayBeNegative: Bool) -> UTCOffset? {
    for word in ["Z", "_UTC", " UTC"] where take(word: word) { return isBeforeWord ? nil : .utc }
    _ = mayBeNegative || take { $0 == " " }
    for sign in mayBeNegative ? ["+", "-"] : ["+"] where take(word: sign) {
      guard let hours = number(2, open: true) else { return nil }
      _ = take { $0 == ":" }
      guard let minutes = number(2), minutes < 60, !isBeforeWord else { return nil }
      guard sign == "+" || hours + minutes > 0,
        let offset = UTCOffset("\(sign)\(padded(hours, 2))\(padded(minutes, 2))"), offset.isInUse
      else { return nil }
      return offset
    }
    return nil
  }

  /// One of the separators in a date or a time.
  fileprivate mutating func takeMark() -> Unicode.Scalar? {
    let first = next
    return take(FileNameDate.isMark) ? first : nil
  }

  /// Whether the hours and minutes before this position, with a separator between them or none, are a time of day. After
  /// a blank, `10-12` may be a range, `1405` a counter, and `12.50` a length or a price unless it ends the name.
  fileprivate func isAfterMinutes(
    mark: Unicode.Scalar?, _ introduction: FileNameDate.Introduction
  ) -> Bool {
    var ahead = self
    switch introduction {
    case .iso: if ahead.leadingOffset(mayBeNegative: true) != nil { return true }
    case .word: guard mark == ":" || mark == "." else { return false }
    case .blank:
      if mark == "." { return isBeforeEndOfName }
      guard mark == ":" else { return false }
    case .none: return false
    }
    ahead = self
    return !isBeforeWord && !(ahead.takeMark() != nil && ahead.take(FileNameDate.isDigit))
  }

  /// Whether nothing follows but perhaps the number of a copy, as in ` (2)`.
  private var isBeforeEndOfName: Bool {
    var ahead = self
    ahead.skipSpaces()
    if ahead.take(word: "(") {
      while ahead.take(FileNameDate.isDigit) {}
      guard ahead.take(word: ")") else { return false }
    }
    return ahead.isAtEnd
  }

  /// Whether a letter or a digit follows.
  private var isBeforeWord: Bool {
    var ahead = self
    return ahead.take { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
  }

  private mutating func takeBlank(orUnderscore: Bool = false) -> Bool {
    take { [" ", "\u{A0}", "\u{202F}"].contains($0) || orUnderscore && $0 == "_" }
  }

  /// ` AM`, ` PM`, ` a.m.`, ` p. m.` at this position; nil when there is none. Except after a word for “at” it ends the
  /// name: elsewhere it may be German “am” for “at the”, or initials, which `_PM` cannot be told from.
  fileprivate mutating func halfOfDay(after introduction: FileNameDate.Introduction) -> HalfOfDay? {
    let (isSpoken, isTwelveHours) =
      if case .word(let isTwelveHours) = introduction { (true, isTwelveHours) } else {
        (false, false)
      }
    var ahead = self
    let isApart = ahead.takeBlank()
    let isMarked = !isApart && ahead.take(word: "_")
    guard let (letters, isDotted) = ahead.takeAbbreviation() else { return nil }
    let word = letters.lowercased()
    guard word == "am" || word == "pm" else { return isSpoken ? .unknown : nil }
    var next = ahead
    while next.takeBlank(orUnderscore: true) {}
    let isLast = !next.isBeforeWord
    if isMarked, !isSpoken { return isLast || letters != word ? .unknown : nil }
    guard isLast || isTwelveHours || isDotted || !isApart && !isMarked else { return nil }
    self = ahead
    return word == "pm" ? .afternoon : .morning
  }

  /// One or two letters, each with a dot or none, that no further letter or digit follows.
  private mutating func takeAbbreviation() -> (letters: String, isDotted: Bool)? {
    var letters = String.UnicodeScalarView()
    var isDotted = false
    while letters.count < 2 {
      guard takeLetter(into: &letters) else { break }
      guard take(word: ".") else { continue }
      isDotted = true
      if letters.count < 2 { _ = takeBlank() }
    }
    return letters.isEmpty || isBeforeWord ? nil : (String(letters), isDotted)
  }

  private mutating func takeLetter(into letters: inout String.UnicodeScalarView) -> Bool {
    take { scalar in
      guard scalar.properties.isAlphabetic else { return false }
      letters.append(scalar)
      return true
    }
  }
}

extension ArraySlice {
  /// The longest end whose elements all satisfy the condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice {
    self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
