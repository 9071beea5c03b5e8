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

  /// Whether a day may be one of a clock that was never set.
  package static func mayShow(_ day: LocalDay) -> Bool { doubtful.contains { $0.contains(day) } }
}
