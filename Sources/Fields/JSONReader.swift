/// Reads JSON value by value.
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  mutating func document() throws(JSONFailure) -> JSONNode {
    skipSpace()
    let node = try node()
    skipSpace()
    guard index == bytes.count else { throw wrong("the end of the file is expected here") }
    return node
  }

  private mutating func node() throws(JSONFailure) -> JSONNode {
    let start = index
    return JSONNode(try value(), at: start)
  }

  private mutating func value() throws(JSONFailure) -> JSONNode.Value {
    switch peek {
    case UInt8(ascii: "\"")?: return .text(try string())
    case UInt8(ascii: "-")?, .some(0x30...0x39): return try number()
    case UInt8(ascii: "{")?: return .object(try members())
    case UInt8(ascii: "[")?: return .list(try elements())
    case UInt8(ascii: "t")?:
      try word("true")
      return .flag(true)
    case UInt8(ascii: "f")?:
      try word("false")
      return .flag(false)
    case UInt8(ascii: "n")?:
      try word("null")
      return .null
    default: throw wrong("a value is expected here")
    }
  }

  private mutating func word(_ word: String) throws(JSONFailure) {
    let end = index + word.utf8.count
    guard end <= bytes.count, bytes[index..<end].elementsEqual(word.utf8) else {
      throw wrong("a value is expected here")
    }
    index = end
  }

  /// Enters a list or an object; false when it is empty.
  private mutating func enter(_ close: UInt8) throws(JSONFailure) -> Bool {
    guard depth < JSONNode.maxDepth else {
      throw JSONFailure(offset: index, reason: "nothing in a diary is nested this deeply.")
    }
    index += 1
    skipSpace()
    guard peek != close else {
      index += 1
      return false
    }
    depth += 1
    return true
  }

  /// Moves to the next element or member; false behind the last.
  private mutating func advance(_ close: UInt8) throws(JSONFailure) -> Bool {
    skipSpace()
    if peek == close {
      index += 1
      depth -= 1
      return false
    }
    guard peek == UInt8(ascii: ",") else {
      throw wrong("a comma or \(Character(UnicodeScalar(close))) is expected here")
    }
    index += 1
    skipSpace()
    return true
  }

  private mutating func elements() throws(JSONFailure) -> [JSONNode] {
    var elements: [JSONNode] = []
    guard try enter(UInt8(ascii: "]")) else { return [] }
    repeat { elements.append(try node()) } while try advance(UInt8(ascii: "]"))
    return elements
  }

  private mutating func members() throws(JSONFailure) -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    // Comparing each name with all before is faster for a few, and quadratic for many.
    var names: Set<String>?
    guard try enter(UInt8(ascii: "}")) else { return [] }
    repeat {
      let start = index
      guard peek == UInt8(ascii: "\"") else { throw wrong("a name in quotes is expected here") }
      let name = try string()
      if members.count == 16 { names = Set(members.map(\.name)) }
      let isNew = names?.insert(name).inserted ?? !members.contains { $0.name == name }
      guard isNew else {
        throw JSONFailure(offset: start, reason: "“\(name)” occurs twice in the same object.")
      }
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw wrong("a colon is expected here") }
      index += 1
      skipSpace()
      members.append(JSONNode.Member(name, try node()))
    } while try advance(UInt8(ascii: "}"))
    return members
  }

  private mutating func digits() throws(JSONFailure) {
    guard let byte = peek, (0x30...0x39).contains(byte) else {
      throw wrong("a digit is expected here")
    }
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
  }

  private mutating func number() throws(JSONFailure) -> JSONNode.Value {
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") {
      index += 1
      if let byte = peek, (0x30...0x39).contains(byte) {
        throw wrong("a number does not begin with 0, so no digit is expected here")
      }
    } else {
      try digits()
    }
    if peek == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let whole = Int(text) { return .whole(whole) }
    guard let number = Double(text), number.isFinite else { return .oversized(text) }
    // JSON has no whole numbers of its own: 3.0 is 3.
    return Int(exactly: number).map { .whole($0) } ?? .number(number)
  }
}

extension JSONReader {
  private mutating func string() throws(JSONFailure) -> String {
    let start = index
    index += 1
    var hasEscape = false
    while let byte = peek {
      if byte == UInt8(ascii: "\"") {
        index += 1
        let inner = start + 1..<index - 1
        return hasEscape ? unescaped(inner) : String(decoding: bytes[inner], as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscape = true
        try escape()
      } else if byte < 0x20 {
        throw JSONFailure(
          offset: index,
          reason: "a string has a line break or another control character here; write it as \\n or "
            + "\\u00XX.")
      } else {
        index += 1
      }
    }
    throw JSONFailure(offset: start, reason: "the string that begins here has no end.")
  }

  private mutating func escape() throws(JSONFailure) {
    let start = index
    index += 1
    switch peek {
    case UInt8(ascii: "u"):
      let unit = try codeUnit(start)
      if unit == 0 {
        throw JSONFailure(offset: start, reason: "the character NUL cannot be kept.")
      }
      guard (0xD800...0xDFFF).contains(unit) else { return }
      let half = JSONFailure(
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
  private mutating func codeUnit(_ start: Int) throws(JSONFailure) -> UInt16 {
    let digits = bytes[min(index + 1, bytes.count)..<min(index + 5, bytes.count)]
    guard digits.count == 4, let unit = Self.number(hexadecimal: digits) else {
      throw JSONFailure(offset: start, reason: "four hexadecimal digits have to follow \\u.")
    }
    index += 5
    return unit
  }

  private static func number(hexadecimal digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt16? {
    var number: UInt16 = 0
    for byte in digits {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      number = number << 4 | UInt16(digit)
    }
    return number
  }

  /// The text of a string, between its quotes, with its escapes resolved.
  private func unescaped(_ range: Range<Int>) -> String {
    var units: [UInt16] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "\\") else {
        let next =
          bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "\\")) ?? range.upperBound
        units += Array(String(decoding: bytes[index..<next], as: UTF8.self).utf16)
        index = next
        continue
      }
      let letter = bytes[index + 1]
      if letter == UInt8(ascii: "u") {
        units.append(Self.number(hexadecimal: bytes[index + 2..<index + 6]) ?? 0xFFFD)
        index += 6
      } else {
        let plain: UInt16 =
          switch letter {
          case UInt8(ascii: "b"): 8
          case UInt8(ascii: "f"): 12
          case UInt8(ascii: "n"): 10
          case UInt8(ascii: "r"): 13
          case UInt8(ascii: "t"): 9
          default: UInt16(letter)
          }
        units.append(plain)
        index += 2
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The error for a character that is not the expected one.
  private func wrong(_ expected: String) -> JSONFailure {
    guard index < bytes.count else {
      return JSONFailure(offset: index, reason: "\(expected), and the file ends.")
    }
    let rest = bytes[index..<min(index + 16, bytes.count)]
    let found = String(decoding: rest, as: UTF8.self).first.map(String.init) ?? ""
    return JSONFailure(offset: index, reason: "\(expected), not “\(found)”.")
  }
}
