import ArgumentParser
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
    /// Below a line of the timeline, aligned with its text.
    static let inTimeline = Box(columns: 24, rows: 6, indentation: 9)
  }

  static let help = """
    Pictures are drawn with Kitty's graphics protocol or sixels if the terminal supports them, \
    otherwise as half blocks in as many colours as it has (none with NO_COLOR). If standard output \
    is not a terminal, none are drawn unless CLICOLOR_FORCE=1 is set; then they are drawn as half \
    blocks, which `less -R` shows.
    """

  private let output: StandardStream
  private let terminal: ChafaTerminal
  private let cell: PixelSize

  /// Creates pictures; nil where they would only be in the way: in a pipe or a file, unless `CLICOLOR_FORCE` asks for
  /// colours there too (bixense.com/clicolors).
  init?(_ context: CommandContext) {
    output = context.output
    let environment = context.process.environment
    let isForced = environment["CLICOLOR_FORCE"].map { !["", "0"].contains($0) } ?? false
    guard output.terminal.isTerminal || isForced else { return nil }
    // Linux's console prints sequences that it does not know.
    let isAble =
      output.terminal.isTerminal && !["", "dumb", "linux"].contains(environment["TERM"] ?? "")
    terminal = ChafaTerminal(
      environment, answer: isAble ? output.terminal.descriptor.flatMap(TerminalQuestion.ask) : nil,
      mayDrawPixels: isAble, mayColor: output.terminal.hasColor || isForced)
    // The characters of most fonts are twice as tall as they are wide.
    cell = output.terminal.cell ?? PixelSize(width: 8, height: 16)
  }

  /// The message where there are no pictures.
  static let absence =
    "Pictures are not drawn because standard output is not a terminal. Set CLICOLOR_FORCE=1 to draw "
    + "them as characters."

  /// Draws a picture on lines of its own, as large as the box and the window allow.
  func write(_ picture: RGBPicture, in box: Box) {
    let (columns, rows) = fit(picture.size, box)
    let text = terminal.draw(picture, columns: columns, rows: rows, cell: cell)
    if terminal.method == .characters {
      let indentation = String(repeating: " ", count: box.indentation)
      for line in text.split(separator: "\n") { output.print(indentation + line) }
      return
    }
    // The position of the cursor after a picture depends on the terminal. So its lines are made first, to keep the
    // terminal from scrolling while it is drawn, and the cursor is then moved below them explicitly.
    let right = box.indentation > 0 ? "\u{1B}[\(box.indentation)C" : ""
    output.write(
      String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7\(right)\(text)\u{1B}8"
        + "\u{1B}[\(rows)B")
  }

  private func fit(_ size: PixelSize, _ box: Box) -> (columns: Int, rows: Int) {
    let widest = max(1, min(box.columns, output.terminal.width - box.indentation))
    let highest = max(1, min(box.rows, output.terminal.height - 2))
    let columnsPerRow =
      Double(size.width * cell.height) / Double(max(1, size.height) * cell.width)
    let width = min(Double(widest), Double(highest) * columnsPerRow)
    return (
      columns: max(1, Int(width.rounded())), rows: max(1, Int((width / columnsPerRow).rounded()))
    )
  }
}

extension GlobalOptions {
  /// - Throws: if the flag contradicts other options.
  func allowPictures(_ flag: String) throws {
    if json {
      throw ValidationError(
        "\(flag) and --json cannot be used together: `leaflog show PHOTO --json` has the path of "
          + "the thumbnail's file.")
    }
  }
}
