internal import DiaryCatalog
internal import DiaryModel

/// The present, as far as it is known, by which a time in the future is told from others.
///
/// A machine without a battery for its clock starts in 1970, or where it was switched off, until it reaches a time
/// server. That its clock is behind shows in the library, which has changes that were made later; or it was ahead when
/// they were made. Then nothing can be said to be in the future, and times are taken as they are recorded.
struct Present: Sendable {
  /// The machine's clock.
  let clock: Timestamp
  /// The time that it is at least.
  let earliest: Timestamp

  /// No program of these days has run before 2020.
  private static let first = Timestamp(milliseconds: 1_577_836_800_000)
  /// Clocks may differ by this much.
  private static let tolerance: Int64 = 60_000

  /// - Parameter known: the latest time that is known to have passed.
  init(clock: Timestamp, after known: Timestamp?) {
    self.clock = clock
    earliest = max(Self.first, known ?? Self.first)
  }

  /// Whether the machine's clock is behind.
  var isBehind: Bool { clock.advanced(byMilliseconds: Self.tolerance) < earliest }

  /// The present; if it is not known, the end of time.
  var now: Timestamp { isBehind ? Timestamp(milliseconds: .max) : max(clock, earliest) }

  /// Whether a time is in the future.
  func isFuture(_ time: EntryTime) -> Bool {
    time.instant > now.advanced(byMilliseconds: Self.tolerance)
  }

  /// A sentence about a clock that is behind; nil if it is not.
  var warning: String? {
    guard isBehind else { return nil }
    return "The clock of this machine says \(LocalDateTime(utc: clock))Z, but it was "
      + "\(LocalDateTime(utc: earliest))Z before. Dates are taken as they are recorded, also those that may be "
      + "in the future. If the clock is wrong, set it."
  }
}

extension Library {
  /// The present, by the clock and the library's changes.
  var present: Present {
    get throws {
      Present(clock: clock.now, after: try catalog.read { try $0.latestChangeTime })
    }
  }
}
