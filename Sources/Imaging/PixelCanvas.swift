internal import CVips
package import DiaryModel

/// An opaque 8-bit sRGB picture without metadata to draw pictures and text on, composed by libvips.
///
/// Everything is evaluated lazily, when ``picture()`` or ``pixels()`` requests the pixels.
package struct PixelCanvas: Sendable {
  private var image: VipsPicture

  package var size: PixelSize { PixelSize(width: image.width, height: image.height) }

  /// A canvas of one shade of grey.
  package init(size: PixelSize, grey: UInt8 = 0) throws(ImagingError) {
    try self.init(column: [grey, grey, grey], size: size)
  }

  /// A canvas with a picture on it, which has to be 8-bit RGB.
  package init(_ photo: DecodedPhoto) throws(ImagingError) { image = try Self.bare(photo) }

  /// The pixels alone: libvips merges the metadata of all images that it composes.
  private static func bare(_ photo: DecodedPhoto) throws(ImagingError) -> VipsPicture {
    try Vips.image { leaflog_without_metadata(photo.picture.pointer) }
  }

  /// A gradient from one colour at the top to another at the bottom, 0 to 255 per channel.
  package init(
    size: PixelSize, from top: SIMD3<Double>, to bottom: SIMD3<Double>
  ) throws(ImagingError) {
    let column = (0..<size.height).flatMap { row in
      let colour = top + (bottom - top) * (Double(row) / Double(max(1, size.height - 1)))
      return (0..<3).map { UInt8(colour[$0].rounded()) }
    }
    try self.init(column: column, size: size)
  }

  /// A canvas whose rows have the colours of a column, which is also repeated downwards.
  private init(column: [UInt8], size: PixelSize) throws(ImagingError) {
    let height = column.count / 3
    let strip = try Vips.image {
      leaflog_from_memory(column, column.count, 1, CInt(height), 3)
    }
    image = try Vips.image {
      leaflog_replicate(strip.pointer, CInt(size.width), CInt(size.height / height))
    }
  }

  /// Multiplies each row's samples by a factor, 0 to 1, in steps of 1/255.
  package mutating func dim(_ light: (_ row: Int) -> Double) throws(ImagingError) {
    let factors = (0..<size.height).map { UInt8((light($0) * 255).rounded()) }
    image = try Vips.image { leaflog_dim(image.pointer, factors) }
  }

  /// Draws an 8-bit RGB picture with its upper left corner at (x, y), clipped to the canvas.
  ///
  /// - Parameter opacity: 0 to 1.
  package mutating func draw(
    _ photo: DecodedPhoto, x: Int, y: Int, opacity: Double = 1
  ) throws(ImagingError) {
    let picture = try Self.bare(photo)
    image =
      opacity == 1
      ? try Vips.image { leaflog_insert(image.pointer, picture.pointer, CInt(x), CInt(y)) }
      : try Vips.image {
        leaflog_blend(
          image.pointer, picture.pointer, (opacity * 255).rounded(), CInt(x), CInt(y))
      }
  }

  /// Draws text in one shade of grey with its upper left corner at (x, y).
  package mutating func draw(
    _ text: TextMask, x: Int, y: Int, grey: UInt8
  ) throws(ImagingError) {
    image = try Vips.image {
      leaflog_draw_mask(image.pointer, text.picture.pointer, Double(grey), CInt(x), CInt(y))
    }
  }

  /// Draws text with its upper left corner at (x, y).
  package mutating func draw(_ text: TextBlock, x: Int, y: Int) throws(ImagingError) {
    image = try Vips.image {
      leaflog_draw_block(image.pointer, text.picture.pointer, CInt(x), CInt(y))
    }
  }

  /// Draws text with a shadow, readable on any background.
  package mutating func drawLabel(_ text: TextMask, x: Int, y: Int) throws(ImagingError) {
    let step = max(1, text.size.height / 14)
    for (dx, dy) in [(-step, 0), (step, 0), (0, -step), (0, step), (step, step)] {
      try draw(text, x: x + dx, y: y + dy, grey: 20)
    }
    try draw(text, x: x, y: y, grey: 255)
  }

  /// The canvas as a picture in memory.
  package func picture() throws(ImagingError) -> DecodedPhoto {
    DecodedPhoto(picture: try image.inMemory(), warnings: [], isPlain: true)
  }

  /// The pixels, three bytes each, rows from the top without padding.
  package func pixels() throws -> [UInt8] { try picture().rgbSamples() }
}

/// Lines of text in one colour, laid out by Pango within a width, in any script; emoji keep their own
/// colours.
package struct TextBlock: Sendable {
  /// A font for letters.
  package enum Face: String, Sendable {
    case serif = "Palatino,Georgia,P052,serif"
    case sans = "sans"
  }

  let picture: VipsPicture

  /// - Parameters:
  ///   - fontSize: in pixels.
  ///   - width: the maximum width, in pixels; lines are broken to fit, as are words that are too long.
  ///   - colour: as `#RRGGBB`.
  package init(
    _ text: String, face: Face, fontSize: Int, width: Int, colour: String
  ) throws(ImagingError) {
    let markup = "<span foreground=\"\(colour)\">\(pangoMarkup(text))</span>"
    // At 72 dpi a point is a pixel.
    let font = "\(face.rawValue) \(fontSize)"
    picture = try Vips.image {
      leaflog_text_block(markup, font, CInt(width), CInt(fontSize / 5))
    }.inMemory()
  }

  package var size: PixelSize { PixelSize(width: picture.width, height: picture.height) }
}

extension DecodedPhoto {
  /// The 8-bit RGB picture at exactly this size, enlarged if necessary, and cropped equally at both ends
  /// to the aspect ratio.
  package func filling(_ size: PixelSize) throws(ImagingError) -> DecodedPhoto {
    let filled = try Vips.image {
      leaflog_fill(picture.pointer, CInt(size.width), CInt(size.height))
    }.inMemory()
    return DecodedPhoto(picture: filled, warnings: warnings, isPlain: true)
  }
}

/// Text as coverage, laid out by Pango, in any script.
package struct TextMask: Sendable {
  let picture: VipsPicture

  /// - Parameter height: the height of a line, in pixels.
  package init(_ text: String, height: Int) throws(ImagingError) {
    let escaped = pangoMarkup(text)
    // A point is 1/72 inch, so at 72 dpi sizes are pixels; a line takes a third more than its letters.
    let font = "sans \(max(6, height * 3 / 4))"
    picture = try Vips.image { leaflog_text(escaped, font, 72) }.inMemory()
  }

  package var size: PixelSize { PixelSize(width: picture.width, height: picture.height) }
}

/// Text escaped for Pango's markup.
private func pangoMarkup(_ text: String) -> String {
  text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
}

extension DecodedPhoto {
  /// Samples of 8-bit grey or RGB as three bytes per pixel, rows from the top without padding; grey is repeated.
  ///
  /// - Throws: `ImagingError` with code `unsupported` for other pictures.
  package func rgbSamples() throws -> [UInt8] {
    guard picture.bandFormat == VIPS_FORMAT_UCHAR, [1, 3].contains(picture.bandCount) else {
      throw ImagingError(.unsupported, "The picture is not 8-bit grey or RGB.")
    }
    return try picture.withSamples { samples in
      picture.bandCount == 3 ? Array(samples) : samples.flatMap { [$0, $0, $0] }
    }
  }
}
