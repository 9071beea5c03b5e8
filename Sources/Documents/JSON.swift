internal import Foundation

/// Encodes values as JSON: on one line, with sorted keys and unescaped slashes.
package enum JSON {
  package static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("documents can be encoded")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
