internal import Leaflog
internal import Synchronization

/// How often somebody lately tried a wrong secret, by address.
final class FailedAttempts: Sendable {
  /// How many are answered in a window.
  static let limit = 10
  /// Begins with the first of them.
  static let windowMilliseconds: Int64 = 60_000
  /// Of how many addresses it is known. Of more, the one whose window began first is forgotten.
  static let maxAddressCount = 4096

  private struct Window {
    let beganAt: Timestamp
    var count: Int

    /// Also when the clock was put back.
    func isOver(at now: Timestamp) -> Bool {
      now < beganAt || now >= beganAt.advanced(byMilliseconds: FailedAttempts.windowMilliseconds)
    }
  }

  private let windows = Mutex<[[UInt8]: Window]>([:])

  /// Counts one more.
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
