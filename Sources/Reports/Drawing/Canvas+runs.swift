internal import CPango

extension Canvas {
  /// Draws a run whose baseline begins at `origin`.
  func draw(_ run: ShapedText.Run, of text: ShapedText, at origin: Point) {
    guard let font = run.item.pointee.item.pointee.analysis.font else { return }
    let glyphs = GlyphRun(run.item, of: text.utf8, at: origin)
    let bytes = UnsafeBufferPointer(
      start: text.utf8 + glyphs.bytes.lowerBound, count: glyphs.bytes.count)
    if glyphs.isPicture {
      write(hidden: bytes, as: text.style, at: origin, width: run.width)
      set(text.style.color)
      emoji.draw(run, of: text, at: origin, on: context)
      return
    }
    set(text.style.color)
    cairo_set_scaled_font(context, pango_cairo_font_get_scaled_font(font))
    show(glyphs.glyphs, bytes, glyphs.clusters, isRightToLeft: glyphs.isRightToLeft)
  }

  private func show(
    _ glyphs: [cairo_glyph_t], _ bytes: UnsafeBufferPointer<CChar>,
    _ clusters: [cairo_text_cluster_t], isRightToLeft: Bool = false
  ) {
    cairo_show_text_glyphs(
      context, bytes.baseAddress, CInt(bytes.count), glyphs, CInt(glyphs.count), clusters,
      CInt(clusters.count),
      isRightToLeft ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : cairo_text_cluster_flags_t(rawValue: 0))
  }

  /// Writes text that can be selected and searched below a picture: a full stop in the colour of the
  /// paper, as wide as the picture, represents it. Cairo drops the text of coloured glyphs.
  private func write(
    hidden bytes: UnsafeBufferPointer<CChar>, as style: TextStyle, at origin: Point, width: Double
  ) {
    let stop = shaper.shape(".", TextStyle(size: style.size))
    guard let run = stop.lines.first?.runs.first, run.width > 0, width > 0,
      let font = run.item.pointee.item.pointee.analysis.font
    else { return }
    cairo_save(context)
    cairo_translate(context, origin.x, origin.y)
    cairo_scale(context, width / run.width, 1)
    set(.paper)
    cairo_set_scaled_font(context, pango_cairo_font_get_scaled_font(font))
    let glyphs = GlyphRun(run.item, of: stop.utf8, at: Point(0, 0)).glyphs
    show(
      glyphs, bytes,
      [cairo_text_cluster_t(num_bytes: CInt(bytes.count), num_glyphs: CInt(glyphs.count))])
    cairo_restore(context)
  }
}

/// Runs of emoji as pictures. Cairo 1.16 would put them into a PDF at one pixel per point.
struct EmojiPictures {
  private static let pixelsPerPoint = 8.0

  private struct Key: Hashable {
    let text: String
    let style: TextStyle
  }

  /// Kept, as Cairo writes a surface that is drawn repeatedly only once.
  private var pictures: [Key: Picture] = [:]

  mutating func draw(
    _ run: ShapedText.Run, of text: ShapedText, at origin: Point, on context: OpaquePointer
  ) {
    let place = run.item.pointee.item.pointee
    let bytes = UnsafeRawBufferPointer(
      start: text.utf8 + Int(place.offset), count: Int(place.length))
    let key = Key(text: String(decoding: bytes, as: UTF8.self), style: text.style)
    let picture = pictures[key] ?? Picture(run, of: text, scale: Self.pixelsPerPoint)
    pictures[key] = picture
    cairo_save(context)
    cairo_translate(context, origin.x, origin.y - picture.ascent)
    cairo_set_source_surface(context, picture.surface, 0, 0)
    cairo_paint(context)
    cairo_restore(context)
  }

  private final class Picture {
    let surface: OpaquePointer
    /// The distance from its top to the baseline, in points.
    let ascent: Double

    init(_ run: ShapedText.Run, of text: ShapedText, scale: Double) {
      ascent = text.style.size * 1.3
      surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, CInt((run.width * scale).rounded(.up)),
        CInt((text.style.size * 1.8 * scale).rounded(.up)))
      cairo_surface_set_device_scale(surface, scale, scale)
      let context = cairo_create(surface)
      cairo_set_source_rgb(
        context, text.style.color.red, text.style.color.green, text.style.color.blue)
      cairo_move_to(context, 0, ascent)
      pango_cairo_show_glyph_item(context, text.utf8, run.item)
      cairo_destroy(context)
    }

    deinit { cairo_surface_destroy(surface) }
  }
}
