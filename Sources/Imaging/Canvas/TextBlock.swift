internal import CVips
package import DiaryModel

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
