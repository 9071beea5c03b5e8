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

  /// Whether Cairo gives a part of it another text than that of its glyphs (PDF 1.7, 14.9.4): emoji, ligatures, scripts
  /// that combine several glyphs, and characters without any.
  var hasReplacedText: Bool {
    lines.contains { line in
      line.runs.contains { run in
        let glyphs = GlyphRun(run.item, of: utf8, at: Point(0, 0))
        return glyphs.isPicture || glyphs.isReplaced.contains(true)
      }
    }
  }

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
      // A missing run ends a line. Its runs come from left to right, and are drawn in the order of the text, in which
      // screen readers read them.
      runs.sort { $0.item.pointee.item.pointee.offset < $1.item.pointee.item.pointee.offset }
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
  /// For each cluster whether it is something else than one glyph for one character, such as a ligature, or a space that
  /// shares its glyph with the usual one.
  private(set) var isReplaced: [Bool] = []
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
      let isSpace = utf8[bytes.lowerBound + Int(start)] == 0x20
      // The space where a line was broken has no glyph in Pango; with one, it is text like any other.
      let glyph =
        info.glyph == Self.emptyGlyph
        ? (isSpace ? Self.space(of: place.analysis.font) : nil) : UInt(info.glyph)
      if let glyph {
        found[found.count - 1].glyphCount += 1
        glyphs.append(
          cairo_glyph_t(
            index: glyph, x: x + Double(info.geometry.x_offset) / Double(PANGO_SCALE),
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
    if !isRightToLeft { found = Self.byWord(found) }
    clusters = found.map {
      cairo_text_cluster_t(num_bytes: CInt($0.byteCount), num_glyphs: CInt($0.glyphCount))
    }
    isReplaced = found.map { cluster in
      let start = bytes.lowerBound + cluster.start
      let text = String(
        decoding: UnsafeRawBufferPointer(start: utf8 + start, count: cluster.byteCount),
        as: UTF8.self
      ).unicodeScalars
      let isOtherSpace =
        !cluster.isSpace && text.first?.properties.generalCategory == .spaceSeparator
      return cluster.glyphCount != 1 || text.count != 1 || isOtherSpace
    }
  }

  /// The glyph of a font for the space; nil for a font without one.
  private static func space(of font: OpaquePointer?) -> UInt? {
    guard let font else { return nil }
    var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
    var count: CInt = 0
    let status = cairo_scaled_font_text_to_glyphs(
      pango_cairo_font_get_scaled_font(font), 0, 0, " ", 1, &glyphs, &count, nil, nil, nil)
    defer { cairo_glyph_free(glyphs) }
    return status == CAIRO_STATUS_SUCCESS && count == 1 ? glyphs?.pointee.index : nil
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

extension GlyphRun {
  /// Clusters of a run that are drawn together.
  struct Part {
    let clusters: Range<Int>
    let glyphs: Range<Int>
    let bytes: Range<Int>
    /// Whether the last of them is replaced.
    let isReplaced: Bool
  }

  /// The run as one part.
  var whole: Part {
    Part(
      clusters: 0..<clusters.count, glyphs: 0..<glyphs.count, bytes: 0..<bytes.count,
      isReplaced: isReplaced.contains(true))
  }

  /// The run in parts that end after each replaced cluster.
  var parts: [Part] {
    var parts: [Part] = []
    var (first, glyphStart, byteStart) = (0, 0, 0)
    var (glyphEnd, byteEnd) = (0, 0)
    for (index, cluster) in clusters.enumerated() {
      glyphEnd += Int(cluster.num_glyphs)
      byteEnd += Int(cluster.num_bytes)
      let isReplaced = isReplaced[index]
      guard isReplaced || index == clusters.count - 1 else { continue }
      // From right to left, the first cluster's glyphs are the last.
      let own =
        isRightToLeft
        ? glyphs.count - glyphEnd..<glyphs.count - glyphStart : glyphStart..<glyphEnd
      parts.append(
        Part(
          clusters: first..<index + 1, glyphs: own, bytes: byteStart..<byteEnd,
          isReplaced: isReplaced))
      (first, glyphStart, byteStart) = (index + 1, glyphEnd, byteEnd)
    }
    return parts
  }
}
