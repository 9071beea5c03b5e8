/// An SVG file from Cairo, to which a title and a description are added: Cairo turns text into
/// outlines, which no screen reader can read.
struct SVGText {
  private let text: String

  init(_ bytes: [UInt8]) { text = Self.numbered(String(decoding: bytes, as: UTF8.self)) }

  /// Renumbers surfaces and pictures from 1: Cairo counts all that the process ever made, so that no two
  /// files would be the same.
  private static func numbered(_ text: String) -> String {
    var numbers: [Substring: Int] = [:]
    return text.replacing(/(id="|#)(surface|image|source-)(\d+)/) { match in
      let key = text[match.output.2.startIndex..<match.output.3.endIndex]
      let number = numbers[key] ?? numbers.count + 1
      numbers[key] = number
      return "\(match.output.1)\(match.output.2)\(number)"
    }
  }

  /// The file with a title and a description for people who cannot see it (WAI-ARIA: `role="img"`).
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
      // XML 1.0 does not allow control characters in any form.
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
