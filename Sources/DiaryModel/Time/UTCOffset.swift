/// How far a wall clock is ahead of UTC (east is positive).
public struct UTCOffset: Hashable, Sendable {
  public static let utc = UTCOffset(uncheckedSeconds: 0)

  /// That of the places where a day begins first, such as Kiritimati.
  package static let easternmost = UTCOffset(uncheckedSeconds: 14 * 3600)

  /// The largest, with which a day begins before it does anywhere.
  static let first = UTCOffset(uncheckedSeconds: 18 * 3600)

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
