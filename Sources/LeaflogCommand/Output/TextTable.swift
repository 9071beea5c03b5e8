/// A table for a terminal, with columns two spaces apart. Columns without any text are left out.
struct TextTable {
  struct Column {
    var isRightAligned = false
    var style: Terminal.Style?
    /// The minimum width.
    var least = 0
    /// The maximum width; longer texts are cut.
    var limit = Int.max
    /// Whether the column is kept even without any text.
    var isKept = false
  }

  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    /// Overrides the column's style.
    var style: Terminal.Style?

    init(_ text: String, style: Terminal.Style? = nil) { (self.text, self.style) = (text, style) }

    init(stringLiteral text: String) { self.init(text) }
  }

  let terminal: Terminal
  var columns: [Column]
  let rows: [[Cell]]

  init(_ terminal: Terminal, _ columns: [Column], _ rows: [[Cell]]) {
    (self.terminal, self.columns, self.rows) = (terminal, columns, rows)
  }

  /// The width of a column's texts, before any of them is cut.
  func textWidth(_ column: Int) -> Int {
    rows.map { TextLayout.width($0[column].text) }.max() ?? 0
  }

  /// One line per row, without spaces at its end.
  var lines: [String] {
    let widths = columns.indices.map { index in
      max(columns[index].least, min(textWidth(index), columns[index].limit))
    }
    let shown = columns.indices.filter { widths[$0] > 0 || columns[$0].isKept }
    return rows.map { row in
      var line = ""
      for index in shown {
        line += (index == shown.first ? "" : "  ") + text(row[index], columns[index], widths[index])
      }
      return line.trimmedAtEnd
    }
  }

  private func text(_ cell: Cell, _ column: Column, _ width: Int) -> String {
    let cut = TextLayout.truncated(cell.text, to: width)
    let text =
      column.isRightAligned
      ? TextLayout.rightAligned(cut, to: width) : TextLayout.padded(cut, to: width)
    guard let style = cell.style ?? column.style else { return text }
    // A styled blank cell would keep the line from being trimmed.
    return text.trimmedAtEnd.isEmpty ? text : terminal.styled(text, style)
  }
}
