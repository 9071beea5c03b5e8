internal import CPango

/// Turns text into lines of glyphs. It must be used only on the thread it was made on, like Pango's fonts.
package final class TextShaper {
  private let context: OpaquePointer

  package init() {
    context = pango_font_map_create_context(pango_cairo_font_map_get_default())
    // In points, with nothing rounded to the pixels of a screen.
    pango_cairo_context_set_resolution(context, 72)
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_context_set_round_glyph_positions(context, 0)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

  private static let rightToLeft: UInt32 = 1  // PANGO_DIRECTION_RTL

  /// Lays out text in lines no wider than `width`, broken between words or, if one is too long, within it;
  /// without `width`, lines are as wide as necessary.
  ///
  /// - Parameter isOneLine: whether to cut the text with an ellipsis instead of breaking it.
  func shape(
    _ text: String, _ style: TextStyle, width: Double? = nil, isOneLine: Bool = false
  ) -> ShapedText {
    guard let layout = pango_layout_new(context) else {
      preconditionFailure("GLib ends the process")
    }
    let font = pango_font_description_from_string(style.fontDescription)
    pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    var utf8 = Self.drawable(text)
    utf8.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        pango_layout_set_text(layout, $0.baseAddress, CInt($0.count))
      }
    }
    pango_layout_set_wrap(layout, 2)  // PANGO_WRAP_WORD_CHAR
    // Pango's alignments follow the direction of reading; those of columns are fixed on the page.
    let isSwapped =
      style.alignment == .trailing
      && pango_find_base_dir(pango_layout_get_text(layout), -1) == Self.rightToLeft
    pango_layout_set_alignment(layout, (isSwapped ? .leading : style.alignment).rawValue)
    pango_layout_set_spacing(layout, CInt(style.size * 0.18 * Double(PANGO_SCALE)))
    if let width { pango_layout_set_width(layout, CInt(width * Double(PANGO_SCALE))) }
    if isOneLine {
      pango_layout_set_ellipsize(layout, 3)  // PANGO_ELLIPSIZE_END
      pango_layout_set_height(layout, -1)  // one line per paragraph
    }
    return ShapedText(adopting: layout, style: style)
  }

  /// Replaces NUL, at which Pango stops, and noncharacters, on which Cairo fails (Unicode, section 23.7).
  private static func drawable(_ text: String) -> String {
    func isRefused(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value == 0 || scalar.properties.isNoncharacterCodePoint
    }
    guard text.unicodeScalars.contains(where: isRefused) else { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.map { isRefused($0) ? "\u{FFFD}" : $0 })
    return String(scalars)
  }

  /// The width of a text on one line, in points.
  func width(_ text: String, _ style: TextStyle) -> Double {
    shape(text, style).lines.map(\.width).max() ?? 0
  }
}

/// The appearance of text.
struct TextStyle: Hashable {
  enum Weight: String {
    case regular = ""
    case bold = "Bold"
  }

  enum Alignment: UInt32 {
    case leading = 0
    case centred = 1
    case trailing = 2
  }

  /// In points.
  var size: Double
  var weight = Weight.regular
  var color = Color.ink
  /// The position of a line within the given width. A paragraph written from right to left begins at
  /// the right.
  var alignment = Alignment.leading

  /// Pango's description of the font. Noto Sans is calmer to read than DejaVu Sans, and used if
  /// installed; for characters that neither has, Pango searches all fonts of the system.
  fileprivate var fontDescription: String { "Noto Sans, DejaVu Sans, Sans \(weight.rawValue)" }

  func with(
    color: Color? = nil, weight: Weight? = nil, alignment: Alignment? = nil
  ) -> TextStyle {
    TextStyle(
      size: size, weight: weight ?? self.weight, color: color ?? self.color,
      alignment: alignment ?? self.alignment)
  }
}

extension TextStyle {
  static let title = TextStyle(size: 21, weight: .bold)
  static let heading = TextStyle(size: 12.5, weight: .bold, color: .accent)
  static let body = TextStyle(size: 9.5)
  static let small = TextStyle(size: 8, color: .quiet)
  static let label = TextStyle(size: 8.5)
}
