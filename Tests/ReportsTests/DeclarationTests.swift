import TestSupport
import Testing

/// The shims of libraries whose headers are in folders of their own declare what they use; CChafa/shim.h and CPango/shim.h
/// say why.
@Suite(
  .enabled(if: DeclarationComparison.isPossible, "no C compiler or no pkg-config on this machine"))
struct DeclarationTests {
  private func chafa() throws -> DeclarationComparison {
    try DeclarationComparison(
      of: "CChafa", with: "chafa.h", macro: "LEAFLOG_COMPARES_CHAFA", package: "chafa")
  }

  private func pango() throws -> DeclarationComparison {
    try DeclarationComparison(
      of: "CPango", with: "pango/pangocairo.h", macro: "LEAFLOG_COMPARES_PANGO",
      package: "pangocairo")
  }

  @Test func `functions are declared as in the libraries' headers`() throws {
    #expect(try chafa().differences() == "")
    #expect(try pango().differences() == "")
  }

  @Test func `structures of Pango are laid out as in its headers`() throws {
    let fields = [
      "PangoRectangle": ["x", "y", "width", "height"],
      "PangoItem": ["offset", "length", "analysis"],
      "PangoAnalysis": ["font", "level", "language", "extra_attrs"],
      "PangoGlyphInfo": [
        "glyph", "geometry.width", "geometry.x_offset", "geometry.y_offset", "attr",
      ],
      "PangoGlyphString": ["num_glyphs", "glyphs", "log_clusters"],
      "PangoGlyphItem": ["item", "glyphs", "y_offset"],
    ]
    let expressions = fields.keys.sorted().flatMap { type in
      ["sizeof(\(type))"] + (fields[type] ?? []).map { "offsetof(\(type), \($0))" }
    }
    let values = try pango().values(of: expressions + ["PANGO_SCALE"])
    #expect(values.shim == values.header && values.shim.contains("PANGO_SCALE 1024\n"))
  }

  @Test func `values of Chafa are those of its headers`() throws {
    let names = [
      "CANVAS_MODE_TRUECOLOR", "CANVAS_MODE_INDEXED_240", "CANVAS_MODE_INDEXED_16",
      "CANVAS_MODE_FGBG", "DITHER_MODE_ORDERED", "OPTIMIZATION_REUSE_ATTRIBUTES",
      "PIXEL_MODE_SYMBOLS", "PIXEL_MODE_SIXELS", "PIXEL_MODE_KITTY", "PIXEL_RGB8",
      "SYMBOL_TAG_SPACE", "SYMBOL_TAG_SOLID", "SYMBOL_TAG_VHALF",
      "TERM_SEQ_SET_COLOR_FGBG_DIRECT", "TERM_SEQ_SET_COLOR_FGBG_256",
      "TERM_SEQ_SET_COLOR_FGBG_16", "TERM_SEQ_BEGIN_SIXELS",
      "TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1",
    ]
    let values = try chafa().values(
      of: names.map { "CHAFA_" + $0 })
    #expect(values.shim == values.header && values.shim.contains("CHAFA_PIXEL_RGB8 8\n"))
  }
}
