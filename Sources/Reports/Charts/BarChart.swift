/// A horizontal bar for each name; the longest bar is the greatest number.
package struct BarChart: Chart {
  package struct Bar: Sendable {
    package let name: String
    package let value: Double
    /// The text after the bar.
    package let label: String

    package init(name: String, value: Double, label: String) {
      self.name = name
      self.value = value
      self.label = label
    }
  }

  package let title: String
  package let bars: [Bar]
  package let wording: ReportWording

  package init(title: String, bars: [Bar], wording: ReportWording) {
    self.title = title
    self.bars = bars
    self.wording = wording
  }

  package var summary: String {
    bars.isEmpty
      ? wording["nothing"]
      : bars.map { wording.text("bar", ["name": $0.name, "value": $0.label]) }
        .joined(separator: "; ")
  }

  private static let gap = 8.0
  private static let thickness = 8.5

  package func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    guard !bars.isEmpty else { return [nothing(wording["nothingLogged"], shaper)] }
    let most = bars.map(\.value).max() ?? 1
    let names = bars.map { shaper.shape($0.name, .label) }
    let nameWidth = min(width * 0.38, (names.map(\.lineWidth).max() ?? 0) + 1)
    let labels = bars.map { shaper.shape($0.label, TextStyle(size: 8, color: .quiet)) }
    let labelWidth = labels.map(\.lineWidth).max() ?? 0
    let start = nameWidth + Self.gap
    let room = max(10, width - start - Self.gap - labelWidth)
    return zip(bars, labels).flatMap { bar, label in
      let name = shaper.shape(
        bar.name, TextStyle.label.with(alignment: .trailing), width: nameWidth)
      // Labels of a chart are no part of the structure: its content in words says the same.
      var lines = linePieces(name, x: 0, at: []).map { line in
        Piece(height: line.height, draw: line.drawAll)
      }
      let first = lines[0]
      let height = max(first.height, Self.thickness)
      let length = most > 0 ? room * bar.value / most : 0
      lines[0] = Piece(height: height, spaceBefore: 4) { canvas, origin in
        first.draw(canvas, origin)
        canvas.fill(
          Rectangle(
            x: origin.x + start, y: origin.y + (height - Self.thickness) / 2, width: length,
            height: Self.thickness), .accent, radius: 1.5)
        canvas.draw(
          label,
          at: Point(
            origin.x + start + length + Self.gap, origin.y + (height - label.lineHeight) / 2))
      }
      return lines
    }
  }
}

extension Chart {
  /// The text in place of a chart that has no data.
  func nothing(_ text: String, _ shaper: TextShaper) -> Piece {
    let shaped = shaper.shape(text, TextStyle.label.with(color: .quiet))
    var piece = Piece(height: shaped.height)
    piece.texts = [
      PlacedText([Element(.p)].place(of: shaped)) { canvas, origin in
        canvas.draw(shaped, at: origin)
      }
    ]
    return piece
  }
}

/// The parts of a whole side by side in a bar, with a legend below.
struct ShareBar: Chart {
  struct Part {
    let name: String
    let count: Int
    let color: Color
  }

  let title: String
  let parts: [Part]
  let wording: ReportWording

  private var total: Int { parts.map(\.count).reduce(0, +) }

  var summary: String {
    total == 0 ? wording["nothing"] : parts.map { label($0) }.joined(separator: "; ")
  }

  private func label(_ part: Part) -> String {
    let percent = total == 0 ? 0 : Int((100 * Double(part.count) / Double(total)).rounded())
    return wording.text(
      "share",
      [
        "name": part.name, "days": wording.days(part.count), "percent": wording.number(percent),
      ])
  }

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    guard total > 0 else { return [nothing(wording["nothingLogged"], shaper)] }
    let labels = parts.map { shaper.shape(label($0), .label) }
    let lineHeight = labels.map(\.height).max() ?? 0
    var places: [Point] = []
    var next = Point(0, 20)
    for label in labels {
      let needed = 14 + label.lineWidth
      if next.x > 0, next.x + needed > width { next = Point(0, next.y + lineHeight + 3) }
      places.append(next)
      next.x += needed + 18
    }
    return [
      Piece(height: next.y + lineHeight) { canvas, origin in
        var x = origin.x
        for part in parts where part.count > 0 {
          let own = width * Double(part.count) / Double(total)
          canvas.fill(
            Rectangle(x: x, y: origin.y, width: max(0.6, own - 1), height: 13), part.color)
          x += own
        }
        for ((part, label), place) in zip(zip(parts, labels), places) {
          let at = Point(origin.x + place.x, origin.y + place.y)
          canvas.fill(
            Rectangle(x: at.x, y: at.y + (lineHeight - 8) / 2, width: 8, height: 8), part.color)
          canvas.draw(label, at: Point(at.x + 14, at.y))
        }
      }
    ]
  }
}
