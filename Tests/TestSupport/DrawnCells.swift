/// Half blocks in 24-bit colour, read back as pixels: two per character, one above the other.
package struct DrawnCells {
  package typealias Color = [Int]

  /// Rows from the top; black where nothing was drawn.
  package private(set) var rows: [[Color]] = []

  package init(_ text: some StringProtocol) {
    for line in text.split(whereSeparator: \.isNewline) {
      var pen = Pen()
      var (upper, lower): ([Color], [Color]) = ([], [])
      var rest = Substring(line)
      while let next = rest.popFirst() {
        if next == "\u{1B}" {
          pen.change(rest.prefix { $0 != "m" }.dropFirst())
          rest = rest.drop { $0 != "m" }.dropFirst()
          continue
        }
        upper.append(next == "▀" || next == "█" ? pen.ink : pen.paper)
        lower.append(next == "▄" || next == "█" ? pen.ink : pen.paper)
      }
      rows += [upper, lower]
    }
  }

  package var width: Int { rows.map(\.count).max() ?? 0 }

  /// The colour at a position given as fractions of the whole.
  package func color(x: Double, y: Double) -> Color {
    guard !rows.isEmpty else { return [] }
    let row = rows[min(rows.count - 1, Int(y * Double(rows.count)))]
    return row.isEmpty ? [] : row[min(row.count - 1, Int(x * Double(row.count)))]
  }

  /// The state that "select graphic rendition" (ECMA-48, 8.3.117) sets.
  private struct Pen {
    var foreground = [255, 255, 255]
    var background = [0, 0, 0]
    var isInverse = false

    var ink: Color { isInverse ? background : foreground }
    var paper: Color { isInverse ? foreground : background }

    mutating func change(_ parameters: Substring) {
      var numbers = parameters.split(separator: ";").compactMap { Int($0) }[...]
      while let number = numbers.popFirst() {
        switch number {
        case 0: self = Pen()
        case 7: isInverse = true
        case 38, 48:
          guard numbers.first == 2, numbers.count >= 4 else { return }
          let color = Array(numbers.dropFirst().prefix(3))
          numbers = numbers.dropFirst(4)
          if number == 38 { foreground = color } else { background = color }
        default: break
        }
      }
    }
  }
}
