internal import Foundation
internal import Imaging
internal import SystemPackage

/// A quote drawn onto a photo.
public struct QuoteCard: Sendable {
  /// The result of drawing a card.
  public struct Summary: Sendable {
    /// The size of the picture, in pixels.
    public let size: PixelSize
    /// The size of the file, in bytes.
    public let byteCount: Int
    /// The photo behind the text; nil for a plain card.
    public let photo: Entry?
  }

  private let library: Library

  /// Creates cards with photos of a library.
  public init(_ library: Library) { self.library = library }

  /// The longer side of a card, in pixels.
  private static let maxSide = 2048
  /// Text on smaller cards would be illegible.
  private static let minSide = 1080
  /// The largest ratio of the sides; photos beyond it are cropped.
  private static let maxRatio = 2.5
  private static let plainSize = PixelSize(width: 1600, height: 1200)

  /// Writes the card atomically, in the format of the file's extension: .jpg, .png or .webp. It is in sRGB,
  /// without metadata, on the photo that stands for the day, or else for the latest day before it, or else
  /// a plain background.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a path with another extension or of no file, and `damaged`
  ///   when a photo's file is missing or damaged.
  public func write(
    _ quote: Quote, on day: LocalDay, to path: String
  ) throws(LeaflogError) -> Summary {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = StillFormat(rawValue: ending) else {
      throw .invalid("\(path) should end in .jpg, .png or .webp: that is what can be written.")
    }
    let photo = try cover(on: day)
    return try translating {
      try withImagingThread {
        let output = try OutputFile(FilePath(path))
        let canvas = try card(quote, photo)
        try canvas.picture().write(to: output.temporary.string, as: format)
        return Summary(size: canvas.size, byteCount: try output.replace(), photo: photo?.entry)
      }
    }
  }

  private func cover(on day: LocalDay) throws(LeaflogError) -> Photo? {
    for first in [day, nil] {
      let query = TimelineQuery(kinds: [.photo], firstDay: first, lastDay: day)
      if let found = try library.timeline.cover(of: query) {
        return try library.photos.find(found.id)
      }
    }
    return nil
  }

  private func card(_ quote: Quote, _ photo: Photo?) throws -> PixelCanvas {
    guard let photo else {
      var canvas = try PixelCanvas(size: Self.plainSize, from: [38, 60, 52], to: [66, 92, 76])
      let text = try QuoteLayout(quote, on: canvas.size)
      try text.draw(on: &canvas, top: (canvas.size.height - text.height) / 2)
      return canvas
    }
    var canvas = try ground(photo)
    let text = try QuoteLayout(quote, on: canvas.size)
    let top = canvas.size.height - text.margin - text.height
    let light = Shade(top: top, height: canvas.size.height)
    try canvas.dim(light.light)
    try text.draw(on: &canvas, top: top)
    return canvas
  }

  /// The photo at the size of the card.
  private func ground(_ photo: Photo) throws -> PixelCanvas {
    let frame = try library.photos.frame(
      library.photos.bestRendition(of: photo), side: Self.maxSide)
    let (width, height) = (Double(frame.size.width), Double(frame.size.height))
    let ratio = min(Self.maxRatio, max(1 / Self.maxRatio, width / height))
    let longest = Double(min(Self.maxSide, max(Self.minSide, Int(max(width, height)))))
    let size = PixelSize(
      width: Int((ratio < 1 ? longest * ratio : longest).rounded()),
      height: Int((ratio < 1 ? longest : longest / ratio).rounded()))
    return try PixelCanvas(size == frame.size ? frame : frame.filling(size))
  }

  /// The share of light that is left in each row: dark behind the text, and fading above it.
  private struct Shade {
    let top: Int
    let height: Int

    /// White text on white dimmed by this has a contrast of 7 : 1 (WCAG 2.2, 1.4.6).
    private static let behindText = 0.34
    private static let above = 0.92

    func light(_ row: Int) -> Double {
      let fade = Double(height) * 0.25
      // Darkest from a little above the first line.
      let end = Double(top) - fade * 0.15
      let part = min(1, max(0, (Double(row) - (end - fade)) / fade))
      let smooth = part * part * (3 - 2 * part)
      return Self.above + (Self.behindText - Self.above) * smooth
    }
  }
}

/// A quote's lines, as large as fits on a card.
private struct QuoteLayout {
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
    let words = quote.quoted.replacing(" / ", with: "\n")
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
