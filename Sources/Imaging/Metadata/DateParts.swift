internal import DiaryModel

/// The parts of a date in a text, in any of the forms that programs write: years first, days first, names of months,
/// clocks of 12 and of 24 hours. What follows the time of day is ignored.
struct DateParts {
  /// A day, a month or a year.
  private let date: RecordedTime
  var clock: TimeOfDay?
  var offset: UTCOffset?
  /// Whether the offset is spelled `Z`, `UTC` or `GMT`.
  private(set) var isUTCByName = false
  var hasUnreadableClock = false

  /// Nil when not even a year can be read.
  init?(_ text: String) {
    let text = Self.normalized(text)
    if let parts = Self.numbers(text) ?? Self.words(text) { self = parts } else { return nil }
  }

  /// The date with the time of day, if there is one.
  var reading: DateText.Reading {
    guard case .day(let day) = date else { return DateText.Reading(time: date) }
    let time = clock?.recorded(on: day, offset: offset)
    return DateText.Reading(
      time: time ?? date, hasUnreadableClock: hasUnreadableClock || clock != nil && time == nil)
  }

  /// The day; nil when only a month or a year is known.
  var day: LocalDay? {
    if case .day(let day) = date { day } else { nil }
  }

  private init(_ date: RecordedTime) { self.date = date }

  /// The text in lower case, with ASCII's digits, blanks and punctuation for those of other alphabets, without marks of
  /// direction.
  static func normalized(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if scalar.isASCII {
        result.append(scalar)
      } else if properties.numericType == .decimal, let value = properties.numericValue,
        let digit = Unicode.Scalar(48 + UInt32(value))
      {
        result.append(digit)
      } else if properties.isWhitespace {
        result.append(" ")
      } else if ("\u{FF01}"..."\u{FF5E}").contains(scalar) {
        // The wide forms of ASCII.
        if let narrow = Unicode.Scalar(scalar.value - 0xFEE0) { result.append(narrow) }
      } else if scalar == "\u{2212}" {
        result.append("-")
      } else if properties.generalCategory != .format {
        result.append(scalar)
      }
    }
    return String(result).lowercased().trimmingSpaces()
  }
}

// MARK: - Dates of numbers

extension DateParts {
  private static func numbers(_ text: String) -> DateParts? {
    let forms: [(inout DateScanner) -> RecordedTime?] = [
      { $0.yearFirst() }, { $0.run() }, { $0.yearLast() },
    ]
    for read in forms {
      var scanner = DateScanner(text)
      guard let date = read(&scanner) else { continue }
      var parts = DateParts(date)
      guard parts.takeClock(after: scanner) else { continue }
      return parts
    }
    return nil
  }

  /// Reads what follows a date.
  ///
  /// - Returns: false if the date is not the whole of a number or word, and so none.
  private mutating func takeClock(after date: DateScanner) -> Bool {
    var scanner = date
    if scanner.isBlank { return true }
    guard case .day = self.date else { return false }
    if scanner.takeZone() ?? scanner.offset() != nil, scanner.isBlank { return true }
    scanner = date
    guard scanner.take({ " t_,.0123456789".unicodeScalars.contains($0) || !$0.isASCII })
    else { return false }
    scanner = date
    guard let found = scanner.clock() else {
      hasUnreadableClock = true
      return true
    }
    (clock, offset, isUTCByName) = (found.time, found.offset, found.isUTCByName)
    return true
  }
}

extension DateScanner {
  private static let marks = Set(":-/.年月년월".unicodeScalars)

  /// Nothing but blanks and a date's marks up to the end: unknown numbers.
  fileprivate var isBlank: Bool {
    var ahead = self
    _ = ahead.take { $0 == "日" || $0 == "일" }
    while ahead.take({ " :.".unicodeScalars.contains($0) }) {}
    return ahead.isAtEnd
  }

  /// `2024:05:06`, with a blank for a leading zero or none at all. A month or a day that is blank or zero is not known;
  /// what is missing at the end is not either.
  fileprivate mutating func yearFirst() -> RecordedTime? {
    guard let year = number(4), year > 0 else { return nil }
    let known = CalendarYear(year: year).map { RecordedTime.year($0) }
    if isBlank { return known }
    guard takeMark() else { return nil }
    guard let month = field(), month > 0 else { return takeRest() ? known : nil }
    guard let known = CalendarMonth(year: year, month: month) else { return nil }
    if isBlank { return .month(known) }
    guard takeMark() else { return nil }
    guard let day = field(), day > 0 else { return takeRest() ? .month(known) : nil }
    return LocalDay(year: year, month: month, day: day).map { .day($0) }
  }

  private mutating func takeMark() -> Bool {
    if take({ Self.marks.contains($0) }) { return true }
    // Blanks separate numbers alone: `2024 05 06`.
    var ahead = self
    guard ahead.take({ $0 == " " }), ahead.number(2) != nil else { return false }
    return take { $0 == " " }
  }

  /// One or two digits, or a blank and one; nil when there are none, as if they were unknown.
  private mutating func field() -> Int? {
    var ahead = self
    var blanks = 0
    while blanks < 3, ahead.take({ $0 == " " }) { blanks += 1 }
    guard let number = ahead.number(2) ?? ahead.number(1) else { return nil }
    // Behind blanks instead of a day there is an hour.
    if blanks > 1, ahead.next == ":" { return nil }
    self = ahead
    return number
  }

  /// The rest of a date whose month or day is unknown; false if it is no number or blank.
  private mutating func takeRest() -> Bool {
    while take({ " :-/.0123456789tz+".unicodeScalars.contains($0) }) {}
    return isAtEnd
  }

  /// `20240506`, before the end, a blank, `T` or the digits of a time of day.
  fileprivate mutating func run() -> RecordedTime? {
    var ahead = self
    guard let year = ahead.number(4, open: true), let month = ahead.number(2, open: true),
      let day = ahead.number(2, open: true), let known = CalendarYear(year: year)
    else { return nil }
    var digits = ahead
    while digits.takeDigit() {}
    let count = ahead.rest.count - digits.rest.count
    guard count == 0 || count == 6 else { return nil }
    self = ahead
    if month == 0 { return isAtEnd ? .year(known) : nil }
    guard day > 0 else {
      return isAtEnd ? CalendarMonth(year: year, month: month).map { .month($0) } : nil
    }
    return LocalDay(year: year, month: month, day: day).map { .day($0) }
  }

  /// `21.05.2021` or `05/21/2021`; where neither number can only be the day, the year.
  fileprivate mutating func yearLast() -> RecordedTime? {
    guard let first = number(2) ?? number(1), let mark = next,
      take({ "./-".unicodeScalars.contains($0) }),
      let second = number(2) ?? number(1), take({ $0 == mark }), let year = number(4)
    else { return nil }
    // Where dots are written, the day is first.
    let order = DayOrder(first, second) ?? (mark == "." ? .dayFirst : nil)
    guard let order else {
      guard (1...12).contains(first), (1...12).contains(second) else { return nil }
      guard first != second else {
        return LocalDay(year: year, month: first, day: second).map { .day($0) }
      }
      while take({ _ in true }) {}
      return CalendarYear(year: year).map { .year($0) }
    }
    return order.day(first, second, year: year).map { .day($0) }
  }
}

/// Which of two numbers before a year is the day.
package enum DayOrder: Sendable {
  case dayFirst, monthFirst

  /// Nil unless one of the numbers can only be a day, and the other a month.
  init?(_ first: Int, _ second: Int) {
    switch ((13...31).contains(first), (13...31).contains(second)) {
    case (true, false) where (1...12).contains(second): self = .dayFirst
    case (false, true) where (1...12).contains(first): self = .monthFirst
    default: return nil
    }
  }

  func day(_ first: Int, _ second: Int, year: Int) -> LocalDay? {
    switch self {
    case .dayFirst: LocalDay(year: year, month: second, day: first)
    case .monthFirst: LocalDay(year: year, month: first, day: second)
    }
  }
}

// MARK: - Times of day

extension DateScanner {
  /// A time of day with what may stand before and after it: `07:08`, `07:08:09.25 +05:30`, `2.05 pm`, `下午03:23:45`,
  /// `t070809z`.
  mutating func clock() -> (time: TimeOfDay, offset: UTCOffset?, isUTCByName: Bool)? {
    while take({ " t_,日일.".unicodeScalars.contains($0) }) {}
    var half = takeHalfOfDay()
    guard var time = runOn() ?? separated() else { return nil }
    skipSpaces()
    if half == nil { half = takeHalfOfDay() }
    time.hour = half?.hour(time.hour) ?? time.hour
    guard time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
    skipSpaces()
    let named = takeZone()
    let offset = offset() ?? named
    return (time, offset, named == .utc && offset == .utc)
  }

  /// `070809` or `0708`.
  private mutating func runOn() -> TimeOfDay? {
    var ahead = self
    guard let hour = ahead.number(2, open: true), let minute = ahead.number(2, open: true) else {
      return nil
    }
    var time = TimeOfDay(hour: hour, minute: minute)
    if let second = ahead.number(2, open: true) { time.second = second }
    if ahead.takeDigit() { return nil }
    ahead.takeFraction(into: &time)
    self = ahead
    return time
  }

  private mutating func separated() -> TimeOfDay? {
    guard let hour = number(2) ?? number(1), let mark = next,
      take({ ":.-h时時点點시".unicodeScalars.contains($0) }), let minute = paddedNumber()
    else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute)
    var ahead = self
    let isMarked = ahead.take {
      ":.-".unicodeScalars.contains(mark) ? $0 == mark : "分분:m".unicodeScalars.contains($0)
    }
    guard isMarked else { return time }
    if let second = ahead.paddedNumber() {
      time.second = second
      _ = ahead.take { "秒초s".unicodeScalars.contains($0) }
      ahead.takeFraction(into: &time)
      self = ahead
      return time
    }
    // Whatever stands in place of the seconds, they are not known.
    return mark == ":" ? nil : time
  }

  private mutating func takeFraction(into time: inout TimeOfDay) {
    var ahead = self
    guard ahead.take({ $0 == "." || $0 == "," }), let millisecond = ahead.millisecond() else {
      return
    }
    time.millisecond = millisecond
    self = ahead
  }

  /// One or two digits, or a blank and one, as some cameras pad numbers.
  private mutating func paddedNumber() -> Int? {
    if let number = number(2) ?? number(1) { return number }
    var ahead = self
    guard ahead.take({ $0 == " " }), let digit = ahead.number(1) else { return nil }
    self = ahead
    return digit
  }

  /// `+05:30`, `-0800`, `+02` or `+2`, which no further digit follows.
  mutating func offset() -> UTCOffset? {
    var ahead = self
    guard let sign = next, ahead.take({ $0 == "+" || $0 == "-" }),
      let hours = ahead.number(2, open: true) ?? ahead.number(1)
    else { return nil }
    _ = ahead.take { $0 == ":" }
    let minutes = ahead.number(2)
    guard !ahead.takeDigit(),
      let offset = UTCOffset("\(sign)\(padded(hours, 2)):\(padded(minutes ?? 0, 2))")
    else { return nil }
    self = ahead
    return offset
  }

  /// The zones of e-mails (RFC 822, 5.1).
  private static let zones = [
    "utc": 0, "gmt": 0, "ut": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  fileprivate mutating func takeZone() -> UTCOffset? {
    for (word, hours) in Self.zones {
      var ahead = self
      guard ahead.take(word: word), !ahead.isAtWord else { continue }
      self = ahead
      return UTCOffset(seconds: hours * 3600)
    }
    return nil
  }

  private var isAtWord: Bool { next?.properties.isAlphabetic == true }
}

/// The half of a day, or a part of it, that a clock of 12 hours is in.
private enum PartOfDay {
  case morning, afternoon

  /// An hour on the clock of 24 hours; one that is on it already stays.
  func hour(_ hour: Int) -> Int {
    guard (0...12).contains(hour) else { return hour }
    return self == .morning ? hour % 12 : hour % 12 + 12
  }

  /// Names in lower case, as text and as the bytes of the encodings in which cameras write them.
  static let names: [(name: String, part: PartOfDay)] = {
    let names: [(String, PartOfDay)] =
      [
        "am", "a.m.", "a. m.", "上午", "午前", "오전", "凌晨", "清晨", "早晨", "早上", "πμ", "π.μ.",
        // GBK, Big5, EUC-KR, Shift-JIS, EUC-JP
        "\u{C9}\u{CF}\u{CE}\u{E7}", "\u{A4}W\u{A4}\u{C8}", "\u{BF}\u{C0}\u{C0}\u{FC}",
        "\u{8C}\u{DF}\u{91}O", "\u{B8}\u{E1}\u{C1}\u{B0}",
      ].map { ($0, .morning) }
      + [
        "pm", "p.m.", "p. m.", "下午", "午後", "午后", "오후", "中午", "傍晚", "晚上", "μμ", "μ.μ.",
        "\u{CF}\u{C2}\u{CE}\u{E7}", "\u{A4}U\u{A4}\u{C8}", "\u{BF}\u{C0}\u{C8}\u{C4}",
        "\u{8C}\u{DF}\u{8C}\u{E3}", "\u{B8}\u{E1}\u{B8}\u{E5}",
      ].map { ($0, .afternoon) }
    return names.map { ($0.lowercased(), $1) }
  }()
}

extension DateScanner {
  private mutating func takeHalfOfDay() -> PartOfDay? {
    for (name, part) in PartOfDay.names {
      var ahead = self
      // In Chinese and Japanese, nothing separates it from what follows.
      guard ahead.take(word: name), name.first?.isASCII != true || !ahead.isAtWord else { continue }
      self = ahead
      skipSpaces()
      return part
    }
    return nil
  }
}

// MARK: - Dates with the names of months

extension DateParts {
  /// The forms of e-mails and of C: `Sat, 06 Aug 2022 12:44:26 +0200`, `Sat Aug  6 12:44:26 2022`, `6. August 2022`,
  /// `May 1978`.
  private static func words(_ text: String) -> DateParts? {
    var (year, month, day): (Int?, Int?, Int?)
    var clock: DateScanner?
    let words = text.split { $0 == " " || $0 == "," }.flatMap { word in
      // RFC 850: `06-Aug-22`.
      word.contains { $0.isLetter } && !word.contains(":") ? word.split(separator: "-") : [word]
    }
    for word in words {
      if word.contains(":") {
        if clock == nil, word.first?.isNumber == true {
          clock = DateScanner(text[word.startIndex...])
        }
      } else if let known = Self.month(word) {
        month = month ?? known
      } else if let number = Self.number(word) {
        let digits = word.prefix { $0.isNumber }.count
        if digits == 4, year == nil {
          year = number
        } else if digits < 3, day == nil, (1...31).contains(number) {
          day = number
        } else if digits == 2, year == nil, month != nil, clock == nil {
          // RFC 822, with the meaning that RFC 2822 (4.3) gives to it.
          year = number + (number < 50 ? 2000 : 1900)
        }
      }
    }
    guard let year, let month, let known = CalendarMonth(year: year, month: month) else {
      return nil
    }
    guard let day else { return clock == nil ? DateParts(.month(known)) : nil }
    guard let whole = LocalDay(year: year, month: month, day: day) else { return nil }
    var parts = DateParts(.day(whole))
    guard var clock else { return parts }
    guard let found = clock.clock() else {
      parts.hasUnreadableClock = true
      return parts
    }
    (parts.clock, parts.offset, parts.isUTCByName) = (found.time, found.offset, found.isUTCByName)
    return parts
  }

  /// `6`, `06`, `6.`, `6th`, `2022`
  private static func number(_ word: Substring) -> Int? {
    let digits = word.prefix { $0.isNumber }
    guard (1...4).contains(digits.count),
      ["", ".", "st", "nd", "rd", "th"].contains(String(word.dropFirst(digits.count)))
    else { return nil }
    return Int(digits)
  }

  /// English and German names, whole or short.
  private static func month(_ word: Substring) -> Int? {
    let name = word.hasSuffix(".") ? word.dropLast() : word
    guard name.count > 2 else { return nil }
    return name == "mrz" ? 3 : Self.months.first { $0.name.hasPrefix(name) }?.number
  }

  private static let months: [(name: String, number: Int)] = [
    [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ],
    [
      "januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
      "november", "dezember",
    ],
  ].flatMap { $0.enumerated().map { ($1, $0 + 1) } }
}
