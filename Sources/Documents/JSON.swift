internal import Fields
internal import Foundation

/// Encodes values as JSON: on one line, with sorted keys and unescaped slashes.
package enum JSON {
  /// The JSON of a thing with a table.
  package static func line<Value: Shown>(_ value: Value) -> String {
    String(decoding: Value.shown.json(value), as: UTF8.self)
  }

  package static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("documents can be encoded")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
