internal import DiaryCatalog
public import Foundation

/// The present in a library: the clock, the zone, and the hour at which a day ends there.
public protocol LibraryTime {
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

  /// The present day of the calendar in the library's zone, the latest that an entry can have.
  package var calendarDay: LocalDay { EntryTime(.instant(clock.now), in: timeZone).wall.day }

  /// The present day in the library's zone, whatever the machine's zone. It is still the previous day until
  /// the hour of the setting `day.end`.
  public var today: LocalDay {
    EntryTime(.instant(clock.now), in: timeZone, dayEnd: dayEnd).localDay
  }
}

extension Library: LibraryTime {}

extension WallClock {
  /// Whether a time is more than a minute in the future; clocks may differ by less.
  package func isFuture(_ time: EntryTime) -> Bool {
    time.instant.milliseconds > now.milliseconds + 60_000
  }
}
