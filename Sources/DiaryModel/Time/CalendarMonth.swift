/// A month of the proleptic Gregorian calendar.
public struct CalendarMonth: Hashable, Sendable {
  /// The first day of the month.
  public let firstDay: LocalDay

  /// The month that a day lies in.
  public init(of day: LocalDay) { firstDay = day.advanced(by: 1 - day.civil.day) }

  /// Nil when there is no such month; years have one to four digits.
  public init?(year: Int, month: Int) {
    guard let first = LocalDay(year: year, month: month, day: 1) else { return nil }
    firstDay = first
  }

  /// The number of the year; 1 to 9999 unless the month was made of a day beyond.
  public var year: Int { firstDay.civil.year }
  /// 1 to 12.
  public var month: Int { firstDay.civil.month }
  /// The last day of the month.
  public var lastDay: LocalDay { firstDay.advanced(by: dayCount - 1) }
  /// 28 to 31.
  public var dayCount: Int { LocalDay.dayCount(year: year, month: month) }
  /// All days of the month, in order.
  public var days: [LocalDay] { (0..<dayCount).map { firstDay.advanced(by: $0) } }

  /// Its days as on a wall calendar: a row per week, with nil in place of days of adjacent months.
  ///
  /// - Parameter firstWeekday: the day on which weeks begin: 1 is Monday, 7 is Sunday.
  public func weeks(from firstWeekday: Int = 1) -> [[LocalDay?]] {
    let first = firstDay.week(from: firstWeekday).lowerBound
    let last = lastDay.week(from: firstWeekday).upperBound
    let cells = (first.dayNumber...last.dayNumber).map { number in
      let day = LocalDay(dayNumber: number)
      return (firstDay...lastDay).contains(day) ? day : nil
    }
    return stride(from: 0, to: cells.count, by: 7).map {
      Array(cells[$0..<min($0 + 7, cells.count)])
    }
  }
}

extension CalendarMonth: LosslessStringConvertible {
  /// Parses `YYYY-MM`.
  public init?(_ text: String) {
    guard text.utf8.count == 7, let day = LocalDay(text + "-01") else { return nil }
    firstDay = day
  }

  /// `YYYY-MM`
  public var description: String { String(firstDay.description.prefix(7)) }
}

/// A year of the proleptic Gregorian calendar.
public struct CalendarYear: Hashable, Sendable {
  /// The first day of the year.
  public let firstDay: LocalDay

  /// The year that a day lies in.
  public init(of day: LocalDay) {
    let (year, month, dayOfMonth) = day.civil
    let before = (1..<month).reduce(0) { $0 + LocalDay.dayCount(year: year, month: $1) }
    firstDay = day.advanced(by: 1 - dayOfMonth - before)
  }

  /// Nil unless the year is 1 to 9999.
  public init?(year: Int) {
    guard let first = LocalDay(year: year, month: 1, day: 1) else { return nil }
    firstDay = first
  }

  /// The number of the year; 1 to 9999 unless it was made of a day beyond.
  public var year: Int { firstDay.civil.year }
}

extension CalendarYear: LosslessStringConvertible {
  /// Parses `YYYY`.
  public init?(_ text: String) {
    guard text.utf8.count == 4, let day = LocalDay(text + "-01-01") else { return nil }
    firstDay = day
  }

  /// `YYYY`
  public var description: String { padded(year, 4) }
}
