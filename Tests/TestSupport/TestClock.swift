package import DiaryModel
package import Foundation
internal import Synchronization

/// A clock that a test sets. It shows the machine's time until then.
package final class TestClock: Sendable {
  private let time: Mutex<Timestamp?>

  package init(at time: Timestamp? = nil) { self.time = Mutex(time) }

  /// For libraries.
  package var wallClock: WallClock { WallClock { [self] in now } }

  package var now: Timestamp { time.withLock { $0 } ?? .now }

  /// Stops it at a time.
  ///
  /// - Parameter zone: that of a time without an offset, the one of the tests' libraries unless given.
  package func set(_ time: RecordedTime, in zone: TimeZone = .ofTestLibraries) {
    self.time.withLock { $0 = EntryTime(time, in: zone).instant }
  }

  /// Stops it at a time for as long as a call lasts.
  package func at<Value>(
    _ time: RecordedTime, in zone: TimeZone = .ofTestLibraries, _ body: () throws -> Value
  ) rethrows -> Value {
    let before = self.time.withLock { $0 }
    defer { self.time.withLock { $0 = before } }
    set(time, in: zone)
    return try body()
  }

  /// Puts it forward, and stops it there.
  package func pass(days: Int64 = 0, hours: Int64 = 0, seconds: Int64 = 0) {
    let span = ((days * 24 + hours) * 3600 + seconds) * 1000
    time.withLock { $0 = ($0 ?? .now).advanced(byMilliseconds: span) }
  }
}

extension Timestamp {
  /// 2026-06-01 12:00 in UTC, a moment to begin with.
  package static let noonInJune = Timestamp(milliseconds: 1_780_315_200_000)
}

extension TimeZone {
  /// Berlin.
  package static let ofTestLibraries = TimeZone(identifier: "Europe/Berlin") ?? .gmt
}
