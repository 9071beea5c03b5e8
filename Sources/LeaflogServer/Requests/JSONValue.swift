internal import Foundation

/// Any JSON (RFC 8259).
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The words for what it is, after "not".
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// With a patch merged into it (RFC 7396): what the patch names is replaced, null removes, the rest stays.
  func merged(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var fields: [String: JSONValue] = [:]
    if case .object(let present) = self { fields = present }
    for (name, change) in changes {
      fields[name] = change == .null ? nil : (fields[name] ?? .null).merged(with: change)
    }
    return .object(fields)
  }
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let items = try? value.decode([JSONValue].self) {
      self = .array(items)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let flag): try value.encode(flag)
    case .number(let number):
      // Whole numbers without a fraction, so that they can be decoded as such.
      if let whole = Int(exactly: number) {
        try value.encode(whole)
      } else {
        try value.encode(number)
      }
    case .string(let text): try value.encode(text)
    case .array(let items): try value.encode(items)
    case .object(let fields): try value.encode(fields)
    }
  }
}
