import ArgumentParser
internal import Foundation
internal import Leaflog

/// A day as typed: `2026-03-01`, `today`, `yesterday`, `3 days ago`; also a month such as `2026-03` where it bounds a
/// span.
struct DayArgument: ExpressibleByArgument {
  private let text: String
  private let typed: TypedTime?

  init(argument: String) {
    text = argument
    typed = TypedTime(argument)
  }

  /// Whether the text can be a day at all.
  var isDay: Bool {
    switch typed {
    case .day, .secondsAgo: true
    case .month, .year, .clock, nil: false
    }
  }

  /// The day, by the library's clock and in its time zone.
  ///
  /// - Throws: with code `invalidRequest` and an example, for anything that is not a day.
  func day(in library: Library) throws(LeaflogError) -> LocalDay {
    if let day = day(on: library) { return day }
    throw refusal("\(text.quoted) is not a day.", examples: "2026-03-01, yesterday")
  }

  /// The first day of a span that begins here: for a month, its first day.
  func firstDay(in library: Library) throws(LeaflogError) -> LocalDay {
    if let bound = bound(in: library, { $0.firstDay }) { return bound }
    throw noBound
  }

  /// The last day of a span that ends here: for a month, its last day.
  func lastDay(in library: Library) throws(LeaflogError) -> LocalDay {
    if let bound = bound(in: library, { $0.lastDay }) { return bound }
    throw noBound
  }

  fileprivate func bound(
    in library: Library, _ end: (CalendarMonth) -> LocalDay
  ) -> LocalDay? {
    if case .month(let month) = typed { return end(month) }
    return day(on: library)
  }

  private var noBound: LeaflogError {
    refusal(
      "\(text.quoted) is neither a day nor a month.", examples: "2026-03-01, 2026-03, yesterday"
    )
  }

  private func day(on library: Library) -> LocalDay? {
    switch typed {
    case .day(let day): day.resolved(on: library.today)
    case .secondsAgo(let count): EntryTime(secondsAgo: count, in: library).localDay
    case .month, .year, .clock, nil: nil
    }
  }

  private func refusal(_ message: String, examples: String) -> LeaflogError {
    LeaflogError(.invalidRequest, "\(message) Write it as \(examples) or '3 days ago'.")
  }
}

extension LocalDay {
  /// - Throws: with code `invalidRequest`, for a day in the future.
  func refuseFuture(in library: Library) throws(LeaflogError) {
    guard try !library.isAhead(self) else {
      throw LeaflogError(.invalidRequest, "\(self) is in the future.")
    }
  }
}

/// An end of a span of the timeline as typed: a day, a month, or a time such as `2026-03-01T09:30`.
struct BoundArgument: ExpressibleByArgument {
  private let day: DayArgument
  private let time: TimeArgument

  init(argument: String) {
    day = DayArgument(argument: argument)
    time = TimeArgument(argument: argument)
  }

  /// The beginning of a span: of a month, its first day.
  func first(in library: Library) throws(LeaflogError) -> TimelineBound {
    try bound(in: library) { $0.firstDay }
  }

  /// The end of a span: of a month, its last day.
  func last(in library: Library) throws(LeaflogError) -> TimelineBound {
    try bound(in: library) { $0.lastDay }
  }

  private func bound(
    in library: Library, _ end: (CalendarMonth) -> LocalDay
  ) throws(LeaflogError) -> TimelineBound {
    if let moment = try time.bound(in: library) { return moment }
    if let day = day.bound(in: library, end) { return TimelineBound(day) }
    throw LeaflogError(
      .invalidRequest,
      "\(time.text.quoted) is neither a day, a month nor a time. Write it as 2026-03-01, 2026-03, "
        + "2026-03-01T09:30, yesterday or '2 hours ago'.")
  }
}

/// A day, or an empty text for no day.
struct OptionalDayArgument: ExpressibleByArgument {
  private let argument: DayArgument?

  init(argument: String) {
    self.argument = argument.isEmpty ? nil : DayArgument(argument: argument)
  }

  func day(in library: Library) throws(LeaflogError) -> LocalDay? {
    try argument?.day(in: library)
  }
}

/// A time as typed: `2026-03-01T09:30`, with or without an offset; `9:30`; `2 hours ago`; or just a day.
struct TimeArgument: ExpressibleByArgument {
  fileprivate let text: String
  private let typed: TypedTime?

  init(argument: String) {
    text = argument
    typed = TypedTime(argument)
  }

  /// Whether the text can be a time at all. A year may be the start of an id.
  var isTime: Bool {
    switch typed {
    case .day, .month, .clock, .secondsAgo: true
    case .year, nil: false
    }
  }

  /// The time of a new entry: a time without a day is today's. In the hours before `day.end` it is the last such time:
  /// of this calendar day if that has come already.
  ///
  /// - Throws: with code `invalidRequest` and an example, for anything that is not a time.
  func time(in library: some LibraryTime) throws(LeaflogError) -> RecordedTime {
    let now = EntryTime(secondsAgo: 0, in: library)
    if case .clock(let clock, nil) = typed, now.localDay != library.today,
      let time = clock.recorded(on: now.localDay, unsaid: nil),
      EntryTime(time, in: library.timeZone).instant <= now.instant
    {
      return time
    }
    return try time(
      in: library, day: library.today, offset: nil, alone: { .day($0) })
  }

  /// The capture time of new photos, of which a month or a year may be all that is known.
  func captureTime(in library: some LibraryTime) throws(LeaflogError) -> RecordedTime {
    if let date = partialDate { return date }
    return try time(in: library)
  }

  /// The new capture time of a photo. Parts that were not typed are kept, except of a date that is only a month or a
  /// year.
  func captureTime(of photo: Entry, in library: Library) throws(LeaflogError) -> RecordedTime {
    if let date = partialDate { return date }
    if case .clock(_, nil) = typed, photo.time.precision != nil {
      throw LeaflogError(
        .invalidRequest,
        "Only \(photo.time.date) is known of the date of \(photo.id.short). Write the day too: "
          + "\(photo.time.localDay)T09:30.")
    }
    return try time(of: photo, in: library)
  }

  /// The place of a time of day or a moment; nil for anything else.
  fileprivate func bound(in library: Library) throws(LeaflogError) -> TimelineBound? {
    switch typed {
    case .clock, .secondsAgo: TimelineBound(library.placed(try time(in: library)))
    case .day, .month, .year, nil: nil
    }
  }

  private var partialDate: RecordedTime? {
    switch typed {
    case .month(let month): .month(month)
    case .year(let year): .year(year)
    case .day, .clock, .secondsAgo, nil: nil
    }
  }

  /// The new time of an entry. Parts that were not typed are kept: the day or the time of day, and the recorded offset.
  func time(of entry: Entry, in library: Library) throws(LeaflogError) -> RecordedTime {
    let recorded = entry.time
    return try time(
      in: library, day: recorded.wall.day,
      offset: recorded.basis == .zoned ? recorded.offset : nil, alone: { recorded.on($0) })
  }

  /// - Parameters:
  ///   - day: the day of a time without one.
  ///   - offset: the offset of a time without one.
  ///   - alone: the time of a day without one.
  private func time(
    in library: some LibraryTime, day: LocalDay, offset: UTCOffset?,
    alone: (LocalDay) -> RecordedTime
  ) throws(LeaflogError) -> RecordedTime {
    let time: RecordedTime? =
      switch typed {
      case .day(let day): day.resolved(on: library.today).map(alone)
      case .clock(let clock, let typed):
        (typed.map { $0.resolved(on: library.today) } ?? day).flatMap {
          clock.recorded(on: $0, unsaid: offset)
        }
      case .secondsAgo(let count): EntryTime(secondsAgo: count, in: library).recorded
      case .month, .year, nil: nil
      }
    if let time { return time }
    throw LeaflogError(
      .invalidRequest,
      "\(text.quoted) is not a time. Write it as "
        + "2026-03-01T09:30, 9:30, yesterday or '2 hours ago'.")
  }
}

/// A cursor, or a moment: a day or `2026-03-01T09:30`, with or without an offset.
enum PlaceArgument: ExpressibleByArgument {
  case cursor(Cursor)
  case time(TimeArgument)

  init(argument: String) {
    self = Cursor(argument).map { .cursor($0) } ?? .time(TimeArgument(argument: argument))
  }

  /// The position; a moment gets this heading. A day stands for its beginning.
  func cursor(heading: Cursor.Heading, in library: Library) throws(LeaflogError) -> Cursor {
    switch self {
    case .cursor(let cursor): return cursor
    case .time(let time) where Cursor.isMeant(by: time.text):
      throw LeaflogError(
        .invalidRequest,
        "\(time.text.quoted) is not a cursor. Copy the `next` or `previous` of a page.")
    case .time(let time):
      return .time(library.placed(try time.time(in: library)), heading: heading)
    }
  }
}

/// Options that choose photos by their time of day and their light.
struct HourOptions: ParsableArguments {
  @Option(help: "Only photos of this part of the day, over midnight, too: 08:00-18:00.")
  var between: PhotoHours.Span?

  @Option(
    help: "One photo a day: the nearest to this time of day within 30 minutes, such as 12:00.")
  var at: TimeOfDay?

  @Flag(help: "Only photos that are not dark.")
  var light = false

  var hours: PhotoHours {
    var hours = PhotoHours()
    (hours.between, hours.at, hours.excludesDark) = (between, at, light)
    return hours
  }
}

extension TimeOfDay: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

extension PhotoHours.Span: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
