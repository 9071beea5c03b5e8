internal import Documents
internal import Foundation
internal import Leaflog

/// A merge patch (RFC 7396) for a part of the diary, such as the fields of an episode.
struct MergePatch: Sendable {
  /// The name of the part in the request.
  let name: String
  let changes: JSONValue

  /// The value with its named fields replaced; the others stay.
  func applied<Value: Codable>(to value: Value) throws -> Value {
    let present = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    return try Self.decode(
      Value.self, from: present.merged(with: changes), named: name, asked: changes)
  }

  /// A new value, made from the patch alone.
  func value<Value: Codable>(_ type: Value.Type) throws -> Value {
    let all = JSONValue.object([:]).merged(with: changes)
    return try Self.decode(type, from: all, named: name, asked: changes)
  }

  /// The changes, checked to name only fields of a type.
  func checked<Value: Codable>(_ type: Value.Type) throws -> JSONValue {
    _ = try value(type)
    return changes
  }

  private static func decode<Value: Codable>(
    _ type: Value.Type, from json: JSONValue, named name: String, asked: JSONValue
  ) throws -> Value {
    guard case .object(let fields) = asked else {
      throw BodyReader.refusal("“\(name)” must be an object, not \(asked.kind).")
    }
    let value: Value
    do { value = try JSONDecoder().decode(type, from: JSONEncoder().encode(json)) } catch let error
      as DecodingError
    {
      throw BodyReader.refusal(error.words(within: name))
    }
    // A misspelt field would otherwise be ignored silently.
    let taken = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    guard case .object(let known) = taken else { return value }
    for (field, change) in fields.sorted(by: { $0.key < $1.key })
    where change != .null && change != .array([]) && known[field] == nil {
      throw BodyReader.refusal("Unknown field “\(name).\(field)”.")
    }
    return value
  }
}

extension DecodingError {
  /// A sentence about the field that cannot be read.
  func words(within name: String) -> String {
    func field(_ path: [any CodingKey]) -> String {
      ([name] + path.map(\.stringValue)).filter { !$0.isEmpty }.joined(separator: ".")
    }
    switch self {
    case .keyNotFound(let key, let context):
      return "“\(field(context.codingPath + [key]))” is missing."
    case .valueNotFound(_, let context): return "“\(field(context.codingPath))” is missing."
    case .typeMismatch(let type, let context):
      return "“\(field(context.codingPath))” must be \(Self.words(for: type))."
    case .dataCorrupted(let context):
      let text = context.debugDescription
      return "“\(field(context.codingPath))” is invalid: \(text)\(text.hasSuffix(".") ? "" : ".")"
    @unknown default: return "“\(name)” cannot be read."
    }
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int.Type: "an integer"
    case is Double.Type: "a number"
    case is [Any].Type: "a list"
    default: "a value of another type"
    }
  }
}
