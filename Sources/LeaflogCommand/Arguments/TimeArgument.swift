import ArgumentParser
internal import Foundation
internal import Leaflog

/// When something was: `2026-03-01T09:30`, with an offset if one is meant; `9:30`; `2 hours ago`; or a
/// day alone.
struct TimeArgument: ExpressibleByArgument {
  private let text: String
  private let typed: TypedTime?

  init(argument: String) {
    text = argument
    typed = TypedTime(argument)
  }

  /// Whether it can be a time at all.
  var isTime: Bool { typed != nil }

  /// The time of something new: a time alone is today's.
  ///
  /// - Throws: with code `invalidRequest`, and with an example, for what is no time.
  func time(in library: Library) throws(LeaflogError) -> RecordedTime {
    try time(
      in: library, day: library.today, offset: nil, alone: { .day($0) })
  }

  /// The new time of an entry. What was not typed stays: a time alone keeps the day, a day alone the
  /// time of day, and both the offset that was recorded.
  func time(of entry: Entry, in library: Library) throws(LeaflogError) -> RecordedTime {
    let recorded = entry.time
    return try time(
      in: library, day: recorded.localDay,
      offset: recorded.basis == .zoned ? recorded.offset : nil, alone: { recorded.on($0) })
  }

  /// - Parameters:
  ///   - day: that of a time alone.
  ///   - offset: that of a time that was typed without one.
  ///   - alone: the time of a day alone.
  private func time(
    in library: Library, day: LocalDay, offset: UTCOffset?, alone: (LocalDay) -> RecordedTime
  ) throws(LeaflogError) -> RecordedTime {
    let time: RecordedTime? =
      switch typed {
      case .day(let day): day.resolved(on: library.today).map(alone)
      case .clock(let clock, let typed):
        (typed.map { $0.resolved(on: library.today) } ?? day).flatMap {
          clock.recorded(on: $0, unsaid: offset)
        }
      case .secondsAgo(let count): EntryTime(secondsAgo: count, in: library).recorded
      case .month, nil: nil
      }
    if let time { return time }
    throw LeaflogError(
      .invalidRequest,
      "\(text.quoted) is not a time. Write it as "
        + "2026-03-01T09:30, 9:30, yesterday or '2 hours ago'.")
  }
}

/// A cursor, or a moment: a day or `2026-03-01T09:30`, with an offset if one is meant.
enum PlaceArgument: ExpressibleByArgument {
  case cursor(Cursor)
  case time(TimeArgument)

  init(argument: String) {
    self = Cursor(argument).map { .cursor($0) } ?? .time(TimeArgument(argument: argument))
  }

  /// The place, looking this way where it is a moment. A day is its midnight.
  func cursor(heading: Cursor.Heading, in library: Library) throws(LeaflogError) -> Cursor {
    switch self {
    case .cursor(let cursor): return cursor
    case .time(let time):
      let placed = EntryTime(try time.time(in: library), in: library.timeZone)
      return .moment(placed.instant, heading: heading)
    }
  }
}
