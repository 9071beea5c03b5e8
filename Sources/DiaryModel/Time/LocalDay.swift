/// A day of the proleptic Gregorian calendar, in no particular time zone.
public struct LocalDay: Hashable, Sendable {
  /// Days since 1970-01-01, at most `maxDayNumber` before or after.
  public let dayNumber: Int

  /// More days than 64 bits of milliseconds can hold, and few enough that arithmetic does not overflow.
  private static let maxDayNumber = 1_000_000_000_000

  /// The day `dayNumber` days after 1970-01-01, clamped to `maxDayNumber`.
  public init(dayNumber: Int) {
    self.dayNumber = min(max(dayNumber, -Self.maxDayNumber), Self.maxDayNumber)
  }

  /// Nil when the calendar has no such day (2025-02-29) or the year is not 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    // Days from civil: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    dayNumber = era * 146_097 + dayOfEra - 719_468
  }

  /// Parses `YYYY-MM-DD`.
  public init?(_ text: some StringProtocol) {
    // Byte by byte for speed: every entry of a page is parsed here.
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return nil
    }
    var number = 0
    for index in [0, 1, 2, 3, 5, 6, 8, 9] {
      guard isDigit(bytes[index]) else { return nil }
      number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
    }
    self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// Year, month (1 to 12) and day of the month (1 to 31).
  public var civil: (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// 1 is Monday, 7 is Sunday (ISO 8601).
  public var weekday: Int { (((dayNumber + 3) % 7) + 7) % 7 + 1 }

  /// The number of days from this day to `today`.
  public func daysAgo(on today: LocalDay) -> Int { today.dayNumber - dayNumber }

  /// The day `days` later; a negative number goes back.
  public func advanced(by days: Int) -> LocalDay {
    LocalDay(dayNumber: dayNumber.addingSaturated(days))
  }

  static func dayCount(year: Int, month: Int) -> Int {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension LocalDay: Comparable {
  public static func < (left: LocalDay, right: LocalDay) -> Bool {
    left.dayNumber < right.dayNumber
  }
}

extension LocalDay: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String {
    let (year, month, day) = civil
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

/// A number with leading zeros, without Foundation's formatters.
package func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension [LocalDay] {
  /// For a message: `2026-03-01, 2026-03-02 and 3 more`.
  package var shortList: String {
    let shown = 5
    let names = prefix(shown).map(\.description)
    if count > shown { return names.joined(separator: ", ") + " and \(count - shown) more" }
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[count - 1]
  }
}

extension LocalDay: Codable {
  /// Decodes `YYYY-MM-DD`.
  ///
  /// - Throws: `DecodingError` for any other value.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let text = try value.decode(String.self)
    guard let day = LocalDay(text) else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "“\(text)” is no day; write it as 2026-03-01.")
    }
    self = day
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}
