/// A wall-clock time: a day and a time of day, in no particular time zone.
public struct LocalDateTime: Hashable, Sendable {
  /// The milliseconds of 24 hours.
  public static let millisecondsPerDay = 86_400_000

  /// The calendar day.
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

  /// 0 to 23.
  public var hour: Int { millisecondOfDay / 3_600_000 }
  /// 0 to 59.
  public var minute: Int { millisecondOfDay / 60_000 % 60 }
  /// 0 to 59.
  public var second: Int { millisecondOfDay / 1000 % 60 }
  /// 0 to 999.
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

/// How far a wall clock is ahead of UTC (east is positive).
public struct UTCOffset: Hashable, Sendable {
  /// No offset.
  public static let utc = UTCOffset(uncheckedSeconds: 0)

  /// That of the places where a day begins first, such as Kiritimati.
  package static let easternmost = UTCOffset(uncheckedSeconds: 14 * 3600)

  /// The largest, with which a day begins before it does anywhere.
  static let first = UTCOffset(uncheckedSeconds: 18 * 3600)

  /// Positive east of Greenwich, at most 18 hours either way.
  public let seconds: Int

  /// Nil beyond ±18 hours, which no zone has ever reached.
  public init?(seconds: Int) {
    guard (-18 * 3600...18 * 3600).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  private init(uncheckedSeconds: Int) { seconds = uncheckedSeconds }

  /// The offsets in use other than whole hours, in minutes (IANA time zone database).
  private static let partHours: Set = [
    -570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825,
  ]

  /// Whether some place has the offset today, or had it since digital cameras exist.
  package var isInUse: Bool {
    guard seconds.isMultiple(of: 60) else { return false }
    return seconds.isMultiple(of: 3600)
      ? (-12...14).contains(seconds / 3600) : Self.partHours.contains(seconds / 60)
  }

  /// Parses `Z`, `+05:30`, `-0800` or `+02`, as in EXIF 2.31's OffsetTime tags and ISO 8601, and
  /// `+00:53:28`, as `description` writes historical offsets.
  public init?(_ text: some StringProtocol) {
    if text == "Z" || text == "z" {
      self = .utc
      return
    }
    let digits = String(text.dropFirst().filter { $0 != ":" })
    guard let sign = text.first, sign == "+" || sign == "-", digits.utf8.allSatisfy(isDigit),
      [2, 4, 6].contains(digits.utf8.count),
      text.utf8.count == digits.utf8.count + 1 || text.utf8.count == digits.utf8.count * 3 / 2,
      digits.utf8.count < 6 || text.utf8.count == 9,
      let hours = Int(digits.prefix(2)), let minutes = Int("0" + digits.dropFirst(2).prefix(2)),
      let seconds = Int("0" + digits.dropFirst(4)), minutes < 60, seconds < 60
    else { return nil }
    self.init(seconds: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds))
  }
}

extension UTCOffset: CustomStringConvertible {
  /// `Z` or `+05:30`, with seconds only for historical offsets that have them.
  public var description: String {
    if seconds == 0 { return "Z" }
    let magnitude = abs(seconds)
    let text =
      (seconds < 0 ? "-" : "+") + padded(magnitude / 3600, 2) + ":"
      + padded(magnitude / 60 % 60, 2)
    return magnitude % 60 == 0 ? text : text + ":" + padded(magnitude % 60, 2)
  }
}

func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
