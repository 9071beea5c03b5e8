internal import CQRencode
package import Leaflog

/// A QR code (ISO/IEC 18004).
package struct QRCode {
  /// The width of the margin, in modules (ISO/IEC 18004, 9.1).
  package static let quietZone = 4

  /// The number of modules per side, without the quiet zone.
  package let moduleCount: Int
  private let modules: [Bool]

  /// - Throws: `LeaflogError` with code `failed` when the text is too long for one.
  package init(_ text: String) throws(LeaflogError) {
    // Nothing covers a code on a screen, so the lowest error correction suffices; a smaller code is easier to show.
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
      throw LeaflogError(.failed, "The address is too long for a QR code.")
    }
    defer { QRcode_free(code) }
    moduleCount = Int(code.pointee.width)
    // The lowest bit is the module's colour.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: moduleCount * moduleCount)
      .map { $0 & 1 == 1 }
  }

  /// The width with the quiet zone, in modules.
  package var width: Int { moduleCount + 2 * Self.quietZone }

  /// Whether a module is dark; those outside are light.
  package func isDark(_ column: Int, _ row: Int) -> Bool {
    let sides = 0..<moduleCount
    return sides.contains(column) && sides.contains(row) && modules[row * moduleCount + column]
  }

  /// The dark modules as the data of an SVG path, a unit for each, within the quiet zone (SVG 2, 9.3).
  var path: String {
    let sides = 0..<moduleCount
    return sides.flatMap { row in
      sides.filter { isDark($0, row) }
        .map { "M\($0 + Self.quietZone) \(row + Self.quietZone)h1v1h-1z" }
    }.joined()
  }
}
