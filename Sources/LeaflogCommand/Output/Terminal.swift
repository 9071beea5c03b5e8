internal import Foundation
internal import Glibc
internal import Leaflog
internal import Synchronization

/// The terminal that a stream is connected to, and how text is laid out for it.
package struct Terminal: Sendable {
  package let isTerminal: Bool
  /// The width in columns.
  package let width: Int
  package let hasColor: Bool
  /// Whether a line can be written over, which a terminal without a name or abilities cannot do (terminfo, dumb).
  let hasCursor: Bool
  /// The height in lines of text.
  let height: Int
  /// The size of a character in pixels; nil where the terminal does not report it.
  let cell: PixelSize?
  /// Nil if there is no file behind the stream.
  let descriptor: CInt?

  init(_ descriptor: CInt, _ environment: [String: String]) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    var size = winsize()
    if isTerminal { _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size) }
    width = size.ws_col > 0 ? Int(size.ws_col) : Self.width(environment)
    height = size.ws_row > 0 ? Int(size.ws_row) : 24
    // Terminals that do not report their pixels return 0.
    let known = size.ws_col > 0 && size.ws_row > 0
    let pixels =
      known
      ? PixelSize(
        width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row)) : nil
    cell = pixels.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    // A terminal without a name has no known abilities, and an empty NO_COLOR does not count (no-color.org).
    hasCursor = isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    hasColor = hasCursor && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The layout for a pipe or a file.
  package init(environment: [String: String]) {
    self.init(
      isTerminal: false, width: Self.width(environment), hasColor: false, hasCursor: false)
  }

  private init(isTerminal: Bool, width: Int, hasColor: Bool, hasCursor: Bool) {
    (self.isTerminal, self.width) = (isTerminal, width)
    (self.hasColor, self.hasCursor) = (hasColor, hasCursor)
    (height, cell, descriptor) = (24, nil, nil)
  }

  private static func width(_ environment: [String: String]) -> Int {
    environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 1), 10_000) } ?? 80
  }

  /// The terminal, leaving columns free beside what is drawn.
  func narrowed(by columns: Int) -> Terminal {
    Terminal(
      isTerminal: isTerminal, width: max(1, width - columns), hasColor: hasColor,
      hasCursor: hasCursor)
  }

  enum Style: String {
    case bold = "1"
    case dim = "2"
    case green = "32"
    case red = "31"
  }

  func styled(_ text: String, _ style: Style) -> String {
    hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

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
