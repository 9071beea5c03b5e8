/// Lines of a terminal with their cells in columns, two spaces apart. A column without any text is left
/// out.
struct TextTable {
  struct Column {
    var isRightAligned = false
    var style: Terminal.Style?
    /// It is at least so wide.
    var least = 0
    /// It is at most so wide; longer texts are cut.
    var limit = Int.max
    /// Whether it is there without any text, too.
    var isKept = false
  }

  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    /// Instead of the column's.
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

  /// How wide the texts of a column are, before any is cut.
  func textWidth(_ column: Int) -> Int {
    rows.map { TextLayout.width($0[column].text) }.max() ?? 0
  }

  /// A line a row, without spaces at its end.
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
    // A coloured line would not be trimmed otherwise.
    return text.trimmedAtEnd.isEmpty ? text : terminal.styled(text, style)
  }
}
