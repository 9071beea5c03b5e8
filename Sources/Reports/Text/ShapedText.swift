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

/// The glyphs of a run in Cairo's form, with the text that each represents, so that a PDF's text can
/// be selected and searched.
struct GlyphRun {
  private(set) var glyphs: [cairo_glyph_t] = []
  private(set) var clusters: [cairo_text_cluster_t] = []
  let isRightToLeft: Bool
  /// Whether it needs more than glyphs of one colour: emoji, or boxes for missing glyphs.
  let isPicture: Bool
  /// The range of its text in the whole, in bytes.
  let bytes: Range<Int>

  private static let emptyGlyph: UInt32 = 0x0FFF_FFFF  // PANGO_GLYPH_EMPTY
  private static let unknownFlag: UInt32 = 0x1000_0000  // PANGO_GLYPH_UNKNOWN_FLAG

  private struct Cluster {
    let start: Int
    var glyphCount: Int
    var byteCount = 0
    var isSpace = false
  }

  /// - Parameter origin: the beginning of its baseline.
  init(
    _ item: UnsafeMutablePointer<PangoGlyphItem>, of utf8: UnsafePointer<CChar>, at origin: Point
  ) {
    let (place, string) = (item.pointee.item.pointee, item.pointee.glyphs.pointee)
    let infos = UnsafeBufferPointer(start: string.glyphs, count: Int(string.num_glyphs))
    let starts = UnsafeBufferPointer(start: string.log_clusters, count: infos.count)
    bytes = Int(place.offset)..<Int(place.offset + place.length)
    isRightToLeft = place.analysis.level % 2 == 1
    isPicture = infos.contains {
      $0.attr & 2 != 0 || ($0.glyph != Self.emptyGlyph && $0.glyph & Self.unknownFlag != 0)
    }
    var x = origin.x
    var found: [Cluster] = []
    for (info, start) in zip(infos, starts) {
      if found.last?.start != Int(start) { found.append(Cluster(start: Int(start), glyphCount: 0)) }
      if info.glyph != Self.emptyGlyph {
        found[found.count - 1].glyphCount += 1
        glyphs.append(
          cairo_glyph_t(
            index: UInt(info.glyph), x: x + Double(info.geometry.x_offset) / Double(PANGO_SCALE),
            y: origin.y
              + Double(info.geometry.y_offset - item.pointee.y_offset) / Double(PANGO_SCALE)))
      }
      x += Double(info.geometry.width) / Double(PANGO_SCALE)
    }
    // Cairo expects clusters in the order of the text, and glyphs in the order on the page.
    if isRightToLeft { found.reverse() }
    for index in found.indices {
      let end = index + 1 < found.count ? found[index + 1].start : bytes.count
      found[index].byteCount = end - found[index].start
      found[index].isSpace = utf8[bytes.lowerBound + found[index].start] == 0x20
    }
    clusters = (isRightToLeft ? found : Self.byWord(found)).map {
      cairo_text_cluster_t(num_bytes: CInt($0.byteCount), num_glyphs: CInt($0.glyphCount))
    }
  }

  /// Merges the clusters of each word in scripts that combine several glyphs, such as Devanagari: PDF
  /// readers that use each glyph's position would tear words apart. It is not done from right to left,
  /// where those readers reverse each piece of text.
  private static func byWord(_ clusters: [Cluster]) -> [Cluster] {
    guard clusters.contains(where: { $0.glyphCount > 1 }) else { return clusters }
    return clusters.reduce(into: []) { words, cluster in
      if let last = words.last, !last.isSpace, !cluster.isSpace {
        words[words.count - 1].glyphCount += cluster.glyphCount
        words[words.count - 1].byteCount += cluster.byteCount
      } else {
        words.append(cluster)
      }
    }
  }
}
