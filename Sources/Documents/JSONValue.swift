package import Foundation

/// Any JSON value (RFC 8259), for data that is stored or passed on unchanged.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A whole number that fits into an `Int`.
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Parses a JSON text; nil when it is not JSON.
  package init?(parsing text: some DataProtocol) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text)) else {
      return nil
    }
    self = value
  }

  /// Converts a document to a value.
  package init(_ document: some Encodable) {
    guard let value = JSONValue(parsing: Data(JSON.line(document).utf8)) else {
      preconditionFailure("what was encoded can be decoded")
    }
    self = value
  }
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }
}
