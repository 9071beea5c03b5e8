/// The text format of cells.
package enum CSVText {
  /// UTF-8's byte order mark, without which Excel reads a table in the machine's old encoding.
  package static let mark = "\u{FEFF}"

  /// Text in quotes. Programs can be told to treat quoted fields as text; otherwise they strip the zeros of `007`. What
  /// they would take for a formula has an apostrophe before it, which `unguarded` removes.
  package static func quoted(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let guarded = isFormula(text.drop { $0 == "'" }) ? "'" + text : text
    return "\"" + guarded.replacing("\"", with: "\"\"") + "\""
  }

  /// The text of a cell that `quoted` wrote.
  package static func unguarded(_ cell: String) -> String {
    cell.hasPrefix("'") && isFormula(cell.drop { $0 == "'" }) ? String(cell.dropFirst()) : cell
  }

  /// Whether a spreadsheet would run it; some take wide characters for the narrow ones.
  private static func isFormula(_ text: Substring) -> Bool {
    text.unicodeScalars.first.map { "=+-@＝＋－＠\t\r".unicodeScalars.contains($0) } ?? false
  }

  /// One record with its line ending.
  package static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

  /// Joins texts with semicolons; semicolons and backslashes within a text are escaped with a backslash.
  package static func list(_ items: [String]) -> String {
    items.map { $0.replacing("\\", with: "\\\\").replacing(";", with: "\\;") }
      .joined(separator: "; ")
  }

  /// Splits a list into its texts.
  package static func items(_ list: String) -> [String] {
    var items = [""]
    var isEscaped = false
    for character in list {
      if isEscaped {
        // A backslash before any other character is literal.
        items[items.count - 1] +=
          (character == ";" || character == "\\" ? "" : "\\") + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ";" {
        items.append("")
      } else {
        items[items.count - 1].append(character)
      }
    }
    if isEscaped { items[items.count - 1].append("\\") }
    return items.compactMap(\.tidied)
  }
}
