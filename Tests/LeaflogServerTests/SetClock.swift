import Leaflog
import Synchronization

/// A clock that a test sets: 2026-06-01 12:00 in UTC at first.
final class SetClock: Sendable {
  private let time = Mutex(Timestamp(milliseconds: 1_780_315_200_000))

  var clock: WallClock { WallClock { [self] in time.withLock { $0 } } }

  func pass(seconds: Int64) {
    time.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1000) }
  }

  func pass(days: Int64) { pass(seconds: days * 86_400) }
}
