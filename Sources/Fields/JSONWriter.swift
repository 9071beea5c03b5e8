/// Writes JSON (RFC 8259) byte by byte, with the bytes of Foundation's encoder with sorted names and unescaped slashes.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  /// The number of levels of two spaces before each member; nil for one line.
  private var level: Int?
  /// Whether the next member or element is the first one.
  private var isFirst = true

  /// - Parameter level: for text in lines, the level that it begins at; nil for one line.
  package init(level: Int? = nil, capacity: Int = 512) {
    self.level = level
    bytes.reserveCapacity(capacity)
  }

  private mutating func raw(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func container(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void
  ) {
    bytes.append(open)
    let outer = level
    level = level.map { $0 + 1 }
    isFirst = true
    body(&self)
    level = outer
    if !isFirst { newLine() }
    bytes.append(close)
    isFirst = false
  }

  private mutating func newLine() {
    guard let level else { return }
    bytes.append(0x0A)
    for _ in 0..<level { raw("  ") }
  }

  private mutating func separate() {
    if !isFirst { bytes.append(0x2C) }
    newLine()
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    container(0x7B, 0x7D, members)
  }

  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
  ) {
    container(0x5B, 0x5D) { json in
      for element in elements {
        json.separate()
        write(element, &json)
        json.isFirst = false
      }
    }
  }

  /// Writes a member, unless `value` returns false.
  ///
  /// - Parameter key: the name in quotes, with the colon.
  mutating func member(_ key: [UInt8], _ value: (inout JSONWriter) -> Bool) {
    let (start, wasFirst) = (bytes.count, isFirst)
    separate()
    if level == nil {
      bytes.append(contentsOf: key)
    } else {
      bytes.append(contentsOf: key.dropLast())
      raw(" : ")
    }
    if value(&self) {
      isFirst = false
    } else {
      bytes.removeSubrange(start...)
      isFirst = wasFirst
    }
  }

  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    member(Array("\"\(name)\":".utf8)) {
      value(&$0)
      return true
    }
  }

  package mutating func write(_ scalar: Scalar) {
    switch scalar {
    case .null: raw("null")
    case .flag(let flag): if flag { raw("true") } else { raw("false") }
    case .whole(let number): bytes.append(contentsOf: String(number).utf8)
    case .number(let number): bytes.append(contentsOf: number.inJSON.utf8)
    case .text(let text): string(text)
    case .list(let items): array(items) { $1.write($0) }
    case .members: write(JSONNode(of: scalar))
    }
  }

  /// Writes a value with the members of its objects in their order.
  package mutating func write(_ node: JSONNode) {
    switch node.value {
    case .null: write(Scalar.null)
    case .flag(let flag): write(.flag(flag))
    case .whole(let number): write(.whole(number))
    case .number(let number): write(.number(number))
    case .oversized(let text): bytes.append(contentsOf: text.utf8)
    case .text(let text): string(text)
    case .list(let nodes): array(nodes) { $1.write($0) }
    case .object(let members):
      object { json in for member in members { json.member(member) } }
    }
  }

  private mutating func member(_ member: JSONNode.Member) {
    var name = JSONWriter()
    name.string(member.name)
    self.member(name.bytes + [0x3A]) {
      $0.write(member.node)
      return true
    }
  }

  private mutating func string(_ text: String) {
    bytes.append(0x22)
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices
      where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C {
        bytes.append(contentsOf: utf8[start..<index])
        start = index + 1
        escape(utf8[index])
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(0x22)
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x22: raw("\\\"")
    case 0x5C: raw("\\\\")
    case 0x08: raw("\\b")
    case 0x0C: raw("\\f")
    case 0x0A: raw("\\n")
    case 0x0D: raw("\\r")
    case 0x09: raw("\\t")
    default:
      raw(byte < 16 ? "\\u000" : "\\u001")
      bytes.append((byte & 15) + (byte & 15 < 10 ? 0x30 : 0x57))
    }
  }
}
