/// A text across the whole width, broken into lines.
struct Paragraph: Block {
  let text: String
  var style = TextStyle.body
  var spaceBefore = 6.0
  var keepsWithNext = false

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    var lines = linePieces(shaper.shape(text, style, width: width), x: 0)
    if keepsWithNext { for index in lines.indices { lines[index].keepsWithNext = true } }
    return lines.spaced(before: spaceBefore)
  }
}

/// A text's lines, each a piece.
func linePieces(_ text: ShapedText, x: Double) -> [Piece] {
  text.lines.indices.map { index in
    let line = text.lines[index]
    let end = index + 1 < text.lines.count ? text.lines[index + 1].top : line.top + line.height
    return Piece(height: end - line.top) { canvas, origin in
      canvas.draw(text, lines: index..<(index + 1), at: Point(origin.x + x, origin.y))
    }
  }
}

/// The title of a part.
struct Heading: Block {
  let text: String

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    var lines = Paragraph(text: text, style: .heading, spaceBefore: 22, keepsWithNext: true)
      .pieces(width: width, shaper: shaper)
    if !lines.isEmpty { lines[0].bookmark = text }
    return lines
  }
}

/// The blocks of a part, one after the other.
struct Stack: Block {
  let blocks: [any Block]

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    blocks.flatMap { $0.pieces(width: width, shaper: shaper) }
  }
}

/// A chart with space above it.
struct Figure: Block {
  let chart: any Chart
  var spaceBefore = 10.0

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    chart.pieces(width: width, shaper: shaper).spaced(before: spaceBefore)
  }
}
