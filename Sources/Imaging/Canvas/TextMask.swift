internal import CVips
package import DiaryModel

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
func pangoMarkup(_ text: String) -> String {
  text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
}
