internal import DiaryCatalog
internal import DiaryModel
public import Foundation

/// The present in a library: the clock, the zone, and the hour at which a day ends there.
public protocol LibraryTime {
  /// The source of the present time.
  var clock: WallClock { get }
  /// UTC where this system does not know the library's zone.
  var timeZone: TimeZone { get }
  /// The name of the library's zone where this system does not know it; nil otherwise.
  var unknownTimeZone: String? { get }
  /// The hour of the setting `day.end`.
  var dayEnd: Int { get }
}

extension LibraryTime {
  /// The present time to the second, in the library's zone.
  ///
  /// It includes the offset: unlike a typed time, it stays the same moment when the library's zone changes,
  /// and it sorts correctly in the hour that is repeated when clocks are set back. As the offset is that of
  /// the zone, it is shown like a typed time.
  public var now: RecordedTime {
    recorded(Timestamp(milliseconds: clock.now.milliseconds / 1000 * 1000))
  }

  /// A moment as it is recorded: with its offset in the library's zone, if that is known.
  public func recorded(_ moment: Timestamp) -> RecordedTime {
    guard unknownTimeZone == nil else { return .instant(moment) }
    let time = EntryTime(.instant(moment), in: timeZone)
    return .zoned(time.wall, time.offset)
  }

  /// Checks that a time that somebody has entered is a certain moment.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a wall time without an offset where the library's zone is not
  ///   known.
  package func checkZone(of time: RecordedTime) throws(LeaflogError) {
    guard let name = unknownTimeZone, case .wall = time else { return }
    throw LeaflogError(
      .invalidRequest,
      "The library's time zone, \(name), is not known on this system, so it is not clear when "
        + "\(time.iso8601) is.", remedy: .setTimeZone)
  }

  /// A sentence about a zone that is not known; nil if it is.
  package var zoneWarning: String? {
    unknownTimeZone.map {
      "The library's time zone, \($0), is not known on this system. Times are shown in UTC."
    }
  }

  /// Places a recorded time in the library's zone, on the day that it counts for.
  package func placed(_ time: RecordedTime) -> EntryTime {
    EntryTime(time, in: timeZone, dayEnd: dayEnd)
  }

  /// Whether the clocks of the library's zone showed a time without an offset twice.
  func isRepeated(_ time: RecordedTime) -> Bool {
    time.settled(in: timeZone, changed: []).isRepeated
  }

  /// The present day of the calendar in the library's zone, by the machine's clock.
  package var calendarDay: LocalDay { EntryTime(.instant(clock.now), in: timeZone).wall.day }

  /// The present day in the library's zone, whatever the machine's zone. It is still the previous day until
  /// the hour of the setting `day.end`.
  public var today: LocalDay {
    EntryTime(.instant(clock.now), in: timeZone, dayEnd: dayEnd).localDay
  }
}

extension Library: LibraryTime {}

/// The present, as far as it is known.
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

  /// Whether a moment is more than a minute in the future.
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

/// The current day. It changes without a commit.
package struct PresentDay: Sendable, Hashable {
  /// The diary's, which goes on until the hour of the setting `day.end`.
  package let day: LocalDay
  /// The calendar's, in the library's zone.
  package let calendarDay: LocalDay
  /// Whether the machine's clock is behind, so that no day is known to be in the future.
  package let isBehind: Bool
}

extension Library {
  /// The present, by the clock and the library's changes.
  var present: Present {
    get throws {
      Present(clock: clock.now, after: try catalog.read { try $0.latestChangeTime })
    }
  }

  /// The time of the latest change that is known, by which a clock that is behind is noticed.
  package var latestChange: Timestamp? {
    get throws(LeaflogError) { try translating { try catalog.read { try $0.latestChangeTime } } }
  }

  /// - Parameter change: `latestChange`.
  package func presentDay(after change: Timestamp?) -> PresentDay {
    let moment = clock.now
    return PresentDay(
      day: EntryTime(.instant(moment), in: timeZone, dayEnd: dayEnd).localDay,
      calendarDay: EntryTime(.instant(moment), in: timeZone).wall.day,
      isBehind: Present(clock: moment, after: change).isBehind)
  }

  /// The latest day that an entry can have, that of the calendar in the library's zone; nil while the clock is behind and
  /// cannot tell.
  package var latestDay: LocalDay? {
    get throws(LeaflogError) { try translating { try present.isBehind ? nil : calendarDay } }
  }

  /// Whether a day of the diary has not begun. While the clock is behind, none is known to be ahead.
  package func isAhead(_ day: LocalDay) throws(LeaflogError) -> Bool {
    guard day > today else { return false }
    return try latestDay != nil
  }

  /// Whether an entry of a day would be in the future.
  package func isFuture(_ day: LocalDay) throws(LeaflogError) -> Bool {
    // A day that the clock has reached needs no look at the catalog.
    if day <= calendarDay { return false }
    return try latestDay.map { day > $0 } ?? false
  }

  /// Whether a time is in the future: a day, or a moment by more than a minute, as clocks may differ by less.
  package func isFuture(_ time: EntryTime) throws(LeaflogError) -> Bool {
    if time.basis == .day { return try isFuture(time.localDay) }
    if time.instant <= clock.now { return false }
    return try translating { try present.isFuture(time) }
  }
}
