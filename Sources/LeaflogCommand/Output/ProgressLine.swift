internal import Synchronization

/// A progress line on the terminal. It is drawn at most ten times a second, and only where a user sees it.
final class ProgressLine: Sendable {
  private let stream: StandardStream
  private let isShown: Bool
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

  init(_ context: CommandContext) {
    (stream, isShown) = (context.error, context.showsProgress)
  }

  /// Draws the line, unless it was drawn just now.
  ///
  /// - Parameter text: returns the text for the available columns.
  func show(_ text: (_ columns: Int) -> String) {
    guard isShown else { return }
    lastDrawn.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last < .milliseconds(100) { return }
      last = now
      stream.write("\r\u{1B}[K" + text(stream.terminal.width))
    }
  }

  /// - Parameter share: the share of the work that is done, 0 to 1.
  func show(share: Double) {
    show { Self.bar(share, columns: max(10, min(40, $0 - 8))) + "  \(Int(100 * share)) %" }
  }

  /// Removes the line, so that something else can be written.
  func clear() {
    lastDrawn.withLock { last in
      guard last != nil else { return }
      stream.write("\r\u{1B}[K")
      last = nil
    }
  }

  /// A bar, filled up to a share.
  static func bar(_ share: Double, columns: Int) -> String {
    let filled = min(columns, Int(Double(columns) * share))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
  }
}
