import ArgumentParser
internal import CChafa
internal import Foundation
internal import Glibc
internal import Leaflog
internal import Synchronization

/// Thumbnails on standard output.
struct TerminalPictures {
  /// The room for one picture, in cells.
  struct Box {
    let columns: Int
    let rows: Int
    /// Free columns to the left.
    var indentation = 0

    /// One photo by itself.
    static let single = Box(columns: 60, rows: 24)
    /// Below a line of the timeline, aligned with its text.
    static let inTimeline = Box(columns: 24, rows: 6, indentation: 9)
  }

  static let help = """
    Pictures are drawn with Kitty's graphics protocol or sixels if the terminal supports them, \
    otherwise as half blocks in as many colours as it has (none with NO_COLOR). If standard output \
    is not a terminal, none are drawn unless CLICOLOR_FORCE=1 is set; then they are drawn as half \
    blocks, which `less -R` shows.
    """

  private let output: StandardStream
  private let terminal: ChafaTerminal
  private let cell: PixelSize

  /// Creates pictures; nil where they would only be in the way: in a pipe or a file, unless `CLICOLOR_FORCE` asks for
  /// colours there too (bixense.com/clicolors).
  init?(_ context: CommandContext) {
    output = context.output
    let environment = context.process.environment
    let isForced = environment["CLICOLOR_FORCE"].map { !["", "0"].contains($0) } ?? false
    guard output.terminal.isTerminal || isForced else { return nil }
    // Linux's console prints sequences that it does not know.
    let isAble =
      output.terminal.isTerminal && !["", "dumb", "linux"].contains(environment["TERM"] ?? "")
    terminal = ChafaTerminal(
      environment, answer: isAble ? output.terminal.descriptor.flatMap(TerminalQuestion.ask) : nil,
      mayDrawPixels: isAble, mayColor: output.terminal.hasColor || isForced)
    // The characters of most fonts are twice as tall as they are wide.
    cell = output.terminal.cell ?? PixelSize(width: 8, height: 16)
  }

  /// The message where there are no pictures.
  static let absence =
    "Pictures are not drawn because standard output is not a terminal. Set CLICOLOR_FORCE=1 to draw "
    + "them as characters."

  /// Draws a picture on lines of its own, as large as the box and the window allow.
  func write(_ picture: RGBPicture, in box: Box) {
    let (columns, rows) = fit(picture.size, box)
    let text = terminal.draw(picture, columns: columns, rows: rows, cell: cell)
    if terminal.method == .characters {
      let indentation = String(repeating: " ", count: box.indentation)
      for line in text.split(separator: "\n") { output.print(indentation + line) }
      return
    }
    // The position of the cursor after a picture depends on the terminal. So its lines are made first, to keep the
    // terminal from scrolling while it is drawn, and the cursor is then moved below them explicitly.
    let right = box.indentation > 0 ? "\u{1B}[\(box.indentation)C" : ""
    output.write(
      String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7\(right)\(text)\u{1B}8"
        + "\u{1B}[\(rows)B")
  }

  private func fit(_ size: PixelSize, _ box: Box) -> (columns: Int, rows: Int) {
    let widest = max(1, min(box.columns, output.terminal.width - box.indentation))
    let highest = max(1, min(box.rows, output.terminal.height - 2))
    let columnsPerRow =
      Double(size.width * cell.height) / Double(max(1, size.height) * cell.width)
    let width = min(Double(widest), Double(highest) * columnsPerRow)
    return (
      columns: max(1, Int(width.rounded())), rows: max(1, Int((width / columnsPerRow).rounded()))
    )
  }
}

extension GlobalOptions {
  /// - Throws: if the flag contradicts other options.
  func allowPictures(_ flag: String) throws {
    if json {
      throw ValidationError(
        "\(flag) and --json cannot be used together: `leaflog show PHOTO --json` has the path of "
          + "the thumbnail's file.")
    }
  }
}

/// A terminal as libchafa knows it, which draws pictures in a form that the terminal supports.
private final class ChafaTerminal {
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
    guard let characters = g_string_free(text, 0) else { return "" }
    defer { g_free(characters) }
    return String(cString: characters)
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

/// Asks a terminal whether it draws pictures, on the terminal itself.
private struct TerminalQuestion {
  /// The terminal's capabilities, as reported by itself.
  struct Answer: Equatable {
    /// Supports Kitty's graphics protocol.
    var hasKitty = false
    /// Supports sixels: attribute 4 among its primary device attributes (DEC STD 070; xterm's ctlseqs).
    var hasSixel = false
  }

  /// Kitty's query (a picture of one pixel that is not kept), followed by one that every terminal answers, so that
  /// there is no need to wait for terminals that do not know the first.
  static let text = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

  /// Enough for a terminal at the other end of a slow line.
  private static let timeLimit = Duration.seconds(1)

  /// The terminal's answer; nil if it did not answer in time, or could not be asked.
  static func ask(_ descriptor: CInt) -> Answer? {
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
    // Standard output may be open for writing only.
    let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { Glibc.close(terminal) }
    // In the background, the first access would stop the process; on the terminal of another session, the answer would
    // be taken from that session's input.
    guard tcgetpgrp(terminal) == getpgrp() else { return nil }
    return RawMode.during(terminal) { exchange(with: terminal) }
  }

  private static func exchange(with terminal: CInt) -> Answer? {
    StandardStream(descriptor: terminal, environment: [:]).write(text)
    let deadline = ContinuousClock.now + timeLimit
    var reply: [UInt8] = []
    while true {
      let left = (deadline - .now).seconds
      guard left > 0 else { return nil }
      var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, CInt((left * 1000).rounded(.up)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(terminal, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      reply += buffer.prefix(count)
      if let answer = Answer(reply: String(decoding: reply, as: UTF8.self)) { return answer }
    }
  }
}

extension TerminalQuestion.Answer {
  /// Parses a reply; nil until the device attributes, which come last, have arrived: `ESC [ ? 62 ; 4 c`.
  init?(reply: String) {
    var rest = Substring(reply)
    while let start = rest.range(of: "\u{1B}[?") {
      rest = rest[start.upperBound...]
      let parameters = rest.prefix { $0.isASCII && $0.isNumber || $0 == ";" }
      guard rest.dropFirst(parameters.count).first == "c" else { continue }
      hasKitty = reply.contains("\u{1B}_Gi=31;OK\u{1B}\\")
      hasSixel = parameters.split(separator: ";").dropFirst().contains("4")
      return
    }
    return nil
  }
}

/// A terminal mode that delivers every byte and echoes none.
private enum RawMode {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  private static let pending = Atomic<CInt>(0)

  /// Runs the body in raw mode. Signals that would end the process are held back until the terminal is restored.
  static func during<Result>(_ terminal: CInt, _ body: () -> Result?) -> Result? {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var actions: [sigaction] = []
    for signal in signals {
      var (old, new) = (sigaction(), sigaction())
      new.__sigaction_handler.sa_handler = { RawMode.pending.store($0, ordering: .relaxed) }
      sigaction(signal, &new, &old)
      actions.append(old)
    }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    let isRaw = tcsetattr(terminal, TCSANOW, &raw) == 0
    let result = isRaw ? body() : nil
    if isRaw { tcsetattr(terminal, TCSANOW, &before) }
    for (signal, action) in zip(signals, actions) {
      var action = action
      sigaction(signal, &action, nil)
    }
    let signal = pending.exchange(0, ordering: .relaxed)
    // Not `raise`: threads of Swift's pool take no signals.
    if signal != 0 { kill(getpid(), signal) }
    return result
  }
}
