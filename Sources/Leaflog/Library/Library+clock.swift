internal import DiaryCatalog
public import Foundation

/// The present in a library: the clock, the zone, and the hour at which a day ends there.
public protocol LibraryTime {
  var clock: WallClock { get }
  var timeZone: TimeZone { get }
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
    let second = Timestamp(milliseconds: clock.now.milliseconds / 1000 * 1000)
    let time = EntryTime(.instant(second), in: timeZone)
    return .zoned(time.wall, time.offset)
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
