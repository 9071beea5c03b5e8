public import Foundation

/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Since 1970-01-01T00:00:00Z; negative before.
  public let milliseconds: Int64

  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z; negative before.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The moment of a date, to the nearest millisecond: a date keeps fractions of them, and these not exactly. Nil for a
  /// date that is not a number, or further away than 64 bits of milliseconds reach.
  public init?(_ date: Date) {
    guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
      return nil
    }
    self.milliseconds = milliseconds
  }

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

extension Date {
  /// The date of a moment.
  public init(_ timestamp: Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000)
  }
}

extension Timestamp {
  /// The current time of the system's clock.
  package static var now: Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}

/// The source of a library's current time.
public struct WallClock: Sendable {
  private let read: @Sendable () -> Timestamp

  /// A clock that reads the time from a closure, so that tests can set it.
  public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  /// The system's clock.
  public static let system = WallClock { .now }

  /// The current time.
  public var now: Timestamp { read() }
}

/// The days that clocks show which were never set: they start from a day and count on.
package enum UnsetClock {
  /// The starts of POSIX (west of Greenwich, the day before), QuickTime, FAT and GPS. No photo is from these days.
  private static let starts: [ClosedRange<LocalDay>] = [
    days(1904, 1, 1...1), days(1969, 12, 31...31), days(1970, 1, 1...1), days(1980, 1, 1...1),
    days(1980, 1, 6...6),
  ]
  /// How long a clock that counts from 1970 may have run.
  private static let month = days(1970, 1, 1...31)

  /// The first days of the years from which cameras count. Photos may be from these days too.
  package static let doubtful: [ClosedRange<LocalDay>] =
    [1980, 2000, 2001, 2010].map { days($0, 1, 1...9) }
    + [2005, 2008, 2012, 2015, 2016].map { days($0, 1, 1...1) }

  private static func days(
    _ year: Int, _ month: Int, _ days: ClosedRange<Int>
  ) -> ClosedRange<LocalDay> {
    guard let first = LocalDay(year: year, month: month, day: days.lowerBound) else {
      preconditionFailure("these days exist")
    }
    return first...first.advanced(by: days.count - 1)
  }

  /// Whether a day is one that no photo is from.
  ///
  /// - Parameter isByClock: whether a clock wrote it, rather than a person who may mean it.
  package static func shows(_ day: LocalDay, isByClock: Bool) -> Bool {
    starts.contains { $0.contains(day) } || isByClock && month.contains(day)
  }

  /// The sources of dates that people have stated, whatever a clock showed.
  package static let statedSources: [CaptureSource] = [.manual, .sidecar]

  /// Whether a day may be one of a clock that was never set.
  package static func mayShow(_ day: LocalDay) -> Bool { doubtful.contains { $0.contains(day) } }
}

/// Saturating arithmetic for numbers from files and user input: results beyond the type's range are clamped to
/// its minimum or maximum, where the ordinary operators trap.
extension FixedWidthInteger where Self: SignedInteger {
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .min : .max) : sum
  }

  package func subtractingSaturated(_ other: Self) -> Self {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .max : .min) : difference
  }

  package func multipliedSaturated(by other: Self) -> Self {
    let (product, isBeyond) = multipliedReportingOverflow(by: other)
    return isBeyond ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Duration {
  /// Whole milliseconds.
  package var saturatedMilliseconds: Int64 {
    components.seconds.multipliedSaturated(by: 1000)
      .addingSaturated(components.attoseconds / 1_000_000_000_000_000)
  }
}
