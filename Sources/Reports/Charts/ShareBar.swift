/// The parts of a whole side by side in a bar, with a legend below.
struct ShareBar: Chart {
  struct Part {
    let name: String
    let count: Int
    let color: Color
  }

  let title: String
  /// The counted unit: `day`.
  let unit: String
  let parts: [Part]

  private var total: Int { parts.map(\.count).reduce(0, +) }

  var summary: String {
    total == 0 ? "Nothing." : parts.map { label($0) }.joined(separator: "; ")
  }

  private func label(_ part: Part) -> String {
    let percent = total == 0 ? 0 : Int((100 * Double(part.count) / Double(total)).rounded())
    return "\(part.name): \(counted(part.count, unit)) (\(percent) %)"
  }

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    guard total > 0 else { return [nothing(shaper)] }
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
