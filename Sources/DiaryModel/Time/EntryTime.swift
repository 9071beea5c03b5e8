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

  /// ISO 8601, with an offset only if one was recorded; an instant ends in `Z`.
  public var iso8601: String {
    switch self {
    case .zoned(let wall, let offset): "\(wall)\(offset)"
    case .wall(let wall): "\(wall)"
    case .instant(let instant): "\(LocalDateTime(utc: instant))Z"
    case .day(let day): "\(day)"
    }
  }
}

/// A recorded time with its place on the timeline.
///
/// The recorded time is kept as it is. A wall time without a zone is sorted as if in the library's
/// zone, and an instant is shown in it. Neither records the zone, so both are placed anew when the
/// library's zone changes.
public struct EntryTime: Hashable, Sendable {
  /// Which part of the time was recorded; the rest comes from the library's zone.
  public enum Basis: String, Sendable {
    case zoned, wall, instant, day
  }

  /// The moment by which the entry is sorted.
  public let instant: Timestamp
  /// The offset that turns `instant` into the wall time to show.
  public let offset: UTCOffset
  /// Which part was recorded.
  public let basis: Basis

  /// Places a recorded time on the timeline of a library in `zone`.
  public init(_ recorded: RecordedTime, in zone: TimeZone) {
    switch recorded {
    case .zoned(let wall, let offset):
      self.init(instant: wall.timestamp(offset: offset), offset: offset, basis: .zoned)
    case .wall(let wall):
      let offset = zone.offset(atWall: wall)
      self.init(instant: wall.timestamp(offset: offset), offset: offset, basis: .wall)
    case .instant(let instant):
      self.init(instant: instant, offset: zone.offset(at: instant), basis: .instant)
    case .day(let day):
      // A day is sorted as if at its beginning.
      let midnight = LocalDateTime(startOf: day)
      let offset = zone.offset(atWall: midnight)
      self.init(instant: midnight.timestamp(offset: offset), offset: offset, basis: .day)
    }
  }

  package init(instant: Timestamp, offset: UTCOffset, basis: Basis) {
    self.instant = instant
    self.offset = offset
    self.basis = basis
  }

  /// The wall time to show.
  public var wall: LocalDateTime {
    LocalDateTime(utc: instant.advanced(byMilliseconds: Int64(offset.seconds) * 1000))
  }

  /// The day that the entry belongs to.
  public var localDay: LocalDay { wall.day }

  /// The recorded time, without the library's zone.
  public var recorded: RecordedTime {
    switch basis {
    case .zoned: .zoned(wall, offset)
    case .wall: .wall(wall)
    case .instant: .instant(instant)
    case .day: .day(localDay)
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
    let day: Int64 = 86_400_000
    let asUTC = wall.timestamp(offset: .utc)
    let before = offset(at: asUTC.advanced(byMilliseconds: -day))
    let after = offset(at: asUTC.advanced(byMilliseconds: day))
    for candidate in [before, after]
    where offset(at: wall.timestamp(offset: candidate)) == candidate {
      return candidate
    }
    return before
  }
}

extension EntryTime {
  /// The same time of day on another day. A moment in UTC becomes the wall time that was shown for
  /// it.
  public func on(_ day: LocalDay) -> RecordedTime {
    if basis == .day { return .day(day) }
    let midnight = LocalDateTime(startOf: day).timestamp(offset: .utc)
    let moved = LocalDateTime(
      utc: midnight.advanced(byMilliseconds: Int64(wall.millisecondOfDay)))
    return basis == .zoned ? .zoned(moved, offset) : .wall(moved)
  }
}

extension RecordedTime {
  /// Parses `2026-03-01T09:30`, optionally with seconds, a fraction and an offset, or a day alone.
  public init?(_ text: String) {
    if let day = LocalDay(text) {
      self = .day(day)
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
