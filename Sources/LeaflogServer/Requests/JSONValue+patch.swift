internal import Documents

extension JSONValue {
  /// The kind of value in words, to follow "not".
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value with a patch merged into it (RFC 7396): named fields are replaced, null removes them, the rest stays.
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
