package import DiaryModel
package import Foundation
internal import Synchronization

/// A clock set by a test. Until then, it shows the machine's time.
package final class TestClock: Sendable {
  private let time: Mutex<Timestamp?>

  package init(at time: Timestamp? = nil) { self.time = Mutex(time) }

  /// The clock for libraries.
  package var wallClock: WallClock { WallClock { [self] in now } }

  package var now: Timestamp { time.withLock { $0 } ?? .now }

  /// Stops the clock at a time.
  ///
  /// - Parameter zone: the zone of a time without an offset; by default, that of the test libraries.
  package func set(_ time: RecordedTime, in zone: TimeZone = .ofTestLibraries) {
    self.time.withLock { $0 = EntryTime(time, in: zone).instant }
  }

  /// Stops the clock at a time for the duration of a call.
  package func at<Value>(
    _ time: RecordedTime, in zone: TimeZone = .ofTestLibraries, _ body: () throws -> Value
  ) rethrows -> Value {
    let before = self.time.withLock { $0 }
    defer { self.time.withLock { $0 = before } }
    set(time, in: zone)
    return try body()
  }

  /// Advances the clock, and stops it there.
  package func pass(days: Int64 = 0, hours: Int64 = 0, seconds: Int64 = 0) {
    let span = ((days * 24 + hours) * 3600 + seconds) * 1000
    time.withLock { $0 = ($0 ?? .now).advanced(byMilliseconds: span) }
  }
}

extension Timestamp {
  /// 2026-06-01 12:00 UTC, a time to start from.
  package static let noonInJune = Timestamp(milliseconds: 1_780_315_200_000)
}

extension TimeZone {
  /// Europe/Berlin.
  package static let ofTestLibraries = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  /// A zone in which it was noon when the tests began, so that no day ends while one runs.
  package static let farFromMidnight: TimeZone = {
    let hours = 12 - Int(Date().timeIntervalSince1970) / 3600 % 24
    // The sign is that of POSIX: Etc/GMT-2 is two hours ahead.
    let name = hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    guard let zone = TimeZone(identifier: name) else { preconditionFailure("no zone \(name)") }
    return zone
  }()
}
