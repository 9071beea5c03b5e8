/// A value of a JSON text (RFC 8259) with its position, so that each error about it has one.
package struct JSONNode: Sendable {
  package indirect enum Value: Sendable {
    case null
    case flag(Bool)
    case whole(Int)
    case number(Double)
    /// A number that is too large for a `Double`, as written.
    case oversized(String)
    case text(String)
    case list([JSONNode])
    case object([Member])
  }

  /// A member of an object.
  package struct Member: Sendable {
    package let name: String
    package let node: JSONNode

    package init(_ name: String, _ node: JSONNode) { (self.name, self.node) = (name, node) }
  }

  package let value: Value
  /// The offset of its first byte.
  package let offset: Int

  package init(_ value: Value, at offset: Int = 0) { (self.value, self.offset) = (value, offset) }

  /// The value of a member; nil for none, and for what is no object.
  package subscript(name: String) -> JSONNode? { members.first { $0.name == name }?.node }

  /// The members of an object; none of anything else.
  package var members: [Member] {
    if case .object(let members) = value { members } else { [] }
  }

  /// The value as messages show it: texts in typographic quotes, numbers as written.
  package var given: String {
    switch value {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .whole(let number): String(number)
    case .number(let number): number.formatted()
    case .oversized(let text): text
    case .text(let text): "“\(shortened(text))”"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// The value as a field takes it.
  ///
  /// - Throws: `InvalidValue` for an object, and for a number beyond all ranges.
  func scalar(for shape: Shape) throws(InvalidValue) -> Scalar {
    if case (.members, .object(let members)) = (shape.rule, value) {
      var scalars: [String: Scalar] = [:]
      for member in members {
        guard let scalar = member.node.scalar else {
          throw InvalidValue(
            member.name, .notTaken("true, false, a number or a text"), given: member.node.given,
            at: member.node.offset
          ).within(shape.name)
        }
        scalars[member.name] = scalar
      }
      return .members(scalars)
    }
    guard let scalar else {
      throw InvalidValue(shape.name, .notTaken(shape.rule.takes(.json)), given: given, at: offset)
    }
    return scalar
  }

  /// The value; nil for an object, and for a number beyond all ranges.
  package var scalar: Scalar? {
    switch value {
    case .null: return .null
    case .flag(let flag): return .flag(flag)
    case .whole(let number): return .whole(number)
    case .number(let number): return .number(number)
    case .text(let text): return .text(text)
    case .oversized, .object: return nil
    case .list(let nodes):
      var items: [Scalar] = []
      for node in nodes {
        guard let item = node.scalar else { return nil }
        items.append(item)
      }
      return .list(items)
    }
  }
}

extension JSONNode {
  /// A value without a position.
  package init(of scalar: Scalar) {
    let value: Value =
      switch scalar {
      case .null: .null
      case .flag(let flag): .flag(flag)
      case .whole(let number): .whole(number)
      case .number(let number): .number(number)
      case .text(let text): .text(text)
      case .list(let items): .list(items.map { JSONNode(of: $0) })
      case .members(let members): JSONNode(of: members.mapValues { JSONNode(of: $0) }).value
      }
    self.init(value)
  }

  /// An object, in the order of its names.
  package init(of members: [String: JSONNode]) {
    self.init(.object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) }))
  }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral text: String) { self.init(.text(text)) }
  package init(booleanLiteral flag: Bool) { self.init(.flag(flag)) }
  package init(integerLiteral number: Int) { self.init(.whole(number)) }
  package init(arrayLiteral items: JSONNode...) { self.init(.list(items)) }

  /// An object, whose members keep their order.
  package init(_ members: KeyValuePairs<String, JSONNode>) {
    self.init(.object(members.map { Member($0.key, $0.value) }))
  }
}

/// As a part of something that is stored.
extension JSONNode: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let members = try? value.decode([String: JSONNode].self) {
      self.init(of: members)
    } else if let nodes = try? value.decode([JSONNode].self) {
      self.init(.list(nodes))
    } else {
      self.init(of: try value.decode(Scalar.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .list(let nodes): try container.encode(nodes)
    case .object(let members):
      try container.encode(Dictionary(members.map { ($0.name, $0.node) }) { $1 })
    case .oversized(let text): try container.encode(text)
    case .null, .flag, .whole, .number, .text: try container.encode(scalar)
    }
  }
}

/// A syntax error in JSON.
package struct JSONFailure: Error, Equatable {
  /// The offset of the byte that is wrong.
  package let offset: Int
  /// The reason, as a sentence.
  package let reason: String
}

extension JSONNode {
  /// The deepest nesting that is read.
  package static let maxDepth = 64

  /// Reads a whole text in UTF-8, strictly and in one pass.
  ///
  /// It rejects four things that the RFC leaves open: names that occur twice in an object, half of a surrogate pair, the
  /// character NUL, and nesting deeper than any diary's.
  ///
  /// - Throws: the first error.
  package init(parsing bytes: [UInt8]) throws(JSONFailure) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONFailure(offset: 0, reason: "the text is not encoded as UTF-8.")
    }
    var result: Result<JSONNode, JSONFailure>?
    bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONFailure) { result = .success(try reader.document()) } catch {
        result = .failure(error)
      }
    }
    guard let result else { preconditionFailure("the text was read") }
    self = try result.get()
  }
}
