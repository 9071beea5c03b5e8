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
  /// Draws it from its top left corner.
  package let draw: (Canvas, Point) -> Void

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
