/// The type of an element of a document's structure, by its standard name (PDF 1.7, 14.8.4).
enum Tag: String {
  case document = "Document"
  case h1 = "H1"
  case h2 = "H2"
  case h3 = "H3"
  case p = "P"
  case table = "Table"
  case tr = "TR"
  case th = "TH"
  case td = "TD"
  case span = "Span"
}

/// An element of a document's structure. Texts that name the same one are its content, in their order.
final class Element {
  let tag: Tag
  /// Whether the element ends with its page; the next page gets another one of its type.
  let isWithinPage: Bool

  init(_ tag: Tag, isWithinPage: Bool = false) {
    (self.tag, self.isWithinPage) = (tag, isWithinPage)
  }
}

extension [Element] {
  /// The place of a text in the innermost of these elements.
  func place(of text: ShapedText) -> [Element] {
    !isEmpty && text.hasReplacedText ? self + [Element(.span)] : self
  }
}

/// A text and its place in the document's structure.
struct PlacedText {
  /// From the outermost element to the one that has the text; empty for a text that is no part of the structure.
  let place: [Element]
  /// Draws it, seen from the top left corner of its piece.
  let draw: (Canvas, Point) -> Void

  init(_ place: [Element], draw: @escaping (Canvas, Point) -> Void) {
    (self.place, self.draw) = (place, draw)
  }
}

/// Writes a document's structure while its pages are drawn, so that screen readers find headings, paragraphs and the
/// rows of tables, in the order in which they are read. What is drawn otherwise, such as the footer, is no part of it.
struct Structure {
  private let canvas: Canvas
  private let document = Element(.document)
  /// From the outermost to the innermost. The innermost one may have a text only until its page ends.
  private var open: [Element] = []

  init(_ canvas: Canvas) { self.canvas = canvas }

  /// Draws the texts of a page.
  ///
  /// - Parameter column: the area whose top left corner the pieces are placed from.
  mutating func draw(_ page: [Flow.Placed], in column: Rectangle) {
    for (text, origin) in Self.texts(of: page, in: column) {
      enter([document] + text.place)
      text.draw(canvas, origin)
    }
    // An element with text ends with its page, one of elements continues.
    let last = open.firstIndex(where: \.isWithinPage) ?? max(open.count - 1, 0)
    enter(Array(open[..<last]))
  }

  mutating func end() { enter([]) }

  /// The texts of a page in the order of the structure: a row's cells one after the other, though a high row is several
  /// pieces, each with a part of all cells.
  private static func texts(
    of page: [Flow.Placed], in column: Rectangle
  ) -> [(PlacedText, Point)] {
    var ranks: [ObjectIdentifier: Int] = [:]
    var texts: [(rank: Int, text: PlacedText, origin: Point)] = []
    for placed in page {
      for text in placed.piece.texts {
        guard let element = text.place.last else { continue }
        let rank = ranks[ObjectIdentifier(element)] ?? ranks.count
        ranks[ObjectIdentifier(element)] = rank
        texts.append((rank, text, Point(column.x, column.y + placed.y)))
      }
    }
    // In Swift, sorting keeps the order of equal ranks.
    return texts.sorted { $0.rank < $1.rank }.map { ($0.text, $0.origin) }
  }

  /// Ends the open elements that a place is not in, and begins those that it is in.
  private mutating func enter(_ place: [Element]) {
    let common = zip(open, place).prefix { $0 === $1 }.count
    for element in open[common...].reversed() { canvas.end(element.tag) }
    for element in place[common...] { canvas.begin(element.tag) }
    open = place
  }
}
