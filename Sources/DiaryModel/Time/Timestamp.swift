/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
public struct Timestamp: Hashable, Comparable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Nil outside the years 1 to 9999, in which no photo was taken.
  package init?(seconds: Int64) {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    milliseconds = seconds * 1000
  }

  /// The moment `count` milliseconds later, saturating; a negative count goes back.
  package func advanced(byMilliseconds count: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds.addingSaturated(count))
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
