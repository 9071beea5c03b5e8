internal import CPango

/// A drawing surface: a page of a PDF or an SVG picture. Coordinates are in points, y downwards.
package final class Canvas {
  let context: OpaquePointer
  let shaper: TextShaper
  /// The areas of all text on the current page.
  private(set) var textBoxes: [Rectangle] = []
  /// The number of drawn characters that are in no font.
  private(set) var missingGlyphCount = 0
  var emoji = EmojiPictures()
  /// Whether the open element is a span.
  private var isInSpan = false
  /// Whether its last text was replaced: what follows belongs into another span.
  private var isSpanFull = false

  init(_ surface: Surface, _ shaper: TextShaper) {
    context = cairo_create(surface.pointer)
    self.shaper = shaper
  }

  deinit { cairo_destroy(context) }

  /// Ends a page.
  ///
  /// - Returns: the areas of its text.
  func endPage() -> [Rectangle] {
    cairo_show_page(context)
    defer { textBoxes = [] }
    return textBoxes
  }

  /// Throws the error that Cairo met while drawing, if any.
  func check() throws(ReportsError) {
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else { throw ReportsError(status) }
  }

  /// Begins an element of the document's structure (PDF 1.7, 14.7), in the one that is open.
  func begin(_ tag: Tag) {
    cairo_tag_begin(context, tag.rawValue, "")
    (isInSpan, isSpanFull) = (tag == .span, false)
  }

  func end(_ tag: Tag) {
    cairo_tag_end(context, tag.rawValue)
    isInSpan = false
  }

  func set(_ color: Color) { cairo_set_source_rgb(context, color.red, color.green, color.blue) }

  func fill(_ area: Rectangle, _ color: Color, radius: Double = 0) {
    guard area.width > 0, area.height > 0 else { return }
    set(color)
    let radius = min(radius, area.width / 2, area.height / 2)
    if radius > 0 {
      cairo_new_sub_path(context)
      let corners = [
        (area.maxX - radius, area.y + radius), (area.maxX - radius, area.maxY - radius),
        (area.x + radius, area.maxY - radius), (area.x + radius, area.y + radius),
      ]
      for (index, corner) in corners.enumerated() {
        let start = Double(index - 1) * .pi / 2
        cairo_arc(context, corner.0, corner.1, radius, start, start + .pi / 2)
      }
      cairo_close_path(context)
    } else {
      cairo_rectangle(context, area.x, area.y, area.width, area.height)
    }
    cairo_fill(context)
  }

  func line(_ points: [Point], _ color: Color, width: Double = 0.6, dashes: [Double] = []) {
    guard let first = points.first else { return }
    set(color)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_dash(context, dashes, CInt(dashes.count), 0)
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
    cairo_stroke(context)
  }

  func dot(_ center: Point, radius: Double, _ color: Color) {
    set(color)
    cairo_new_sub_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
    cairo_fill(context)
  }

  /// A triangle between three points.
  func triangle(_ a: Point, _ b: Point, _ c: Point, _ color: Color) {
    set(color)
    cairo_move_to(context, a.x, a.y)
    cairo_line_to(context, b.x, b.y)
    cairo_line_to(context, c.x, c.y)
    cairo_close_path(context)
    cairo_fill(context)
  }

  /// Draws some lines of a text so that the first of them begins at `origin`.
  func draw(_ text: ShapedText, lines: Range<Int>? = nil, at origin: Point) {
    let lines = lines ?? text.lines.indices
    guard let first = lines.first else { return }
    let top = text.lines[first].top
    for line in text.lines[lines] {
      for run in line.runs {
        draw(
          run, of: text, at: Point(origin.x + run.x, origin.y + line.baseline - top))
      }
      if line.width > 0 {
        textBoxes.append(
          Rectangle(
            x: origin.x + line.x, y: origin.y + line.top - top, width: line.width,
            height: line.height))
      }
    }
    // Counted once for a text, however many pages it spans.
    if first == 0 { missingGlyphCount += text.missingGlyphCount }
  }

  /// Draws a text in the colour of the paper: for readers of the file, not for the eye. Its emoji are no pictures.
  func draw(hidden text: ShapedText, at origin: Point) {
    for line in text.lines {
      for run in line.runs {
        draw(
          run, of: text, at: Point(origin.x + run.x, origin.y + line.baseline), isHidden: true)
      }
    }
  }

  /// Draws one line of text.
  ///
  /// - Parameters:
  ///   - width: the maximum width; longer text is cut, with an ellipsis.
  ///   - anchor: the point of the line's top edge that is at `point`.
  func write(
    _ text: String, _ style: TextStyle, at point: Point, width: Double? = nil,
    anchor: TextStyle.Alignment = .leading
  ) {
    let natural = shaper.shape(text, style)
    let shaped =
      width.map {
        $0 < natural.lineWidth ? shaper.shape(text, style, width: $0, isOneLine: true) : natural
      }
      ?? natural
    let shift: Double =
      switch anchor {
      case .leading: 0
      case .centred: shaped.lineWidth / 2
      case .trailing: shaped.lineWidth
      }
    let inset = shaped.lines.first?.x ?? 0
    draw(shaped, at: Point(point.x - shift - inset, point.y))
  }
}

extension ShapedText {
  var lineWidth: Double { lines.first?.width ?? 0 }
  var lineHeight: Double { lines.first?.height ?? 0 }
}

extension Canvas {
  /// Draws a run whose baseline begins at `origin`.
  func draw(
    _ run: ShapedText.Run, of text: ShapedText, at origin: Point, isHidden: Bool = false
  ) {
    guard let font = run.item.pointee.item.pointee.analysis.font else { return }
    let glyphs = GlyphRun(run.item, of: text.utf8, at: origin)
    let bytes = UnsafeBufferPointer(
      start: text.utf8 + glyphs.bytes.lowerBound, count: glyphs.bytes.count)
    if glyphs.isPicture {
      write(hidden: bytes, as: text.style, at: origin, width: run.width)
      if isHidden { return }
      set(text.style.color)
      emoji.draw(run, of: text, at: origin, on: context)
      return
    }
    set(text.style.color)
    cairo_set_scaled_font(context, pango_cairo_font_get_scaled_font(font))
    for part in isInSpan ? glyphs.parts : [glyphs.whole] {
      show(
        Array(glyphs.glyphs[part.glyphs]), UnsafeBufferPointer(rebasing: bytes[part.bytes]),
        Array(glyphs.clusters[part.clusters]), isRightToLeft: glyphs.isRightToLeft,
        isReplaced: part.isReplaced)
    }
  }

  /// - Parameter isReplaced: whether Cairo gives it another text than that of its glyphs. In a span, it is the last:
  ///   Poppler takes its end for that of the element, and loses what follows in it.
  private func show(
    _ glyphs: [cairo_glyph_t], _ bytes: UnsafeBufferPointer<CChar>,
    _ clusters: [cairo_text_cluster_t], isRightToLeft: Bool = false, isReplaced: Bool
  ) {
    if isInSpan, isSpanFull {
      end(.span)
      begin(.span)
    }
    isSpanFull = isReplaced
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
      [cairo_text_cluster_t(num_bytes: CInt(bytes.count), num_glyphs: CInt(glyphs.count))],
      isReplaced: true)
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
