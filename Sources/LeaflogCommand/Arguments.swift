import ArgumentParser
internal import Foundation
internal import Leaflog

/// A day as people type it: `2026-03-01`, `today`, `yesterday`, `3 days ago`.
struct DayArgument: ExpressibleByArgument {
  let day: LocalDay

  init?(argument: String) {
    guard let day = LocalDay(argument) ?? Self.relative(argument.lowercased()) else { return nil }
    self.day = day
  }

  private static func relative(_ text: String) -> LocalDay? {
    let today = LocalDay.today
    if text == "today" { return today }
    if text == "yesterday" { return today.advanced(by: -1) }
    let words = text.split(separator: " ")
    guard words.count == 3, ["day", "days"].contains(words[1]), words[2] == "ago",
      let count = Int(words[0]), (0...1_000_000).contains(count)
    else { return nil }
    let day = today.advanced(by: -count)
    return day.civil.year > 0 ? day : nil
  }
}

/// A cursor, or a moment: a day or `2026-03-01T09:30`, with an offset if one is meant.
enum PlaceArgument: ExpressibleByArgument {
  case cursor(Cursor)
  case time(RecordedTime)

  init?(argument: String) {
    if let cursor = Cursor(argument) {
      self = .cursor(cursor)
    } else if let day = DayArgument(argument: argument), let midnight = LocalDateTime(day: day.day)
    {
      self = .time(.wall(midnight))
    } else if let time = RecordedTime(argument) {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// The place, looking this way where it is a moment.
  func cursor(heading: Cursor.Heading, in zone: TimeZone) -> Cursor {
    switch self {
    case .cursor(let cursor): cursor
    case .time(let time): .moment(EntryTime(time, in: zone).instant, heading: heading)
    }
  }
}

/// An IANA time zone.
struct TimeZoneArgument: ExpressibleByArgument {
  let zone: TimeZone

  init?(argument: String) {
    if let zone = TimeZone(identifier: argument) {
      self.zone = zone
    } else if let offset = UTCOffset(argument), let zone = TimeZone(secondsFromGMT: offset.seconds)
    {
      self.zone = zone
    } else {
      return nil
    }
  }
}

extension StoragePolicy: ExpressibleByArgument {}
extension EntryKind: ExpressibleByArgument {}
extension BucketUnit: ExpressibleByArgument {}

/// When something was: `2026-03-01T09:30`, with an offset if one is meant; a time of today; or a day
/// alone.
enum TimeArgument: ExpressibleByArgument {
  case time(RecordedTime)
  case day(LocalDay)

  init?(argument: String) {
    if let day = DayArgument(argument: argument) {
      self = .day(day.day)
    } else if let time = RecordedTime(argument.replacing(" ", with: "T", maxReplacements: 1)) {
      self = .time(time)
    } else if let time = RecordedTime("\(LocalDay.today)T" + argument) {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// As it was given.
  var recorded: RecordedTime {
    switch self {
    case .time(let time): time
    case .day(let day): .day(day)
    }
  }

  /// A day alone keeps the entry's time of day.
  func time(of entry: Entry) -> RecordedTime {
    switch self {
    case .time(let time): time
    case .day(let day): entry.time.on(day)
    }
  }
}

/// A span of time: numbers with w, d, h, m or s behind each, a sign before all: `-1h30m`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let isNegative = argument.hasPrefix("-")
    let units: [Character: Int] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
    var seconds = 0
    var number: Int?
    for character in argument.lowercased().drop(while: { "+-".contains($0) }) {
      if let digit = character.wholeNumberValue, character.isASCII {
        number = (number ?? 0) * 10 + digit
      } else if let unit = units[character], let count = number {
        seconds += count * unit
        number = nil
      } else {
        return nil
      }
      // A thousand years, which no clock is wrong by.
      guard number ?? 0 < 1_000_000_000, seconds < 31_557_600_000 else { return nil }
    }
    guard number == nil, argument.contains(where: \.isNumber),
      argument.filter({ "+-".contains($0) }).count <= 1
    else { return nil }
    duration = .seconds(isNegative ? -seconds : seconds)
  }
}
