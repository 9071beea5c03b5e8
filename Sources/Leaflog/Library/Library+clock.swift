internal import DiaryCatalog
internal import Foundation

extension Library {
  /// This moment to the second, on a clock in the library's zone.
  ///
  /// It has its offset: unlike a time that somebody types, it stays the same moment when the library's
  /// zone changes, and in the hour that is repeated as clocks are put back it sorts where it belongs. As
  /// the offset is that of the zone, it is shown like a time that was typed.
  public var now: RecordedTime {
    let second = Timestamp(milliseconds: clock.now.milliseconds / 1000 * 1000)
    let time = EntryTime(.instant(second), in: timeZone)
    return .zoned(time.wall, time.offset)
  }

  /// The day that it is in the library's zone, whatever the machine's: the one before until the hour of
  /// the setting `day.end`.
  public var today: LocalDay {
    let wall = EntryTime(.instant(clock.now), in: timeZone).wall
    return wall.hour < dayEnd ? wall.day.advanced(by: -1) : wall.day
  }
}

extension WallClock {
  /// Whether a time is in the future by more than a minute, which clocks may differ by.
  func isFuture(_ time: EntryTime) -> Bool {
    time.instant.milliseconds > now.milliseconds + 60_000
  }
}
