/// Finds the position of the value at a coding path, in JSON that `JSONSyntax` has checked.
package struct JSONPositions {
  private let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The value at a path, or else the innermost existing one around it.
  ///
  /// - Returns: the offset of its first byte, and whether it is the value itself.
  package func value(at path: [any CodingKey]) -> (offset: Int, isExact: Bool) {
    bytes.withUnsafeBufferPointer { bytes in
      var walk = JSONWalk(bytes)
      for step in path where !walk.enter(step) { return (walk.index, false) }
      return (walk.index, true)
    }
  }

  /// A value as messages show it: strings in typographic quotes, numbers and words as written.
  package func shown(at offset: Int) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      guard offset < bytes.count else { return "nothing" }
      switch bytes[offset] {
      case UInt8(ascii: "["): return "a list"
      case UInt8(ascii: "{"): return "an object"
      default:
        var walk = JSONWalk(bytes, at: offset)
        walk.skipValue()
        return bytes[offset] == UInt8(ascii: "\"")
          ? "“\(JSONSyntax.text(bytes, offset, walk.index))”"
          : String(decoding: bytes[offset..<walk.index], as: UTF8.self)
      }
    }
  }
}

/// A cursor that moves from value to value.
private struct JSONWalk {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the current value.
  private(set) var index: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int = 0) {
    self.bytes = bytes
    self.index = index
    skipSpace()
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte <= 0x20 { index += 1 }
  }

  private mutating func skipString() {
    index += 1
    while let byte = peek, byte != UInt8(ascii: "\"") {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
  }

  /// Moves past the current value.
  mutating func skipValue() {
    var depth = 0
    repeat {
      switch peek {
      case UInt8(ascii: "\"")?: skipString()
      case UInt8(ascii: "[")?, UInt8(ascii: "{")?:
        depth += 1
        index += 1
      case UInt8(ascii: "]")?, UInt8(ascii: "}")?:
        depth -= 1
        index += 1
      case nil: return
      default:
        index += 1
        // A number or a word extends to its delimiter.
        while depth == 0, let byte = peek, byte > 0x20, !",]}".utf8.contains(byte) { index += 1 }
      }
    } while depth > 0
  }

  /// Moves to the value of a key; stays if there is none.
  mutating func enter(_ key: any CodingKey) -> Bool {
    if let position = key.intValue {
      guard let element = element(position) else { return false }
      index = element
      return true
    }
    guard let member = member(key.stringValue) else { return false }
    index = member
    return true
  }

  private func element(_ position: Int) -> Int? {
    var walk = self
    guard walk.peek == UInt8(ascii: "[") else { return nil }
    for count in 0... {
      walk.index += 1
      walk.skipSpace()
      guard let byte = walk.peek, byte != UInt8(ascii: "]") else { return nil }
      if count == position { return walk.index }
      walk.skipValue()
      walk.skipSpace()
      guard walk.peek == UInt8(ascii: ",") else { return nil }
    }
    return nil
  }

  /// The offset of a member's value.
  private func member(_ name: String) -> Int? {
    var walk = self
    guard walk.peek == UInt8(ascii: "{") else { return nil }
    while true {
      walk.index += 1
      walk.skipSpace()
      let start = walk.index
      guard walk.peek == UInt8(ascii: "\"") else { return nil }
      walk.skipString()
      let isFound = JSONSyntax.text(bytes, start, walk.index) == name
      walk.skipSpace()
      walk.index += 1  // the colon
      walk.skipSpace()
      if isFound { return walk.index }
      walk.skipValue()
      walk.skipSpace()
      guard walk.peek == UInt8(ascii: ",") else { return nil }
    }
  }
}
