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
  /// without metadata, on the latest photo of the day, or else the latest before it, or else a plain
  /// background.
  public func write(
    _ quote: Quote, on day: LocalDay, to path: String
  ) throws(LeaflogError) -> Summary {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = StillFormat(rawValue: ending) else {
      throw .invalid("\(path) should end in .jpg, .png or .webp: that is what can be written.")
    }
    let photo = try latestPhoto(on: day)
    return try translating {
      try withImagingThread {
        let output = try OutputFile(FilePath(path))
        let canvas = try card(quote, photo)
        try canvas.picture().write(to: output.temporary.string, as: format)
        return Summary(size: canvas.size, byteCount: try output.replace(), photo: photo?.entry)
      }
    }
  }

  private func latestPhoto(on day: LocalDay) throws(LeaflogError) -> Photo? {
    for first in [day, nil] {
      let query = TimelineQuery(kinds: [.photo], firstDay: first, lastDay: day)
      if let found = try library.timeline.page(query, limit: 1).elements.first {
        return try library.photos.find(found.id.description)
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
    let file = try library.photos.bestFile(of: photo)
    let frame = try PhotoFile(bytes: file.bytes, format: file.format).frame(side: Self.maxSide)
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
