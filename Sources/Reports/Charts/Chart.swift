/// Numbers as a picture. The same drawing is used in PDF and SVG files.
package protocol Chart: Block {
  /// The chart's title, on one line.
  var title: String { get }
  /// The chart's content in words, for people who cannot see it.
  var summary: String { get }
}

/// A chart as a separate SVG file.
package struct SVGDocument {
  package let bytes: [UInt8]
  /// The number of characters that are in no font of this system.
  package let missingGlyphCount: Int
  /// The picture's area and the areas of text in it, for tests.
  package let area: Rectangle
  package let textBoxes: [Rectangle]
}

extension Chart {
  /// The chart under its title as an SVG picture.
  ///
  /// - Parameter width: in points.
  /// - Throws: `ReportsError` when Cairo fails.
  package func svg(width: Double = 720) throws(ReportsError) -> SVGDocument {
    let margin = 20.0
    let shaper = TextShaper()
    let heading = Paragraph(text: title, style: .heading)
    let pieces =
      heading.pieces(width: width - 2 * margin, shaper: shaper)
      + pieces(width: width - 2 * margin, shaper: shaper).spaced(before: 12)
    let height = pieces.dropFirst().reduce(pieces.first?.height ?? 0) {
      $0 + $1.spaceBefore + $1.height
    }
    let surface = Surface(.svg, width: width, height: height + 2 * margin)
    let canvas = Canvas(surface, shaper)
    let area = Rectangle(x: 0, y: 0, width: width, height: height + 2 * margin)
    canvas.fill(area, .paper)
    var y = margin
    for (index, piece) in pieces.enumerated() {
      if index > 0 { y += piece.spaceBefore }
      piece.draw(canvas, Point(margin, y))
      y += piece.height
    }
    let textBoxes = canvas.endPage()
    try canvas.check()
    let bytes = try surface.finish()
    return SVGDocument(
      bytes: SVGText(bytes).described(title: title, summary: summary),
      missingGlyphCount: canvas.missingGlyphCount, area: area, textBoxes: textBoxes)
  }
}
