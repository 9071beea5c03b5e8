/// Values as bars on a terminal, one per line.
struct BarChart {
  struct Bar {
    let name: String
    let value: Double
    /// The value as written beside the bar.
    let label: String
    /// The text after the bar.
    var note = ""
  }

  let terminal: Terminal
  /// The value of a bar of full width; by default, the largest one.
  var limit: Double?

  func lines(_ bars: [Bar]) -> [String] {
    let name = min(bars.map { TextLayout.width($0.name) }.max() ?? 0, terminal.width / 3)
    let label = bars.map { TextLayout.width($0.label) }.max() ?? 0
    let note = bars.map { TextLayout.width($0.note) }.max() ?? 0
    let room = max(8, terminal.width - name - label - note - (note > 0 ? 6 : 4))
    let limit = max(limit ?? bars.map(\.value).max() ?? 0, .leastNonzeroMagnitude)
    return bars.map { bar in
      let eighths = Int((min(bar.value / limit, 1) * Double(room) * 8).rounded())
      let drawn = Self.bar(eighths: bar.value > 0 ? max(eighths, 1) : 0)
      var line = TextLayout.padded(TextLayout.truncated(bar.name, to: name), to: name)
      line += "  " + TextLayout.rightAligned(bar.label, to: label)
      line += "  " + terminal.styled(drawn, .green)
      if note > 0, !bar.note.isEmpty {
        line += String(repeating: " ", count: room - TextLayout.width(drawn)) + "  " + bar.note
      }
      return line
    }
  }

  /// A bar of whole cells and a last one in eighths (Unicode, Block Elements).
  private static func bar(eighths: Int) -> String {
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
