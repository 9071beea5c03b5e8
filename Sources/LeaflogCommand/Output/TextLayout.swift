/// Layout of text in terminal columns, where some characters take two columns and some none.
enum TextLayout {
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  private static func width(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    // A cluster is drawn as one: an emoji sequence is as wide as its widest part.
    let scalars = character.unicodeScalars
    return scalars.contains("\u{FE0F}") ? 2 : scalars.map(width).max() ?? 1
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    let isWide =
      scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
  }

  /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), in whole blocks.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x1B000...0x1B2FF, 0x20000...0x3FFFD,
  ]

  /// The text cut to at most this many columns, with an ellipsis if anything is missing.
  static func truncated(_ text: String, to columns: Int) -> String {
    if width(text) <= columns { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = width(character)
      if used + next > columns - 1 { break }
      result.append(character)
      used += next
    }
    return result + "…"
  }

  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  static func rightAligned(_ text: String, to columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - width(text))) + text
  }

  /// Lines of at most this many columns, broken at spaces if possible, and at the text's own line breaks.
  static func wrapped(_ text: String, to columns: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines = [""]
      for word in singleLine(String(paragraph)).split(separator: " ") {
        var word = String(word)
        let last = lines[lines.count - 1]
        if !last.isEmpty, width(last) + 1 + width(word) <= columns {
          lines[lines.count - 1] = last + " " + word
          continue
        }
        if !last.isEmpty { lines.append("") }
        while width(word) > columns {
          let piece = head(of: word, columns)
          lines[lines.count - 1] = piece
          word.removeFirst(piece.count)
          lines.append("")
        }
        lines[lines.count - 1] = word
      }
      return lines
    }
  }

  /// The words of a text, of which those that are longer are broken.
  static func words(of text: String, upTo columns: Int) -> [String] {
    text.split(separator: " ").flatMap { wrapped(String($0), to: columns) }
  }

  /// The longest prefix, at least one character, that takes at most this many columns.
  private static func head(of text: String, _ columns: Int) -> String {
    var result = ""
    var used = 0
    for character in text {
      used += width(character)
      if used > columns, !result.isEmpty { break }
      result.append(character)
    }
    return result
  }

  /// The text on one line: characters that would move the cursor or change the terminal are shown as escapes.
  static func singleLine(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "⏎"
      case _ where scalar.properties.generalCategory == .control:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension String {
  /// The text without spaces at its end.
  var trimmedAtEnd: String { lastIndex { $0 != " " }.map { String(self[...$0]) } ?? "" }
}

/// A table for a terminal, with columns two spaces apart. Columns without any text are left out. In a narrow terminal that
/// the whole table does not fit, the cells of a row follow each other on as many lines as they take.
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
  /// The number of columns that stay free before each line.
  let indentation: Int

  /// Below this width, rows are wrapped rather than cut.
  static let leastWidth = 60

  init(
    _ terminal: Terminal, _ columns: [Column], _ rows: [[Cell]], indentation: Int = 0
  ) {
    (self.terminal, self.columns, self.rows) = (terminal, columns, rows)
    self.indentation = indentation
  }

  /// The width of a column's texts, before any of them is cut.
  func textWidth(_ column: Int) -> Int {
    rows.map { TextLayout.width($0[column].text) }.max() ?? 0
  }

  var lines: [String] { blocks.flatMap(\.self) }

  /// The lines of each row, without spaces at their ends: one, except where rows are wrapped.
  var blocks: [[String]] {
    let widths = columns.indices.map { index in
      max(columns[index].least, min(textWidth(index), columns[index].limit))
    }
    let shown = columns.indices.filter { widths[$0] > 0 || columns[$0].isKept }
    let width = shown.reduce(indentation - 2) { $0 + 2 + widths[$1] }
    let isCut = shown.contains { textWidth($0) > widths[$0] }
    if terminal.width < Self.leastWidth, isCut || width > terminal.width {
      return rows.map { wrapped($0, shown) }
    }
    return rows.map { row in
      var line = ""
      for index in shown {
        line += (index == shown.first ? "" : "  ") + text(row[index], columns[index], widths[index])
      }
      return [line.trimmedAtEnd]
    }
  }

  /// The cells of a row after each other. Lines after the first are indented.
  private func wrapped(_ row: [Cell], _ shown: [Int]) -> [String] {
    let room = max(10, terminal.width - indentation)
    var (lines, used) = ([""], 0)
    for index in shown {
      let style = row[index].style ?? columns[index].style
      var (run, gap) = ("", used == 0 ? 0 : 2)
      func write() {
        lines[lines.count - 1] += style.map { run.isEmpty ? "" : terminal.styled(run, $0) } ?? run
        run = ""
      }
      for word in TextLayout.words(of: row[index].text, upTo: room - 2) {
        let width = TextLayout.width(word)
        if used > 0, used + gap + width > room {
          write()
          lines.append("  ")
          (used, gap) = (2, 0)
        }
        // The blanks before a cell are not a part of it, and have no style.
        if run.isEmpty {
          lines[lines.count - 1] += String(repeating: " ", count: gap)
        } else {
          run += String(repeating: " ", count: gap)
        }
        run += word
        (used, gap) = (used + gap + width, 1)
      }
      write()
    }
    return lines
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

/// Names with their values beside them. Long values take several lines.
struct FieldList {
  let terminal: Terminal
  /// The width of the names, in columns.
  let nameWidth: Int
  var nameStyle: Terminal.Style?
  /// Whether a value stays on one line, however long, so that it can be copied.
  var isSingleLine = false

  /// The lines of a field; none without a value.
  func lines(_ name: String, _ value: String?) -> [String] {
    guard let value else { return [] }
    let texts =
      isSingleLine
      ? [TextLayout.singleLine(value)]
      : TextLayout.wrapped(value, to: max(20, terminal.width - nameWidth))
    return texts.enumerated().map { number, text in
      let head = TextLayout.padded(number == 0 ? name : "", to: nameWidth)
      return (nameStyle.map { terminal.styled(head, $0) } ?? head) + text
    }
  }
}
