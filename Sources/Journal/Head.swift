internal import Crypto
package import Foundation

/// The hash of a frame, which stands for the frame and, as each frame names the one before it, for everything that led
/// to it: the identity of a commit.
package struct Head: Sendable, Hashable, CustomStringConvertible {
  /// 32 bytes: a SHA-256.
  package let bytes: Data

  /// The head of a library without a commit.
  package static let none = Head(unchecked: Data(count: byteCount))
  package static let byteCount = 32

  /// Nil unless there are 32 bytes.
  package init?(_ bytes: some DataProtocol) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: Data(bytes))
  }

  /// Nil unless there are 64 hexadecimal digits.
  package init?(hex: some StringProtocol) {
    let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 2 * Self.byteCount, hex.utf8.count == digits.count else { return nil }
    self.init(
      unchecked: Data(
        stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }))
  }

  /// The SHA-256 of some bytes.
  init(hashing data: Data) { self.init(unchecked: Data(SHA256.hash(data: data))) }

  private init(unchecked bytes: Data) { self.bytes = bytes }

  package var hex: String {
    bytes.reduce(into: "") { text, byte in
      for digit in [byte >> 4, byte & 15] { text += String(digit, radix: 16) }
    }
  }

  package var description: String { hex }
}

extension Head: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let head = try Head(hex: container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "It is not a frame's hash.")
    }
    self = head
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}
