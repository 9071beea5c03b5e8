/// File names as text. A name of another system may be no UTF-8: its other bytes are written as `\xF6`, so that different
/// names stay different, and a text leads back to its file.
package enum FileNameText {
  /// The text of a name or path. A backslash that would look like an escape is escaped itself.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    if !bytes.contains(UInt8(ascii: "\\")), let text = String(validating: bytes, as: UTF8.self) {
      return text
    }
    var text = ""
    var rest = Array(bytes)[...]
    while let first = rest.first {
      // The length of a character by its first byte (RFC 3629, 3).
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if let character = String(validating: rest.prefix(length), as: UTF8.self),
        escaped(rest) == nil
      {
        text.unicodeScalars.append(contentsOf: character.unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        let digits = String(first, radix: 16, uppercase: true)
        text += "\\x" + (digits.count == 1 ? "0" : "") + digits
        rest.removeFirst()
      }
    }
    return text
  }

  /// Whether the text of a name has escaped bytes.
  package static func isEscaped(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { escaped(bytes[$0...]) != nil }
  }

  /// The byte whose escape the text begins with.
  package static func escaped(_ text: ArraySlice<UInt8>) -> UInt8? {
    let escape = text.prefix(4)
    guard escape.count == 4, escape.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]),
      escape.dropFirst(2).allSatisfy({ (48...57).contains($0) || (65...70).contains($0) })
    else { return nil }
    return UInt8(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16)
  }
}
