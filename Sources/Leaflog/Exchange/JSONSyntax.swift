/// A strict validator of JSON's grammar (RFC 8259), which finds the first syntax error. `JSONDecoder`
/// reads the values, but does not report their positions.
///
/// It rejects four things that the RFC leaves open: duplicate names in an object, half of a surrogate
/// pair, the character NUL, and nesting deeper than any diary's.
package struct JSONSyntax {
  /// A syntax error, and the offset of its byte.
  package struct Failure: Error, Equatable {
    package let offset: Int
    package let reason: String
  }

  package static let maxDepth = 64

  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int = 0) {
    self.bytes = bytes
    self.index = index
  }

  /// - Throws: the first syntax error.
  package static func check(_ bytes: [UInt8]) throws(Failure) {
    let failure = bytes.withUnsafeBufferPointer { bytes -> Failure? in
      var syntax = JSONSyntax(bytes)
      do throws(Failure) {
        try syntax.document()
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  private enum Container {
    case array
    case object(names: Set<String>)

    var close: UInt8 {
      switch self {
      case .array: UInt8(ascii: "]")
      case .object: UInt8(ascii: "}")
      }
    }
  }

  /// Reads the document without recursion, so that deep nesting costs no stack.
  private mutating func document() throws(Failure) {
    var open: [Container] = []
    skipSpace()
    while true {
      if let container = try opened() {
        guard open.count < Self.maxDepth else {
          throw Failure(offset: index - 1, reason: "nothing in a diary is nested this deeply.")
        }
        open.append(container)
        skipSpace()
        if peek != container.close {
          try name(in: &open)
          continue
        }
        index += 1
        open.removeLast()
      } else {
        try scalar()
      }
      // After a value: the end of containers, or a comma.
      while true {
        skipSpace()
        guard let innermost = open.last else {
          guard index == bytes.count else {
            throw wrong("the end of the file is expected here")
          }
          return
        }
        if peek == innermost.close {
          index += 1
          open.removeLast()
        } else if peek == UInt8(ascii: ",") {
          index += 1
          skipSpace()
          try name(in: &open)
          break
        } else {
          let close = String(UnicodeScalar(innermost.close))
          throw wrong("a comma or \(close) is expected here")
        }
      }
    }
  }

  private mutating func opened() throws(Failure) -> Container? {
    switch peek {
    case UInt8(ascii: "["):
      index += 1
      return .array
    case UInt8(ascii: "{"):
      index += 1
      return .object(names: [])
    default: return nil
    }
  }

  /// In an object, reads the next member's name and its colon.
  private mutating func name(in open: inout [Container]) throws(Failure) {
    guard case .object(var names)? = open.last else { return }
    // Taken off the stack while it grows; otherwise each name would copy the set.
    open.removeLast()
    let start = index
    guard peek == UInt8(ascii: "\"") else { throw wrong("a name in quotes is expected here") }
    try string()
    let name = Self.text(bytes, start, index)
    guard names.insert(name).inserted else {
      throw Failure(offset: start, reason: "“\(name)” occurs twice in the same object.")
    }
    open.append(.object(names: names))
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw wrong("a colon is expected here") }
    index += 1
    skipSpace()
  }

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  private mutating func scalar() throws(Failure) {
    switch peek {
    case UInt8(ascii: "\"")?: try string()
    case UInt8(ascii: "-")?, .some(0x30...0x39): try number()
    case UInt8(ascii: "t")?: try word("true")
    case UInt8(ascii: "f")?: try word("false")
    case UInt8(ascii: "n")?: try word("null")
    default: throw wrong("a value is expected here")
    }
  }

  private mutating func word(_ word: String) throws(Failure) {
    let end = index + word.utf8.count
    guard end <= bytes.count, bytes[index..<end].elementsEqual(word.utf8) else {
      throw wrong("a value is expected here")
    }
    index = end
  }

  private mutating func number() throws(Failure) {
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    func digits(_ syntax: inout JSONSyntax) throws(Failure) {
      guard isDigit(syntax.peek) else { throw syntax.wrong("a digit is expected here") }
      while isDigit(syntax.peek) { syntax.index += 1 }
    }
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") {
      index += 1
      if isDigit(peek) {
        throw wrong("a number does not begin with 0, so no digit is expected here")
      }
    } else {
      try digits(&self)
    }
    if peek == UInt8(ascii: ".") {
      index += 1
      try digits(&self)
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits(&self)
    }
  }
}
