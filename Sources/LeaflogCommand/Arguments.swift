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
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    let today = EntryTime(.instant(now), in: .current).localDay
    if text == "today" { return today }
    if text == "yesterday" { return today.advanced(by: -1) }
    let words = text.split(separator: " ")
    guard words.count == 3, ["day", "days"].contains(words[1]), words[2] == "ago",
      let count = Int(words[0]), (0...1_000_000).contains(count)
    else { return nil }
    return today.advanced(by: -count)
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
