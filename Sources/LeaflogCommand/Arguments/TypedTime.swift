internal import Foundation
internal import Leaflog

/// A day or a time as typed, before it is resolved with a clock: the day of `yesterday` depends on the time zone of a
/// library that is not open yet.
enum TypedTime: Hashable {
  enum Day: Hashable {
    /// `2026-03-01`
    case civil(LocalDay)
    /// `today`, `yesterday`, `tomorrow`, `3 days ago`, `1 week ago`
    case daysAgo(Int)
    /// `3 months ago`, `1 year ago`
    case monthsAgo(Int)
  }

  /// A time of day, with the offset that was typed, if any.
  struct Clock: Hashable {
    let hour: Int
    let minute: Int
    let second: Int
    let millisecond: Int
    let offset: UTCOffset?
  }

  case day(Day)
  /// `2026-03`
  case month(CalendarMonth)
  /// `2026`
  case year(CalendarYear)
  /// `2026-03-01T09:30`, `yesterday 9:30`; without a day, today.
  case clock(Clock, Day?)
  /// `now`, `2 hours ago`
  case secondsAgo(Int)

  init?(_ typed: String) {
    // An offset may be separated by a space, as it is where times are shown.
    let text = typed.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing(#/ (?=[+-]\d)/#, with: "")
    if text == "now" {
      self = .secondsAgo(0)
    } else if let month = CalendarMonth(text) {
      self = .month(month)
    } else if let year = CalendarYear(text) {
      self = .year(year)
    } else if let day = Day(text) {
      self = .day(day)
    } else if let clock = Clock(text) {
      self = .clock(clock, nil)
    } else if let (count, unit) = Self.ago(text), let seconds = Self.seconds[unit] {
      self = .secondsAgo(count * seconds)
    } else if let (day, clock) = Self.dayAndClock(text) {
      self = .clock(clock, day)
    } else {
      return nil
    }
  }

  private static func dayAndClock(_ text: String) -> (Day, Clock)? {
    let isISO = text.dropFirst(10).first == "t"
    guard
      let separator = isISO
        ? text.index(text.startIndex, offsetBy: 10) : text.lastIndex(of: " "),
      let day = Day(String(text[..<separator])),
      let clock = Clock(String(text[text.index(after: separator)...]))
    else { return nil }
    return (day, clock)
  }

  private static let seconds = ["second": 1, "minute": 60, "hour": 3600]

  /// The number and the unit, in the singular.
  fileprivate static func ago(_ text: String) -> (count: Int, unit: String)? {
    let words = text.split(separator: " ")
    guard words.count == 3, words[2] == "ago",
      let count = ["a", "an", "one"].contains(words[0]) ? 1 : Int(words[0]),
      (0...1_000_000).contains(count)
    else { return nil }
    return (count, String(words[1].hasSuffix("s") ? words[1].dropLast() : words[1]))
  }
}

extension TypedTime.Day {
  fileprivate init?(_ text: String) {
    let words = ["today": 0, "yesterday": 1, "tomorrow": -1]
    if let day = LocalDay(text) {
      self = .civil(day)
    } else if let count = words[text] {
      self = .daysAgo(count)
    } else if let (count, unit) = TypedTime.ago(text) {
      switch unit {
      case "day": self = .daysAgo(count)
      case "week": self = .daysAgo(7 * count)
      case "month": self = .monthsAgo(count)
      case "year": self = .monthsAgo(12 * count)
      default: return nil
      }
    } else {
      return nil
    }
  }

  /// The day itself; nil before year 1. In a month without such a day, it is the last one.
  func resolved(on today: LocalDay) -> LocalDay? {
    let day: LocalDay?
    switch self {
    case .civil(let civil): day = civil
    case .daysAgo(let count): day = today.advanced(by: -count)
    case .monthsAgo(let count):
      let month = today.civil.year * 12 + today.civil.month - 1 - count
      day = CalendarMonth(year: month / 12, month: month % 12 + 1).map {
        $0.firstDay.advanced(by: min(today.civil.day, $0.dayCount) - 1)
      }
    }
    return day.flatMap { $0.civil.year > 0 ? $0 : nil }
  }
}

extension TypedTime.Clock {
  /// Parses `09:30` and `9:30`, with optional seconds, fraction and offset.
  fileprivate init?(_ text: String) {
    let padded = text.dropFirst().first == ":" ? "0" + text : text
    switch RecordedTime("2000-01-01T" + padded) {
    case .wall(let wall)?: self.init(wall, nil)
    case .zoned(let wall, let offset)?: self.init(wall, offset)
    default: return nil
    }
  }

  private init(_ wall: LocalDateTime, _ offset: UTCOffset?) {
    (hour, minute, second) = (wall.hour, wall.minute, wall.second)
    (millisecond, self.offset) = (wall.millisecond, offset)
  }

  /// This time on a day. `unsaid` is the offset if none was typed.
  func recorded(on day: LocalDay, unsaid: UTCOffset? = nil) -> RecordedTime? {
    LocalDateTime(day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
      .map { wall in (offset ?? unsaid).map { .zoned(wall, $0) } ?? .wall(wall) }
  }
}

extension EntryTime {
  /// A moment in the past, in the library's time zone and to the second.
  init(secondsAgo count: Int, in library: some LibraryTime) {
    let zone = library.timeZone
    let present = EntryTime(library.now, in: zone)
    let moment = Timestamp(milliseconds: present.instant.milliseconds - Int64(count) * 1000)
    self.init(library.recorded(moment), in: zone)
  }
}

extension String {
  /// The text quoted for a message, on one line and not too long.
  var quoted: String { "“\(TextLayout.truncated(TextLayout.singleLine(self), to: 60))”" }
}
