/// A wall-clock time: a day and a time of day, in no particular time zone.
public struct LocalDateTime: Hashable, Sendable {
  public static let millisecondsPerDay = 86_400_000

  public let day: LocalDay
  /// Milliseconds since midnight, 0 to 86 399 999.
  public let millisecondOfDay: Int

  /// Nil when a part is out of its range. A leap second (60) is kept as 59.
  public init?(day: LocalDay, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0)
  {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0...999).contains(millisecond)
    else { return nil }
    self.day = day
    millisecondOfDay = ((hour * 60 + minute) * 60 + min(second, 59)) * 1000 + millisecond
  }

  /// Midnight at the start of a day.
  public init(startOf day: LocalDay) {
    self.day = day
    millisecondOfDay = 0
  }

  /// The wall time so many milliseconds later, as if no clocks were changed.
  package func advanced(byMilliseconds count: Int) -> LocalDateTime {
    LocalDateTime(utc: timestamp(offset: .utc).advanced(byMilliseconds: Int64(count)))
  }

  private init(day: LocalDay, millisecondOfDay: Int) {
    (self.day, self.millisecondOfDay) = (day, millisecondOfDay)
  }

  /// The wall time in UTC at an instant.
  public init(utc instant: Timestamp) {
    let perDay = Int64(Self.millisecondsPerDay)
    var days = instant.milliseconds / perDay
    var rest = instant.milliseconds % perDay
    if rest < 0 {
      days -= 1
      rest += perDay
    }
    day = LocalDay(dayNumber: Int(days))
    millisecondOfDay = Int(rest)
  }

  /// The same time of day, `count` days later; a negative number goes back.
  package func advanced(byDays count: Int) -> LocalDateTime {
    LocalDateTime(day: day.advanced(by: count), millisecondOfDay: millisecondOfDay)
  }

  /// The day that it counts for, where a day ends at an hour after midnight.
  func day(endingAt hour: Int) -> LocalDay { self.hour < hour ? day.advanced(by: -1) : day }

  public var hour: Int { millisecondOfDay / 3_600_000 }
  public var minute: Int { millisecondOfDay / 60_000 % 60 }
  public var second: Int { millisecondOfDay / 1000 % 60 }
  public var millisecond: Int { millisecondOfDay % 1000 }

  /// The instant at which a clock with this offset shows this wall time.
  public func timestamp(offset: UTCOffset) -> Timestamp {
    Timestamp(
      milliseconds: Int64(day.dayNumber)
        .multipliedSaturated(by: Int64(Self.millisecondsPerDay))
        .addingSaturated(Int64(millisecondOfDay) - Int64(offset.seconds) * 1000))
  }
}

extension LocalDateTime: CustomStringConvertible {
  /// ISO 8601 without an offset: `2025-04-02T08:11:05`, with milliseconds unless they are zero.
  public var description: String {
    var text = "\(day)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    if millisecond != 0 { text += "." + padded(millisecond, 3) }
    return text
  }
}
