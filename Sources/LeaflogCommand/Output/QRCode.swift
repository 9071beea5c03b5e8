internal import CQRencode
internal import Leaflog

/// A QR code (ISO/IEC 18004), for a terminal.
struct QRCode {
  /// The width of the margin, in modules (ISO/IEC 18004, 9.1).
  private static let quietZone = 4

  /// The number of modules per side, without the quiet zone.
  private let moduleCount: Int
  private let isDark: [Bool]

  /// - Throws: `LeaflogError` with code `failed` when the text is too long for one.
  init(_ text: String) throws(LeaflogError) {
    // Nothing covers a code on a screen, so the lowest error correction suffices; a smaller code is easier to show.
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
      throw LeaflogError(.failed, "The address is too long for a QR code.")
    }
    defer { QRcode_free(code) }
    moduleCount = Int(code.pointee.width)
    // The lowest bit is the module's colour.
    let modules = UnsafeBufferPointer(
      start: code.pointee.data, count: moduleCount * moduleCount)
    isDark = modules.map { $0 & 1 == 1 }
  }

  /// The width in columns, with the quiet zone.
  var width: Int { moduleCount + 2 * Self.quietZone }

  /// The code as lines with two rows of modules each. With colours, it is black on white regardless of the terminal's
  /// own. Without, the light modules are drawn, as most terminals are dark and most readers accept either.
  func lines(_ terminal: Terminal) -> [String] {
    let range = -Self.quietZone..<moduleCount + Self.quietZone
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let cells = range.map { column in
        let drawn = [row, row + 1].map { isDark(column, $0) == terminal.hasColor }
        return drawn[0] ? (drawn[1] ? "█" : "▀") : (drawn[1] ? "▄" : " ")
      }
      let line = cells.joined()
      // From the fixed part of the 256 colours, which themes leave alone.
      return terminal.hasColor ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m" : line
    }
  }

  private func isDark(_ column: Int, _ row: Int) -> Bool {
    let sides = 0..<moduleCount
    return sides.contains(column) && sides.contains(row) && isDark[row * moduleCount + column]
  }
}
