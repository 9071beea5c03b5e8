internal import CChafa
internal import Leaflog

/// A terminal as libchafa knows it, which draws pictures in a form that the terminal supports.
final class ChafaTerminal {
  /// The elements that pictures are made of.
  enum Method {
    /// Pixels, in Kitty's graphics protocol.
    case kitty
    /// Pixels, as sixels.
    case sixel
    /// Half blocks: two pixels per character.
    case characters
  }

  private enum Colors { case all, indexed256, indexed16, none }

  let method: Method
  private let information: OpaquePointer
  private let colors: Colors

  /// - Parameters:
  ///   - environment: `TERM`, `COLORTERM` and the variables that terminals set.
  ///   - answer: the terminal's own answer; without one, the environment decides, as it does for colours.
  ///   - mayDrawPixels: whether the output goes straight to a terminal.
  ///   - mayColor: whether characters may be coloured.
  init(
    _ environment: [String: String], answer: TerminalQuestion.Answer?, mayDrawPixels: Bool,
    mayColor: Bool
  ) {
    let database = chafa_term_db_get_default()
    let variables = environment.reduce(nil) { g_environ_setenv($0, $1.key, $1.value, 1) }
    defer { g_strfreev(variables) }
    guard let information = chafa_term_db_detect(database, variables) else {
      preconditionFailure("libchafa knows something of every terminal")
    }
    func knows(_ sequence: ChafaTermSeq) -> Bool {
      chafa_term_info_have_seq(information, sequence) != 0
    }
    let hasKitty = answer?.hasKitty ?? knows(CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)
    let hasSixel = answer?.hasSixel ?? knows(CHAFA_TERM_SEQ_BEGIN_SIXELS)
    method = !mayDrawPixels ? .characters : hasKitty ? .kitty : hasSixel ? .sixel : .characters
    colors =
      !mayColor
      ? .none
      : knows(CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT)
        ? .all
        : knows(CHAFA_TERM_SEQ_SET_COLOR_FGBG_256)
          ? .indexed256 : knows(CHAFA_TERM_SEQ_SET_COLOR_FGBG_16) ? .indexed16 : .none
    // The database may not know all the capabilities that the terminal reported.
    chafa_term_info_supplement(information, chafa_term_db_get_fallback_info(database))
    self.information = information
  }

  deinit { chafa_term_info_unref(information) }

  /// Draws the picture over this many cells: lines of characters, or one sequence that draws it at the cursor.
  func draw(_ picture: RGBPicture, columns: Int, rows: Int, cell: PixelSize) -> String {
    let configuration = chafa_canvas_config_new()
    defer { chafa_canvas_config_unref(configuration) }
    chafa_canvas_config_set_geometry(configuration, CInt(columns), CInt(rows))
    chafa_canvas_config_set_cell_geometry(configuration, CInt(cell.width), CInt(cell.height))
    chafa_canvas_config_set_pixel_mode(configuration, pixelMode)
    chafa_canvas_config_set_canvas_mode(configuration, canvasMode)
    // Repeated and skipped cells are for terminals; `less -R` supports neither.
    chafa_canvas_config_set_optimizations(configuration, CHAFA_OPTIMIZATION_REUSE_ATTRIBUTES)
    if method == .characters, colors == .none {
      chafa_canvas_config_set_dither_mode(configuration, CHAFA_DITHER_MODE_ORDERED)
      chafa_canvas_config_set_dither_grain_size(configuration, 1, 1)
    }
    let symbols = chafa_symbol_map_new()
    defer { chafa_symbol_map_unref(symbols) }
    // libchafa calls the upper and lower halves vertical.
    for tag in [CHAFA_SYMBOL_TAG_SPACE, CHAFA_SYMBOL_TAG_SOLID, CHAFA_SYMBOL_TAG_VHALF] {
      chafa_symbol_map_add_by_tags(symbols, tag)
    }
    chafa_canvas_config_set_symbol_map(configuration, symbols)

    let canvas = chafa_canvas_new(configuration)
    defer { chafa_canvas_unref(canvas) }
    let (width, height) = (CInt(picture.size.width), CInt(picture.size.height))
    chafa_canvas_draw_all_pixels(
      canvas, CHAFA_PIXEL_RGB8, picture.samples, width, height, 3 * width)
    guard let text = chafa_canvas_print(canvas, information) else {
      preconditionFailure("libchafa prints every canvas")
    }
    defer { g_string_free(text, 1) }
    return String(cString: text.pointee.str)
  }

  private var pixelMode: ChafaPixelMode {
    switch method {
    case .kitty: CHAFA_PIXEL_MODE_KITTY
    case .sixel: CHAFA_PIXEL_MODE_SIXELS
    case .characters: CHAFA_PIXEL_MODE_SYMBOLS
    }
  }

  private var canvasMode: ChafaCanvasMode {
    switch method == .characters ? colors : .all {
    case .all: CHAFA_CANVAS_MODE_TRUECOLOR
    // Users may change the first 16 of the 256 colours.
    case .indexed256: CHAFA_CANVAS_MODE_INDEXED_240
    case .indexed16: CHAFA_CANVAS_MODE_INDEXED_16
    case .none: CHAFA_CANVAS_MODE_FGBG
    }
  }
}
