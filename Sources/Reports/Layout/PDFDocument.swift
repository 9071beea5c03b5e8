/// A generated PDF.
package struct PDFDocument {
  package let bytes: [UInt8]
  /// The number of characters that are in no font of this system; they are drawn as boxes.
  package let missingGlyphCount: Int
  /// The layout of the pages, for tests.
  package let pages: [PageRecord]

  package struct PageRecord {
    /// The area for blocks.
    package let column: Rectangle
    package var pieces: [Rectangle]
    package let textBoxes: [Rectangle]
  }

  /// The text on every page, and the file's metadata.
  package struct Frame {
    package let title: String
    /// At the top of each page except the first.
    package let runningTitle: String
    /// At the bottom of each page.
    package let footer: String
    /// ISO 8601, with an offset.
    package let made: String
    package let wording: ReportWording
  }

  /// A4, in points.
  private static let paper = Rectangle(x: 0, y: 0, width: 595.28, height: 841.89)
  private static let column = Rectangle(x: 54, y: 62, width: 595.28 - 108, height: 841.89 - 62 - 66)

  package init(_ blocks: [any Block], _ frame: Frame) throws(ReportsError) {
    let (paper, column) = (Self.paper, Self.column)
    let shaper = TextShaper()
    let surface = Surface(.pdf, width: paper.width, height: paper.height)
    surface.setMetadata(title: frame.title, subject: frame.footer, iso8601: frame.made)
    let canvas = Canvas(surface, shaper)
    let pieces = blocks.flatMap { $0.pieces(width: column.width, shaper: shaper) }
    let flow = Flow(pieces, height: column.height)
    var structure = Structure(canvas)
    var records: [PageRecord] = []
    for (index, page) in flow.pages.enumerated() {
      structure.draw(page, in: column)
      var areas: [Rectangle] = []
      for placed in page {
        func draw(_ height: Double, at y: Double, _ draw: (Canvas, Point) -> Void) {
          draw(canvas, Point(column.x, column.y + y))
          areas.append(
            Rectangle(x: column.x, y: column.y + y, width: column.width, height: height))
        }
        if let (head, y) = placed.repeated { draw(head.height, at: y, head.draw) }
        draw(placed.piece.height, at: placed.y, placed.piece.draw)
        if let bookmark = placed.piece.bookmark {
          surface.addBookmark(bookmark, page: index + 1, y: column.y + placed.y)
        }
      }
      Self.draw(frame, page: index + 1, of: flow.pages.count, on: canvas)
      records.append(
        PageRecord(column: column, pieces: areas, textBoxes: canvas.endPage()))
    }
    structure.end()
    try canvas.check()
    bytes = PDFUpdate(try surface.finish()).bytes(in: frame.wording.tag)
    missingGlyphCount = canvas.missingGlyphCount
    pages = records
  }

  private static func draw(_ frame: Frame, page: Int, of count: Int, on canvas: Canvas) {
    let right = column.maxX
    let foot = column.maxY + 14
    canvas.line([Point(column.x, foot), Point(right, foot)], .rule, width: 0.5)
    let wording = frame.wording
    let number = wording.text(
      "page", ["page": wording.number(page), "count": wording.number(count)])
    canvas.write(number, .small, at: Point(right, foot + 6), anchor: .trailing)
    let room = column.width - canvas.shaper.width(number, .small) - 16
    canvas.draw(
      canvas.shaper.shape(frame.footer, .small, width: room), at: Point(column.x, foot + 6))
    if page > 1 {
      canvas.write(
        frame.runningTitle, .small, at: Point(column.x, column.y - 28), width: column.width)
    }
  }
}

/// Pieces laid out in a column that continues over pages.
package struct Flow {
  package struct Placed {
    package let piece: Piece
    /// The distance from the top of the column.
    package let y: Double
    /// The header drawn above it, at this height, if it begins a page in the middle of a table.
    package let repeated: (head: Piece.Repeated, y: Double)?
  }

  package let pages: [[Placed]]

  /// - Parameter height: the height of a page's column. A higher piece gets a page of its own.
  package init(_ pieces: [Piece], height: Double) {
    var pages: [[Placed]] = [[]]
    var y = 0.0
    func place(_ piece: Piece, isFirstOfChain: Bool, chainHeight: Double) {
      let needed = isFirstOfChain ? chainHeight : piece.height
      if y > 0, y + piece.spaceBefore + needed > height + 0.01,
        // A chain that does not fit on any page is broken where necessary.
        needed <= height || y + piece.spaceBefore + piece.height > height + 0.01
      {
        pages.append([])
        y = 0
      }
      if y == 0, pages.count > 1, let head = piece.repeated {
        pages[pages.count - 1].append(Placed(piece: piece, y: head.height, repeated: (head, 0)))
        y = head.height + piece.height
      } else {
        if y > 0 { y += piece.spaceBefore }
        pages[pages.count - 1].append(Placed(piece: piece, y: y, repeated: nil))
        y += piece.height
      }
    }
    var index = 0
    while index < pieces.count {
      var end = index
      while end < pieces.count - 1, pieces[end].keepsWithNext { end += 1 }
      let chain = pieces[index...end]
      let chainHeight = chain.reduce(-chain[index].spaceBefore) { $0 + $1.spaceBefore + $1.height }
      for (offset, piece) in chain.enumerated() {
        place(piece, isFirstOfChain: offset == 0, chainHeight: chainHeight)
      }
      index = end + 1
    }
    self.pages = pages
  }
}

/// The smallest part of a document that is not broken over pages: a line of text, a row, a chart.
package struct Piece {
  package var height: Double
  /// The space above it, unless it begins a page.
  package var spaceBefore: Double
  /// Whether it has to be on the same page as the next piece, as for headings.
  package var keepsWithNext = false
  /// The header to repeat above it when it begins a page, such as a table's head.
  package var repeated: Repeated?
  /// Its entry in the PDF's bookmarks.
  package var bookmark: String?
  /// The texts that are part of the document's structure.
  var texts: [PlacedText] = []
  /// Draws the rest from its top left corner: lines, charts and their labels.
  package let draw: (Canvas, Point) -> Void

  /// Draws all of it, as no part of a document's structure.
  func drawAll(_ canvas: Canvas, _ origin: Point) {
    for text in texts { text.draw(canvas, origin) }
    draw(canvas, origin)
  }

  package struct Repeated {
    let height: Double
    let draw: (Canvas, Point) -> Void

    package init(height: Double, draw: @escaping (Canvas, Point) -> Void) {
      self.height = height
      self.draw = draw
    }
  }

  package init(
    height: Double, spaceBefore: Double = 0, keepsWithNext: Bool = false,
    draw: @escaping (Canvas, Point) -> Void = { _, _ in }
  ) {
    self.height = height
    self.spaceBefore = spaceBefore
    self.keepsWithNext = keepsWithNext
    self.draw = draw
  }
}

/// A part of a document: text, a table or a chart.
package protocol Block {
  /// The pieces that it consists of, from the top, in a column of a width in points.
  func pieces(width: Double, shaper: TextShaper) -> [Piece]
}

extension [Piece] {
  func spaced(before space: Double) -> [Piece] {
    var pieces = self
    if !pieces.isEmpty { pieces[0].spaceBefore = space }
    return pieces
  }

  /// The pieces kept on one page as far as possible.
  func keptTogether() -> [Piece] {
    var pieces = self
    for index in pieces.indices.dropLast() { pieces[index].keepsWithNext = true }
    return pieces
  }
}
