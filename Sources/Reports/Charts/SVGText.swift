/// What Cairo wrote, and what it cannot write: it makes outlines of text, which no program reads
/// aloud.
struct SVGText {
  private let text: String

  init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

  /// With a title and a description for those who cannot see it (WAI-ARIA: `role="img"`).
  func described(title: String, summary: String) -> [UInt8] {
    guard let start = text.range(of: "<svg "),
      let end = text[start.upperBound...].firstIndex(of: ">")
    else { preconditionFailure("Cairo writes an svg element") }
    let names = "<title>\(escaped(title))</title>\n<desc>\(escaped(summary))</desc>"
    return Array(
      (text[..<start.upperBound] + "role=\"img\" " + text[start.upperBound...end] + "\n" + names
        + text[text.index(after: end)...]).utf8)
  }

  private func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // Control characters are not in XML 1.0, in no form.
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
