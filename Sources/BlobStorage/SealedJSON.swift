internal import DiaryModel
package import Foundation

/// Small JSON files that show when a byte in them has changed by itself.
///
/// Each is an object whose last member, `sha256`, is the SHA-256 of the text up to the comma before it, in hexadecimal.
/// Whoever writes one by hand leaves the member out; it is then not checked.
package enum SealedJSON {
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(value)
    precondition(data.last == UInt8(ascii: "}") && data.count > 2, "an object with members")
    data.removeLast()
    return data + tail(of: data)
  }

  /// The value in a file; nil when it is not what was written.
  package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    isSound(data) ? try? JSONDecoder().decode(type, from: data) : nil
  }

  /// Whether a file is what was written.
  package static func isSound(_ data: Data) -> Bool {
    guard data.range(of: Data("\"sha256\"".utf8)) != nil else {
      return (try? JSONSerialization.jsonObject(with: data)) != nil
    }
    guard data.count > tailCount else { return false }
    let text = data.dropLast(tailCount)
    return data.suffix(tailCount).elementsEqual(tail(of: text))
  }

  private static let tailCount = tail(of: Data()).count

  private static func tail(of text: Data) -> Data {
    let digest = text.withUnsafeBytes { BlobID(hashing: $0) }
    return Data(",\"sha256\":\"\(digest.hex)\"}\n".utf8)
  }
}
