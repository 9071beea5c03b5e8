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
    let table = Element(.table)
    var pieces: [Piece] = []
    var head: Piece.Repeated?
    if columns.contains(where: { !$0.title.isEmpty }) {
      pieces = bands(
        columns.map(\.title), TextStyle.small.with(weight: .bold), spans, shaper,
        ruleBelow: .quiet, width: width, in: table, as: .th
      ).keptTogether()
      pieces[pieces.count - 1].keepsWithNext = true
      head = pieces.first.map { Piece.Repeated(height: $0.height, draw: $0.drawAll) }
    }
    for row in rows {
      var cells = bands(
        row.cells, style.with(weight: row.weight), spans, shaper,
        ruleBelow: row.details.isEmpty ? .rule : nil, width: width, in: table, as: .td)
      cells[0].repeated = head
      for index in cells.indices.dropFirst() {
        cells[index].repeated = head.map {
          Piece.Repeated(height: $0.height + Self.padding, draw: $0.draw)
        }
      }
      cells[cells.count - 1].keepsWithNext = !row.details.isEmpty
      pieces += cells
      pieces += details(
        of: row, x: spans.count > 1 ? spans[1].x : width / 5, width: width, head: head, in: table,
        shaper)
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
    _ shaper: TextShaper, ruleBelow: Color?, width: Double, in table: Element, as tag: Tag
  ) -> [Piece] {
    // A row that continues on another page is another row there, which has all cells.
    let row = Element(.tr, isWithinPage: true)
    let texts = zip(cells, zip(spans, columns)).map { cell, place in
      shaper.shape(cell, style.with(alignment: place.1.alignment), width: place.0.width)
    }
    let places = texts.map { [table, row, Element(tag)].place(of: $0) }
    let parts = texts.map { $0.parts(upTo: Self.maxBandHeight) }
    let count = max(1, parts.map(\.count).max() ?? 1)
    return (0..<count).map { index in
      let heights = parts.map { index < $0.count ? $0[index].height : 0 }
      let (above, below) = (
        index == 0 ? Self.padding : 0, index == count - 1 ? Self.padding : 0
      )
      let height = (heights.max() ?? 0) + above + below
      var piece = Piece(height: height) { canvas, origin in
        if let ruleBelow, index == count - 1 {
          Self.rule(canvas, Point(origin.x, origin.y + height), width, ruleBelow)
        }
      }
      piece.texts = zip(zip(texts, parts), zip(spans, places)).map { cell, place in
        PlacedText(place.1) { canvas, origin in
          guard index < cell.1.count else { return }
          canvas.draw(
            cell.0, lines: cell.1[index].lines,
            at: Point(origin.x + place.0.x, origin.y + above))
        }
      }
      return piece
    }
  }

  private static func rule(_ canvas: Canvas, _ start: Point, _ width: Double, _ color: Color) {
    canvas.line([start, Point(start.x + width, start.y)], color, width: 0.5)
  }

  /// The details below a row's cells, with a rule at the end.
  private func details(
    of row: Row, x: Double, width: Double, head: Piece.Repeated?, in table: Element,
    _ shaper: TextShaper
  ) -> [Piece] {
    guard !row.details.isEmpty else { return [] }
    var pieces = row.details.flatMap { name, text in
      detail(name, text, x: x, width: width, in: table, shaper: shaper)
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
    _ name: String, _ text: String, x: Double, width: Double, in table: Element,
    shaper: TextShaper
  ) -> [Piece] {
    let row = [table, Element(.tr)]
    // A text that goes over pages has a paragraph on each.
    let place = row + [Element(.td), Element(.p)]
    let label = shaper.shape(
      name, .small, width: x - Self.detailIndent - Self.gap / 2, isOneLine: true)
    var lines = linePieces(shaper.shape(text, .label, width: width - x), x: x, at: place)
    guard let first = lines.first else { return [] }
    // Roughly on one baseline: the two differ by half a point in size.
    let drop = max(0, (first.height - label.height) / 2)
    lines[0].height = max(first.height, label.height)
    lines[0].spaceBefore = 1.5
    let title = PlacedText((row + [Element(.th)]).place(of: label)) { canvas, origin in
      canvas.draw(label, at: Point(origin.x + Self.detailIndent, origin.y + drop))
    }
    lines[0].texts.insert(title, at: 0)
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
  var tag = Tag.p

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    var lines = linePieces(shaper.shape(text, style, width: width), x: 0, at: [Element(tag)])
    if keepsWithNext { for index in lines.indices { lines[index].keepsWithNext = true } }
    return lines.spaced(before: spaceBefore)
  }
}

/// A text's lines, each a piece.
func linePieces(_ text: ShapedText, x: Double, at elements: [Element]) -> [Piece] {
  let place = elements.place(of: text)
  return text.lines.indices.map { index in
    let line = text.lines[index]
    let end = index + 1 < text.lines.count ? text.lines[index + 1].top : line.top + line.height
    var piece = Piece(height: end - line.top)
    piece.texts = [
      PlacedText(place) { canvas, origin in
        canvas.draw(text, lines: index..<(index + 1), at: Point(origin.x + x, origin.y))
      }
    ]
    return piece
  }
}

/// The title of a part.
struct Heading: Block {
  let text: String

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    var lines = Paragraph(
      text: text, style: .heading, spaceBefore: 22, keepsWithNext: true, tag: .h2
    ).pieces(width: width, shaper: shaper)
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

/// A chart with space above it. Its content in words lies beneath it in the colour of the paper: Cairo can give a figure
/// no alternative text.
struct Figure: Block {
  let chart: any Chart
  var spaceBefore = 10.0

  func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    var pieces = chart.pieces(width: width, shaper: shaper).spaced(before: spaceBefore)
    if let first = pieces.first, first.texts.isEmpty {
      let text = summary(beneath: first, width: width, shaper)
      pieces[0].texts = [
        PlacedText([Element(.p)].place(of: text)) { canvas, origin in
          canvas.draw(hidden: text, at: origin)
        }
      ]
    }
    return pieces
  }

  /// The content in words, so small that it lies beneath a piece.
  private func summary(beneath piece: Piece, width: Double, _ shaper: TextShaper) -> ShapedText {
    var style = TextStyle(size: 1, color: .paper)
    var text = shaper.shape(chart.summary, style, width: width)
    while text.height > piece.height, style.size > 0.05 {
      style.size /= 2
      text = shaper.shape(chart.summary, style, width: width)
    }
    return text
  }
}
