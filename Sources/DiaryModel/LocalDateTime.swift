/// What a clock on the wall showed: a day and a time of day, in no particular time zone.
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

  /// Midnight, with which a day begins.
  public init(startOf day: LocalDay) {
    self.day = day
    millisecondOfDay = 0
  }

  /// The wall time that UTC shows this long after the epoch.
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
  /// ISO 8601 without an offset: `2025-04-02T08:11:05`, with a fraction only where there is one.
  public var description: String {
    var text = "\(day)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    if millisecond != 0 { text += "." + padded(millisecond, 3) }
    return text
  }
}

/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
public struct Timestamp: Hashable, Comparable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Nil outside the years 1 to 9999, which no photo was taken in.
  package init?(seconds: Int64) {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    milliseconds = seconds * 1000
  }

  /// So much later, or as late as there is; a negative number goes back.
  package func advanced(byMilliseconds count: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds.addingSaturated(count))
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// How far a wall clock is ahead of UTC (east is positive).
public struct UTCOffset: Hashable, Sendable {
  public static let utc = UTCOffset(uncheckedSeconds: 0)

  public let seconds: Int

  /// Nil beyond ±18 hours, which no zone has ever reached.
  public init?(seconds: Int) {
    guard (-18 * 3600...18 * 3600).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  private init(uncheckedSeconds: Int) { seconds = uncheckedSeconds }

  /// Takes `Z`, `+05:30`, `-0800` or `+02`, as EXIF 2.31's OffsetTime tags and ISO 8601 have them, and
  /// `+00:53:28`, as `description` writes historical ones.
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
  /// `Z` or `+05:30`; historical offsets with seconds show them.
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
