internal import CPango

/// Text laid out in lines of glyphs.
final class ShapedText {
  /// A line and its position in the text, in points.
  struct Line {
    /// The distance from the top of the text.
    let top: Double
    let height: Double
    /// The distance from the top of the text.
    let baseline: Double
    let x: Double
    let width: Double
    var runs: [Run] = []
  }

  /// A part of a line in one font and direction.
  struct Run {
    let item: UnsafeMutablePointer<PangoGlyphItem>
    let x: Double
    let width: Double
  }

  let style: TextStyle
  let lines: [Line]
  /// The number of characters that are in no font.
  let missingGlyphCount: Int
  private let layout: OpaquePointer

  /// Pango's copy of the text, NUL-terminated UTF-8; valid as long as this object lives.
  let utf8: UnsafePointer<CChar>

  init(adopting layout: OpaquePointer, style: TextStyle) {
    self.layout = layout
    self.style = style
    utf8 = pango_layout_get_text(layout)
    lines = Self.lines(of: layout)
    missingGlyphCount = Int(pango_layout_get_unknown_glyphs_count(layout))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  var height: Double { lines.last.map { $0.top + $0.height } ?? 0 }

  /// The lines in parts of at most a height, each with at least one line.
  func parts(upTo limit: Double) -> [(lines: Range<Int>, height: Double)] {
    var parts: [(lines: Range<Int>, height: Double)] = []
    var start = 0
    for (index, line) in lines.enumerated() {
      let bottom = line.top + line.height
      if index > start, bottom - lines[start].top > limit { start = index }
      let part = (lines: start..<(index + 1), height: bottom - lines[start].top)
      if parts.last?.lines.lowerBound == start { parts.removeLast() }
      parts.append(part)
    }
    return parts
  }

  private static func lines(of layout: OpaquePointer) -> [Line] {
    func points(_ units: CInt) -> Double { Double(units) / Double(PANGO_SCALE) }
    guard let iterator = pango_layout_get_iter(layout) else { return [] }
    defer { pango_layout_iter_free(iterator) }
    var lines: [Line] = []
    var runs: [Run] = []
    repeat {
      var area = PangoRectangle()
      if let item = pango_layout_iter_get_run_readonly(iterator) {
        pango_layout_iter_get_run_extents(iterator, nil, &area)
        runs.append(Run(item: item, x: points(area.x), width: points(area.width)))
        continue
      }
      // A missing run ends a line.
      pango_layout_iter_get_line_extents(iterator, nil, &area)
      lines.append(
        Line(
          top: points(area.y), height: points(area.height),
          baseline: points(pango_layout_iter_get_baseline(iterator)), x: points(area.x),
          width: points(area.width), runs: runs))
      runs = []
    } while pango_layout_iter_next_run(iterator) != 0
    return lines
  }
}
