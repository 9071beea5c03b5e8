internal import CVips
package import DiaryModel

/// 8-bit RGB rows in sRGB to put pictures and text on.
package struct PixelCanvas: Sendable {
  package let size: PixelSize
  /// Three bytes a pixel, rows from the top, without padding.
  package private(set) var pixels: [UInt8]

  package init(size: PixelSize, grey: UInt8 = 0) {
    self.size = size
    pixels = [UInt8](repeating: grey, count: size.pixelCount * 3)
  }

  /// A picture as it is: 8 bits, RGB.
  package init(_ photo: DecodedPhoto) throws {
    size = photo.size
    pixels = try photo.picture.withSamples { Array($0) }
  }

  /// From one colour at the top to another at the bottom.
  package init(size: PixelSize, from top: SIMD3<Double>, to bottom: SIMD3<Double>) {
    self.init(size: size)
    for row in 0..<size.height {
      let colour = top + (bottom - top) * (Double(row) / Double(max(1, size.height - 1)))
      let samples = (0..<3).map { UInt8(colour[$0].rounded()) }
      for at in (row * size.width)..<((row + 1) * size.width) {
        for channel in 0..<3 { pixels[at * 3 + channel] = samples[channel] }
      }
    }
  }

  /// Lets only so much of each row's light through: 0 to 1.
  package mutating func dim(_ light: (_ row: Int) -> Double) {
    let rowByteCount = size.width * 3
    pixels.withUnsafeMutableBufferPointer { pixels in
      for row in 0..<size.height {
        let weight = Int((light(row) * 256).rounded())
        for at in (row * rowByteCount)..<((row + 1) * rowByteCount) {
          pixels[at] = UInt8((Int(pixels[at]) * weight) >> 8)
        }
      }
    }
  }

  /// Puts a picture of 8-bit RGB with its upper left corner here; what goes beyond the edges is cut.
  /// `opacity`: 0 to 1.
  package mutating func draw(_ photo: DecodedPhoto, x: Int, y: Int, opacity: Double = 1) throws {
    let weight = Int((opacity * 256).rounded())
    try photo.picture.withSamples { samples in
      forEachRow(of: photo.size, x, y) { source, target, count in
        for offset in 0..<(count * 3) {
          let old = Int(pixels[target * 3 + offset])
          let new = Int(samples[source * 3 + offset])
          pixels[target * 3 + offset] = UInt8((old * (256 - weight) + new * weight + 128) >> 8)
        }
      }
    }
  }

  /// Puts text in one shade of grey with its upper left corner here.
  package mutating func draw(_ text: TextMask, x: Int, y: Int, grey: UInt8) throws {
    try text.picture.withSamples { coverage in
      forEachRow(of: text.size, x, y) { source, target, count in
        for offset in 0..<count {
          let weight = Int(coverage[source + offset])
          for channel in 0..<3 {
            let at = (target + offset) * 3 + channel
            pixels[at] = UInt8((Int(pixels[at]) * (255 - weight) + Int(grey) * weight + 127) / 255)
          }
        }
      }
    }
  }

  /// Puts text with its upper left corner here.
  package mutating func draw(_ text: TextBlock, x: Int, y: Int) throws {
    try text.picture.withSamples { samples in
      forEachRow(of: text.size, x, y) { source, target, count in
        for offset in 0..<count {
          let from = (source + offset) * 4
          let weight = Int(samples[from + 3])
          guard weight > 0 else { continue }
          for channel in 0..<3 {
            let at = (target + offset) * 3 + channel
            let sum = Int(pixels[at]) * (255 - weight) + Int(samples[from + channel]) * weight
            pixels[at] = UInt8((sum + 127) / 255)
          }
        }
      }
    }
  }

  /// Pixels of a picture of `size` at this place that fall on the canvas, row by row: the first's
  /// index there, the first's index here, how many.
  private func forEachRow(
    of other: PixelSize, _ x: Int, _ y: Int, _ body: (Int, Int, Int) throws -> Void
  ) rethrows {
    let left = max(0, -x)
    let count = min(other.width, size.width - x) - left
    guard count > 0 else { return }
    for row in max(0, -y)..<max(0, -y, min(other.height, size.height - y)) {
      try body(row * other.width + left, (y + row) * size.width + x + left, count)
    }
  }

  /// The canvas as a picture.
  package func picture() throws(ImagingError) -> DecodedPhoto {
    let picture = try Vips.image {
      leaflog_from_memory(pixels, pixels.count, CInt(size.width), CInt(size.height), 3)
    }
    return DecodedPhoto(picture: picture, warnings: [], isPlain: true)
  }
}

/// Text as coverage, laid out by Pango: any script.
package struct TextMask: Sendable {
  let picture: VipsPicture

  /// `height`: of a line, in pixels.
  package init(_ text: String, height: Int) throws(ImagingError) {
    let escaped = pangoMarkup(text)
    // A point is 1/72 inch, so at 72 dpi sizes are pixels; a line takes a third more than its letters.
    let font = "sans \(max(6, height * 3 / 4))"
    picture = try Vips.image { leaflog_text(escaped, font, 72) }.inMemory()
  }

  package var size: PixelSize { PixelSize(width: picture.width, height: picture.height) }
}

extension PixelCanvas {
  /// Text with a shadow, readable on whatever lies below it.
  package mutating func drawLabel(_ text: TextMask, x: Int, y: Int) throws {
    let step = max(1, text.size.height / 14)
    for (dx, dy) in [(-step, 0), (step, 0), (0, -step), (0, step), (step, step)] {
      try draw(text, x: x + dx, y: y + dy, grey: 20)
    }
    try draw(text, x: x, y: y, grey: 255)
  }
}

/// Text as Pango's markup says it.
func pangoMarkup(_ text: String) -> String {
  text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
}
