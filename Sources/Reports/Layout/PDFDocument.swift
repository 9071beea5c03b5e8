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
    var records: [PageRecord] = []
    for (index, page) in flow.pages.enumerated() {
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
    try canvas.check()
    bytes = try surface.finish()
    missingGlyphCount = canvas.missingGlyphCount
    pages = records
  }

  private static func draw(_ frame: Frame, page: Int, of count: Int, on canvas: Canvas) {
    let right = column.maxX
    let foot = column.maxY + 14
    canvas.line([Point(column.x, foot), Point(right, foot)], .rule, width: 0.5)
    let number = "Page \(page) of \(count)"
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
