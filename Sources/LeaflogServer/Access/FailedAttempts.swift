internal import Leaflog
internal import Synchronization

/// Recent attempts with a wrong secret, counted by address.
final class FailedAttempts: Sendable {
  /// The number of attempts answered per window.
  static let limit = 10
  /// The length of a window, which begins with its first attempt.
  static let windowMilliseconds: Int64 = 60_000
  /// The number of addresses tracked. Beyond it, the one with the oldest window is dropped.
  static let maxAddressCount = 4096

  private struct Window {
    let beganAt: Timestamp
    var count: Int

    /// Whether the window has ended. Setting the clock back ends it too.
    func isOver(at now: Timestamp) -> Bool {
      now < beganAt || now >= beganAt.advanced(byMilliseconds: FailedAttempts.windowMilliseconds)
    }
  }

  private let windows = Mutex<[[UInt8]: Window]>([:])

  /// Counts one more attempt.
  ///
  /// - Returns: the seconds to wait, if there were too many before; nil otherwise.
  func add(from address: IPAddress?, at now: Timestamp) -> Int? {
    let key = address?.network ?? []
    return windows.withLock { windows in
      if windows[key]?.isOver(at: now) ?? true {
        Self.makeRoom(in: &windows, at: now)
        windows[key] = Window(beganAt: now, count: 0)
      }
      guard var window = windows[key] else { return nil }
      guard window.count < Self.limit else {
        let passed = now.milliseconds - window.beganAt.milliseconds
        return Int((Self.windowMilliseconds - passed + 999) / 1000)
      }
      window.count += 1
      windows[key] = window
      return nil
    }
  }

  private static func makeRoom(in windows: inout [[UInt8]: Window], at now: Timestamp) {
    guard windows.count >= maxAddressCount else { return }
    windows = windows.filter { !$0.value.isOver(at: now) }
    guard windows.count >= maxAddressCount,
      let oldest = windows.min(by: { $0.value.beganAt < $1.value.beganAt })
    else { return }
    windows[oldest.key] = nil
  }
}
