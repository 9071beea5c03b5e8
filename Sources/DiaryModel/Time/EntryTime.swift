public import Foundation

/// A time exactly as it was recorded, with nothing added.
public enum RecordedTime: Hashable, Sendable {
  /// A wall time and the offset its clock had.
  case zoned(LocalDateTime, UTCOffset)
  /// A wall time without a recorded zone (most cameras).
  case wall(LocalDateTime)
  /// A moment in UTC without a recorded local zone (GPS receivers, file systems).
  case instant(Timestamp)
  /// A day whose time of day does not matter (a daily log) or was not recorded.
  case day(LocalDay)
  /// A month of which the day was not recorded.
  case month(CalendarMonth)
  /// A year of which nothing more was recorded.
  case year(CalendarYear)

  /// ISO 8601, with an offset only if one was recorded; an instant ends in `Z`.
  public var iso8601: String {
    switch self {
    case .zoned(let wall, let offset): "\(wall)\(offset)"
    case .wall(let wall): "\(wall)"
    case .instant(let instant): "\(LocalDateTime(utc: instant))Z"
    case .day(let day): "\(day)"
    case .month(let month): "\(month)"
    case .year(let year): "\(year)"
    }
  }

  /// Whether it has no time of day: a day, a month or a year.
  public var isDate: Bool {
    switch self {
    case .zoned, .wall, .instant: false
    case .day, .month, .year: true
    }
  }

  /// The time; nil when not even its day was recorded. Only photos may have such a date.
  public var withKnownDay: RecordedTime? {
    switch self {
    case .zoned, .wall, .instant, .day: self
    case .month, .year: nil
    }
  }
}

/// The part of a date that was recorded, where that is less than a day.
public enum DatePrecision: String, Sendable {
  /// The month and the year, but no day.
  case month
  /// The year alone.
  case year
}

/// A recorded time with its place on the timeline.
///
/// The recorded time is kept as it is. An instant is shown in the library's zone, and is placed anew when that changes.
/// All others stay on their day: a wall time without a zone is sorted by the moment that it was in the library's zone when
/// it was recorded.
public struct EntryTime: Hashable, Sendable {
  /// Which part of the time was recorded; the rest comes from the library's zone.
  public enum Basis: String, Sendable {
    /// The wall time and its offset.
    case zoned
    /// The wall time alone; the offset is that of the library's zone when it was recorded.
    case wall
    /// The moment in UTC; the wall time is that of the library's zone.
    case instant
    /// No time of day: a day, or the month or year that ``EntryTime/precision`` says.
    case day
  }

  /// The moment of the entry; the beginning of a day without a time of day.
  public let instant: Timestamp
  /// The offset that turns `instant` into the wall time to show.
  public let offset: UTCOffset
  /// Which part was recorded.
  public let basis: Basis
  /// The day that the entry counts for: that of its wall time or, if a day ends at a later hour than midnight, the day
  /// that was not over. The first one, if only the month or the year is known.
  public let localDay: LocalDay
  /// The part of the date that was recorded if the basis is `day` and not even the day is known, otherwise nil. The entry
  /// is sorted at the first day of its month or year.
  public let precision: DatePrecision?

  /// Places a recorded time on the timeline of a library in `zone`.
  ///
  /// - Parameter dayEnd: the hour until which a time counts for the day before.
  public init(_ recorded: RecordedTime, in zone: TimeZone, dayEnd: Int = 0) {
    switch recorded {
    case .zoned(let wall, let offset):
      self.init(wall, offset, .zoned, dayEnd: dayEnd)
    case .wall(let wall):
      self.init(wall, zone.offset(atWall: wall), .wall, dayEnd: dayEnd)
    case .instant(let instant):
      let offset = zone.offset(at: instant)
      let day = Self.wall(at: instant, offset: offset).day(endingAt: dayEnd)
      self.init(instant: instant, offset: offset, basis: .instant, day: day)
    case .day(let day): self.init(from: day, nil, in: zone)
    case .month(let month): self.init(from: month.firstDay, .month, in: zone)
    case .year(let year): self.init(from: year.firstDay, .year, in: zone)
    }
  }

  /// Places the new time of an entry. A wall time is read as the former one was: with its offset, if that is no longer
  /// the offset of `zone`.
  package init(
    _ recorded: RecordedTime, replacing former: EntryTime, in zone: TimeZone, dayEnd: Int
  ) {
    guard case .wall(let wall) = recorded, former.basis == .wall,
      zone.offset(atWall: former.wall) != former.offset
    else {
      self.init(recorded, in: zone, dayEnd: dayEnd)
      return
    }
    self.init(wall, former.offset, .wall, dayEnd: dayEnd)
  }

  /// A day, or the first one of a month or a year.
  private init(from day: LocalDay, _ precision: DatePrecision?, in zone: TimeZone) {
    let midnight = LocalDateTime(startOf: day)
    let offset = zone.offset(atWall: midnight)
    self.init(
      instant: midnight.timestamp(offset: offset), offset: offset, basis: .day, day: day,
      precision: precision)
  }

  private init(_ wall: LocalDateTime, _ offset: UTCOffset, _ basis: Basis, dayEnd: Int) {
    self.init(
      instant: wall.timestamp(offset: offset), offset: offset, basis: basis,
      day: wall.day(endingAt: dayEnd))
  }

  package init(
    instant: Timestamp, offset: UTCOffset, basis: Basis, day: LocalDay,
    precision: DatePrecision? = nil
  ) {
    (self.instant, self.offset, self.basis, localDay) = (instant, offset, basis, day)
    self.precision = basis == .day ? precision : nil
  }

  /// The time in a library whose zone is, or has become, `zone`: an instant is placed anew, and all others stay.
  package func moved(to zone: TimeZone, dayEnd: Int) -> EntryTime {
    basis == .instant ? EntryTime(recorded, in: zone, dayEnd: dayEnd) : self
  }

  /// The same time, counted for another day.
  package func counted(for day: LocalDay) -> EntryTime {
    EntryTime(instant: instant, offset: offset, basis: basis, day: day, precision: precision)
  }

  /// The place in the order of the timeline: the day, and the moment within it. It does not depend on the library's
  /// zone, except for times that were recorded as instants. A day without a time of day comes first in it, wherever
  /// on Earth its other entries were recorded, and before it the month and the year that begin with it.
  package var place: (day: LocalDay, moment: Timestamp) {
    guard basis == .day else { return (localDay, instant) }
    let first = LocalDateTime(startOf: localDay).timestamp(offset: .first)
    let lead: Int64 =
      switch precision {
      case nil: 0
      case .month: 1
      case .year: 2
      }
    return (localDay, first.advanced(byMilliseconds: -lead))
  }

  /// The moment of the entry; nil if no more than its day, month or year is known.
  public var moment: Timestamp? { basis == .day ? nil : instant }

  /// The wall time to show.
  public var wall: LocalDateTime { Self.wall(at: instant, offset: offset) }

  /// The time on a clock with an offset.
  package static func wall(at instant: Timestamp, offset: UTCOffset) -> LocalDateTime {
    LocalDateTime(utc: instant.advanced(byMilliseconds: Int64(offset.seconds) * 1000))
  }

  /// The date as far as it is known, without the time of day: `1978-05-02`, `1978-05` or `1978`.
  public var date: String {
    switch precision {
    case nil: localDay.description
    case .month: CalendarMonth(of: localDay).description
    case .year: CalendarYear(of: localDay).description
    }
  }

  /// The recorded time, without the library's zone.
  public var recorded: RecordedTime {
    switch basis {
    case .zoned: .zoned(wall, offset)
    case .wall: .wall(wall)
    case .instant: .instant(instant)
    case .day:
      switch precision {
      case nil: .day(localDay)
      case .month: .month(CalendarMonth(of: localDay))
      case .year: .year(CalendarYear(of: localDay))
      }
    }
  }
}

extension TimeZone {
  /// The offset of this zone at an instant.
  public func offset(at instant: Timestamp) -> UTCOffset {
    // Foundation's calendars crash for moments far beyond the years of any real date.
    let seconds = min(max(Double(instant.milliseconds) / 1000, -62_200_000_000), 253_500_000_000)
    let date = Date(timeIntervalSince1970: seconds)
    return UTCOffset(seconds: secondsFromGMT(for: date)) ?? .utc
  }

  /// The offset of this zone when its clocks show `wall`: the earlier of two when they were put
  /// back, the one before the gap when they were put forward over it (as java.time and Temporal's
  /// "compatible" do).
  public func offset(atWall wall: LocalDateTime) -> UTCOffset {
    let around = offsets(around: wall)
    return around.first { isOffset($0, atWall: wall) } ?? around[0]
  }

  /// The offsets that this zone has when its clocks show `wall`: two when they were put back over it, the earlier moment's
  /// first, and none when they were put forward over it.
  package func offsets(atWall wall: LocalDateTime) -> [UTCOffset] {
    let around = offsets(around: wall)
    return around.filter { isOffset($0, atWall: wall) }
  }

  /// The offset a day before, and that of a day after if it is another one.
  private func offsets(around wall: LocalDateTime) -> [UTCOffset] {
    let day: Int64 = 86_400_000
    let asUTC = wall.timestamp(offset: .utc)
    let before = offset(at: asUTC.advanced(byMilliseconds: -day))
    let after = offset(at: asUTC.advanced(byMilliseconds: day))
    return before == after ? [before] : [before, after]
  }

  private func isOffset(_ offset: UTCOffset, atWall wall: LocalDateTime) -> Bool {
    self.offset(at: wall.timestamp(offset: offset)) == offset
  }
}

extension EntryTime {
  /// The same time of day on another day, which it counts for as it did for its own. A moment in UTC becomes the wall time that was shown for
  /// it.
  public func on(_ day: LocalDay) -> RecordedTime {
    if basis == .day { return .day(day) }
    let moved = wall.advanced(byDays: day.dayNumber - localDay.dayNumber)
    return basis == .zoned ? .zoned(moved, offset) : .wall(moved)
  }
}

extension RecordedTime {
  /// Parses `2026-03-01T09:30`, optionally with seconds, a fraction and an offset, or a day, a month or a year alone.
  public init?(_ text: String) {
    if let date = Self.date(text) {
      self = date
      return
    }
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let day = LocalDay(parts[0]) else { return nil }
    let time = parts[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
    let fields = time.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count), fields[0].utf8.count == 2, fields[1].utf8.count == 2,
      let hour = Int(fields[0]), let minute = Int(fields[1]),
      let (second, millisecond) = fields.count == 3 ? Self.seconds(fields[2]) : (0, 0),
      let wall = LocalDateTime(
        day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
    else { return nil }
    let rest = parts[1].dropFirst(time.count)
    if rest.isEmpty {
      self = .wall(wall)
    } else if let offset = UTCOffset(rest) {
      self = .zoned(wall, offset)
    } else {
      return nil
    }
  }

  /// `2026-03-01`, `2026-03` or `2026`.
  private static func date(_ text: String) -> RecordedTime? {
    LocalDay(text).map { .day($0) } ?? CalendarMonth(text).map { .month($0) }
      ?? CalendarYear(text).map { .year($0) }
  }

  /// Whole seconds and milliseconds, without the rounding of a binary fraction: `11.123` keeps its 123.
  private static func seconds(_ text: Substring) -> (Int, Int)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = Int(parts[0]) else { return nil }
    guard parts.count == 2 else { return (second, 0) }
    guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(isDigit) else { return nil }
    let digits = parts[1].prefix(3)
    guard let millisecond = Int(digits + String(repeating: "0", count: 3 - digits.count)) else {
      return nil
    }
    return (second, millisecond)
  }
}
