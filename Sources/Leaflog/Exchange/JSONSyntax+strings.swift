extension JSONSyntax {
  /// Reads a string, including its quotes.
  mutating func string() throws(Failure) {
    let start = index
    index += 1
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20:
        throw Failure(
          offset: index,
          reason: "a string has a line break or another control character here; write it as \\n or "
            + "\\u00XX.")
      default: index += 1
      }
    }
    throw Failure(offset: start, reason: "the string that begins here has no end.")
  }

  private mutating func escape() throws(Failure) {
    let start = index
    index += 1
    switch peek {
    case UInt8(ascii: "u"):
      let unit = try codeUnit(start)
      if unit == 0 {
        throw Failure(offset: start, reason: "the character NUL cannot be kept.")
      }
      guard (0xD800...0xDFFF).contains(unit) else { return }
      let half = Failure(
        offset: start, reason: "this is half of a pair, and no character by itself.")
      guard unit < 0xDC00, peek == UInt8(ascii: "\\") else { throw half }
      index += 1
      guard peek == UInt8(ascii: "u"), (0xDC00...0xDFFF).contains(try codeUnit(index - 1)) else {
        throw half
      }
    case let byte? where "\"\\/bfnrt".utf8.contains(byte): index += 1
    default: throw wrong("one of \" \\ / b f n r t u is expected behind \\")
    }
  }

  /// Reads the four digits after the `u` at `index`.
  private mutating func codeUnit(_ start: Int) throws(Failure) -> UInt32 {
    let digits = bytes[min(index + 1, bytes.count)..<min(index + 5, bytes.count)]
    guard digits.count == 4,
      let unit = digits.reduce(
        UInt32?(0),
        { value, byte in
          guard let value, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
            return nil
          }
          return value << 4 | UInt32(digit)
        })
    else { throw Failure(offset: start, reason: "four hexadecimal digits have to follow \\u.") }
    index += 5
    return unit
  }

  /// The error for a character that is not the expected one.
  func wrong(_ expected: String) -> Failure {
    guard index < bytes.count else {
      return Failure(offset: index, reason: "\(expected), and the file ends.")
    }
    let rest = bytes[index..<min(index + 16, bytes.count)]
    let found = String(decoding: rest, as: UTF8.self).first.map(String.init) ?? ""
    return Failure(offset: index, reason: "\(expected), not “\(found)”.")
  }

  /// The text of a string between two offsets, escapes resolved.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> String {
    let inner = bytes[start + 1..<end - 1]
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    var units: [UInt16] = []
    var index = inner.startIndex
    while index < inner.endIndex {
      guard inner[index] == UInt8(ascii: "\\") else {
        let next = inner[index...].firstIndex(of: UInt8(ascii: "\\")) ?? inner.endIndex
        units += Array(String(decoding: inner[index..<next], as: UTF8.self).utf16)
        index = next
        continue
      }
      let letter = inner[index + 1]
      if letter == UInt8(ascii: "u") {
        let digits = String(decoding: inner[index + 2..<index + 6], as: UTF8.self)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
        index += 6
      } else {
        let controls: [UInt8: UInt16] = [
          UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
          UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
        ]
        units.append(controls[letter] ?? UInt16(letter))
        index += 2
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
