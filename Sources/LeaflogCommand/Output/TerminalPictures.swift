import ArgumentParser
internal import Foundation
internal import Glibc
internal import Leaflog

/// Thumbnails on standard output.
struct TerminalPictures {
  /// The room for one picture, in cells.
  struct Box {
    let columns: Int
    let rows: Int
    /// Free columns to the left.
    var indentation = 0

    /// One photo by itself.
    static let single = Box(columns: 60, rows: 24)
    /// Below a line of the timeline, where its text begins.
    static let inTimeline = Box(columns: 24, rows: 6, indentation: 9)
  }

  static let help = """
    Pictures are drawn with Kitty's graphics or sixels where the terminal has them, else in half \
    blocks of as many colours as it has (NO_COLOR: none). Where standard output is no terminal, none \
    is drawn unless CLICOLOR_FORCE=1 is set; then half blocks are, which `less -R` shows.
    """

  private let terminal: ChafaTerminal
  private let columns: Int
  private let rows: Int
  private let cell: PixelSize

  /// Nil where pictures would only be in the way: in a pipe or a file, unless `CLICOLOR_FORCE` says
  /// that colours are wanted there too (bixense.com/clicolors).
  static func onOutput() -> TerminalPictures? {
    let environment = ProcessInfo.processInfo.environment
    let isForced = environment["CLICOLOR_FORCE"].map { !["", "0"].contains($0) } ?? false
    guard Terminal.output.isTerminal || isForced else { return nil }
    return TerminalPictures(environment, mayColor: Terminal.output.hasColor || isForced)
  }

  /// What to say where there are none.
  static let absence =
    "Pictures are for terminals, and standard output is none: with CLICOLOR_FORCE=1 they are "
    + "drawn all the same, in characters."

  private init(_ environment: [String: String], mayColor: Bool) {
    let isTerminal = Terminal.output.isTerminal
    // Linux's console prints what it does not know.
    let isAble = isTerminal && !["", "dumb", "linux"].contains(environment["TERM"] ?? "")
    terminal = ChafaTerminal(
      answer: isAble ? TerminalQuestion.ask(STDOUT_FILENO) : nil, mayDrawPixels: isAble,
      mayColor: mayColor)
    var size = winsize()
    if isTerminal { _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) }
    columns = Terminal.output.width
    rows = size.ws_row > 0 ? Int(size.ws_row) : 24
    // Terminals that do not tell their pixels say 0. Most fonts are twice as high as wide.
    let known = size.ws_col > 0 && size.ws_row > 0
    let (width, height) =
      known ? (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row)) : (0, 0)
    cell =
      width > 0 && height > 0
      ? PixelSize(width: width, height: height) : PixelSize(width: 8, height: 16)
  }

  /// Draws it on lines of its own, as large as the box and the window let it be.
  func write(_ picture: RGBPicture, in box: Box) {
    let (columns, rows) = fit(picture.size, box)
    let text = terminal.draw(picture, columns: columns, rows: rows, cell: cell)
    if terminal.method == .characters {
      let indentation = String(repeating: " ", count: box.indentation)
      for line in text.split(separator: "\n") { Output.result(indentation + line) }
      return
    }
    // Where the cursor is after a picture is a matter of the terminal. Its lines are made first,
    // so that nothing scrolls while it is drawn, and the cursor goes below them by itself.
    let right = box.indentation > 0 ? "\u{1B}[\(box.indentation)C" : ""
    Output.write(
      String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7\(right)\(text)\u{1B}8"
        + "\u{1B}[\(rows)B",
      to: STDOUT_FILENO)
  }

  private func fit(_ size: PixelSize, _ box: Box) -> (columns: Int, rows: Int) {
    let widest = max(1, min(box.columns, columns - box.indentation))
    let highest = max(1, min(box.rows, rows - 2))
    let columnsPerRow =
      Double(size.width * cell.height) / Double(max(1, size.height) * cell.width)
    let width = min(Double(widest), Double(highest) * columnsPerRow)
    return (
      columns: max(1, Int(width.rounded())), rows: max(1, Int((width / columnsPerRow).rounded()))
    )
  }
}

extension GlobalOptions {
  /// - Throws: for the flag, where it contradicts what else was asked for.
  func allowPictures(_ flag: String) throws {
    if json {
      throw ValidationError(
        "\(flag) and --json do not go together: `leaflog show PHOTO --json` has the path of the "
          + "thumbnail's file.")
    }
  }
}
