/// Rows of cells below a head that is repeated on each page.
struct Table: Block {
  struct Column {
    let title: String
    /// The column's share of the table's width, relative to those of the other columns.
    let share: Double
    var alignment = TextStyle.Alignment.leading
  }

  struct Row {
    let cells: [String]
    var weight = TextStyle.Weight.regular
    /// Names with texts of any length below the cells, which continue over pages.
    var details: [(name: String, text: String)] = []
    /// The title above details that continue on another page.
    var continuedTitle = ""
  }

  let columns: [Column]
  let rows: [Row]
  var style = TextStyle.body
  var spaceBefore = 8.0

  /// Higher cells continue in another piece, which may be on another page.
  private static let maxBandHeight = 72.0
  private static let gap = 10.0
  private static let padding = 3.5
  private static let detailIndent = 12.0

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    let spans = spans(width)
    var pieces: [Piece] = []
    var head: Piece.Repeated?
    if columns.contains(where: { !$0.title.isEmpty }) {
      pieces = bands(
        columns.map(\.title), TextStyle.small.with(weight: .bold), spans, shaper,
        ruleBelow: .quiet, width: width
      ).keptTogether()
      pieces[pieces.count - 1].keepsWithNext = true
      head = pieces.first.map { Piece.Repeated(height: $0.height, draw: $0.draw) }
    }
    for row in rows {
      var cells = bands(
        row.cells, style.with(weight: row.weight), spans, shaper,
        ruleBelow: row.details.isEmpty ? .rule : nil, width: width)
      cells[0].repeated = head
      for index in cells.indices.dropFirst() {
        cells[index].repeated = head.map {
          Piece.Repeated(height: $0.height + Self.padding, draw: $0.draw)
        }
      }
      cells[cells.count - 1].keepsWithNext = !row.details.isEmpty
      pieces += cells
      pieces += details(
        of: row, x: spans.count > 1 ? spans[1].x : width / 5, width: width, head: head, shaper)
    }
    return pieces.spaced(before: spaceBefore)
  }

  private func spans(_ width: Double) -> [(x: Double, width: Double)] {
    let total = columns.map(\.share).reduce(0, +)
    let room = width - Self.gap * Double(columns.count - 1)
    var x = 0.0
    return columns.map { column in
      let own = room * column.share / total
      defer { x += own + Self.gap }
      return (x, own)
    }
  }

  /// Cells side by side, as one piece or as several if a cell is high.
  private func bands(
    _ cells: [String], _ style: TextStyle, _ spans: [(x: Double, width: Double)],
    _ shaper: TextShaper, ruleBelow: Color?, width: Double
  ) -> [Piece] {
    let texts = zip(cells, zip(spans, columns)).map { cell, place in
      shaper.shape(cell, style.with(alignment: place.1.alignment), width: place.0.width)
    }
    let parts = texts.map { $0.parts(upTo: Self.maxBandHeight) }
    let count = max(1, parts.map(\.count).max() ?? 1)
    return (0..<count).map { index in
      let heights = parts.map { index < $0.count ? $0[index].height : 0 }
      let (above, below) = (
        index == 0 ? Self.padding : 0, index == count - 1 ? Self.padding : 0
      )
      let height = (heights.max() ?? 0) + above + below
      return Piece(height: height) { canvas, origin in
        for ((text, part), span) in zip(zip(texts, parts), spans) where index < part.count {
          canvas.draw(
            text, lines: part[index].lines, at: Point(origin.x + span.x, origin.y + above))
        }
        if let ruleBelow, index == count - 1 {
          Self.rule(canvas, Point(origin.x, origin.y + height), width, ruleBelow)
        }
      }
    }
  }

  private static func rule(_ canvas: Canvas, _ start: Point, _ width: Double, _ color: Color) {
    canvas.line([start, Point(start.x + width, start.y)], color, width: 0.5)
  }

  /// The details below a row's cells, with a rule at the end.
  private func details(
    of row: Row, x: Double, width: Double, head: Piece.Repeated?, _ shaper: TextShaper
  ) -> [Piece] {
    guard !row.details.isEmpty else { return [] }
    var pieces = row.details.flatMap { name, text in
      detail(name, text, x: x, width: width, shaper: shaper)
    }
    // Keeps the rule from being alone at the top of a page.
    pieces[pieces.count - 1].keepsWithNext = true
    pieces.append(
      Piece(height: 6) { canvas, origin in
        Self.rule(canvas, Point(origin.x, origin.y + 6), width, .rule)
      })
    let continued = Self.continued(row.continuedTitle, below: head, width: width, shaper)
    for index in pieces.indices { pieces[index].repeated = continued }
    return pieces
  }

  /// The header of a page that continues a row.
  private static func continued(
    _ title: String, below head: Piece.Repeated?, width: Double, _ shaper: TextShaper
  ) -> Piece.Repeated {
    let text = shaper.shape(title, .small, width: width, isOneLine: true)
    let top = (head?.height ?? 0) + padding
    return Piece.Repeated(height: top + text.height + padding) { canvas, origin in
      head?.draw(canvas, origin)
      canvas.draw(text, at: Point(origin.x, origin.y + top))
    }
  }

  /// A text, with a name to the left of its first line.
  private func detail(
    _ name: String, _ text: String, x: Double, width: Double, shaper: TextShaper
  ) -> [Piece] {
    let label = shaper.shape(
      name, .small, width: x - Self.detailIndent - Self.gap / 2, isOneLine: true)
    var lines = linePieces(shaper.shape(text, .label, width: width - x), x: x)
    guard let first = lines.first else { return [] }
    // Roughly on one baseline: the two differ by half a point in size.
    let drop = max(0, (first.height - label.height) / 2)
    lines[0] = Piece(height: max(first.height, label.height), spaceBefore: 1.5) { canvas, origin in
      canvas.draw(label, at: Point(origin.x + Self.detailIndent, origin.y + drop))
      first.draw(canvas, origin)
    }
    // Neither the first nor the last of several lines is alone on a page.
    if lines.count > 2 { lines[lines.count - 2].keepsWithNext = true }
    if lines.count > 1 { lines[0].keepsWithNext = true }
    return lines
  }
}

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
