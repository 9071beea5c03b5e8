/// The parser's help, laid out for the terminal.
enum HelpText {
  private static let beginnings = ["USAGE: ", "Usage: "]

  /// The text with its lines on usage wrapped, which the parser leaves as long as they are. An option stays on one line
  /// with its value.
  static func wrappingUsage(_ text: String, to width: Int) -> String {
    var isUsage = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      // Further lines of the usage are indented like its first words.
      isUsage =
        beginnings.contains { line.hasPrefix($0) } || isUsage && line.hasPrefix(indentation)
      return isUsage ? wrapped(line, to: width) : [String(line)]
    }.joined(separator: "\n")
  }

  private static let indentation = String(repeating: " ", count: 7)

  private static func wrapped(_ line: Substring, to width: Int) -> [String] {
    var lines = [""]
    for part in parts(line) {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = part
      } else if TextLayout.width(last) + 1 + TextLayout.width(part) <= width {
        lines[lines.count - 1] += " " + part
      } else {
        lines.append(indentation + "  " + part)
      }
    }
    return lines
  }

  /// The words, with those inside brackets as one.
  private static func parts(_ line: Substring) -> [String] {
    var parts: [String] = []
    var depth = 0
    for word in line.drop(while: { $0 == " " }).split(separator: " ") {
      let belongsToLast =
        depth > 0 || parts.last == "USAGE:" || parts.last == "Usage:"
        || parts.last?.hasPrefix("-") == true && word.hasPrefix("<")
      if belongsToLast {
        parts[parts.count - 1] += " " + word
      } else {
        parts.append(String(word))
      }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    if line.hasPrefix(indentation), let first = parts.first { parts[0] = indentation + first }
    return parts
  }
}
