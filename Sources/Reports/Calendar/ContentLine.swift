/// A line of an iCalendar file (RFC 5545).
struct ContentLine {
  /// In capitals.
  let name: String
  var parameters: [(name: String, value: String)] = []
  /// The value as written to the file; `text` escapes plain text.
  let value: String

  init(_ name: String, _ value: String, parameters: [(name: String, value: String)] = []) {
    self.name = name
    self.value = value
    self.parameters = parameters
  }

  /// A line with a text value (section 3.3.11): backslashes, semicolons and commas are escaped, line
  /// breaks are written as `\n`, and control characters other than tabs are dropped.
  static func text(_ name: String, _ text: String) -> ContentLine {
    var value = ""
    // Scalar by scalar, as CR LF is a single character.
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": value += "\\\(scalar)"
      case "\n" where previous == "\r": break  // its CR was written
      case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": value += "\\n"
      case "\t": value += "\t"
      case _ where scalar.properties.generalCategory == .control: break
      default: value.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return ContentLine(name, value)
  }

  /// The line folded to at most 75 octets without the line ending (section 3.1); longer ones continue
  /// in lines that begin with a space. The bytes of a scalar stay together.
  func folded() -> [UInt8] {
    let head = ([name] + parameters.map { "\($0.name)=\($0.value)" }).joined(separator: ";")
    var bytes: [UInt8] = []
    var lineLength = 0
    for scalar in "\(head):\(value)".unicodeScalars {
      let encoded = UTF8.encode(scalar).map(Array.init) ?? []
      if lineLength + encoded.count > 75 {
        bytes += [0x0D, 0x0A, 0x20]
        lineLength = 1
      }
      bytes += encoded
      lineLength += encoded.count
    }
    return bytes + [0x0D, 0x0A]
  }
}
