internal import Imaging

/// A quote's lines, as large as fits on a card.
struct QuoteLayout {
  private var text: TextBlock
  private let attribution: TextBlock?
  private let gap: Int
  /// The distance to the edges of the card, in pixels.
  let margin: Int

  /// The height of all lines, in pixels.
  var height: Int { text.size.height + (attribution.map { gap + $0.size.height } ?? 0) }

  init(_ quote: Quote, on card: PixelSize) throws {
    let short = min(card.width, card.height)
    let margin = short * 7 / 100
    let width = card.width - 2 * margin
    // Verse keeps its lines.
    let words = "“" + quote.text.replacing(" / ", with: "\n") + "”"
    let isVerse = words.contains("\n")
    let by = [quote.author, quote.source].compactMap { $0 }.joined(separator: ", ")
    var fontSize = short / 14
    while true {
      // Half of the photo stays clear, and verses stay whole, unless the letters would get too small.
      let isSmall = fontSize <= short / 26
      let room = isSmall ? card.height - 2 * margin : card.height / 2
      let layout = try QuoteLayout(words, by, fontSize, width: width, margin: margin)
      let isWhole = try !isVerse || isSmall || layout.hasRoomForVerses(words, fontSize, width)
      if layout.height <= room && isWhole || fontSize <= 8 {
        self = try layout.balanced(words, fontSize, width: width)
        return
      }
      fontSize = min(fontSize - 1, fontSize * 23 / 25)
    }
  }

  private init(
    _ words: String, _ by: String, _ fontSize: Int, width: Int, margin: Int
  ) throws {
    self.margin = margin
    gap = fontSize * 3 / 4
    text = try Self.block(words, fontSize, width: width)
    attribution =
      try by.isEmpty
      ? nil
      : TextBlock(
        "— " + by, face: .sans, fontSize: max(8, fontSize * 11 / 20), width: width,
        colour: "#e6e6e6")
  }

  private static func block(_ words: String, _ fontSize: Int, width: Int) throws -> TextBlock {
    try TextBlock(words, face: .serif, fontSize: fontSize, width: width, colour: "#ffffff")
  }

  /// Whether every line of verse fits without being broken.
  private func hasRoomForVerses(_ words: String, _ fontSize: Int, _ width: Int) throws -> Bool {
    try Self.block(words, fontSize, width: 8 * width).size.width <= width
  }

  /// The same number of lines, but none much shorter than the others: a last word alone looks lost.
  private func balanced(_ words: String, _ fontSize: Int, width: Int) throws -> QuoteLayout {
    var (best, narrow, wide) = (text, width / 2, width)
    for _ in 0..<6 where wide - narrow > fontSize / 2 {
      let middle = (narrow + wide) / 2
      let candidate = try Self.block(words, fontSize, width: middle)
      // Descenders come and go with the words in the last line.
      if candidate.size.height < text.size.height + fontSize / 2, candidate.size.width <= middle {
        (best, wide) = (candidate, middle)
      } else {
        narrow = middle
      }
    }
    var layout = self
    layout.text = best
    return layout
  }

  /// Draws the lines centred, from a row downwards.
  func draw(on canvas: inout PixelCanvas, top: Int) throws {
    try canvas.draw(text, x: (canvas.size.width - text.size.width) / 2, y: top)
    if let attribution {
      try canvas.draw(
        attribution, x: (canvas.size.width - attribution.size.width) / 2,
        y: top + text.size.height + gap)
    }
  }
}
