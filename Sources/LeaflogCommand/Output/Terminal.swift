internal import Foundation
internal import Glibc
internal import Leaflog

/// The terminal that a stream is connected to, and how text is laid out for it.
package struct Terminal: Sendable {
  package let isTerminal: Bool
  /// The width in columns.
  package let width: Int
  package let hasColor: Bool
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
    // An empty NO_COLOR does not count (no-color.org), and a terminal without a name has no known abilities.
    hasColor =
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
      && !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// The layout for a pipe or a file.
  package init(environment: [String: String]) {
    self.init(isTerminal: false, width: Self.width(environment), hasColor: false)
  }

  private init(isTerminal: Bool, width: Int, hasColor: Bool) {
    (self.isTerminal, self.width, self.hasColor) = (isTerminal, width, hasColor)
    (height, cell, descriptor) = (24, nil, nil)
  }

  private static func width(_ environment: [String: String]) -> Int {
    environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 1), 10_000) } ?? 80
  }

  /// The terminal, leaving columns free beside what is drawn.
  func narrowed(by columns: Int) -> Terminal {
    Terminal(isTerminal: isTerminal, width: max(1, width - columns), hasColor: hasColor)
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
