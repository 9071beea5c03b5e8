internal import Crypto
internal import Foundation

/// The secrets of tokens, sessions and links: random bytes, in characters that headers, cookies and URLs allow.
enum AccessSecret {
  /// No secret is longer. Bounds the cost of hashing what a client sends.
  fileprivate static let maxLength = 128

  /// Makes a new secret.
  ///
  /// - Parameters:
  ///   - prefix: tells people and secret scanners what kind of secret it is.
  ///   - byteCount: the number of random bytes; a link shown as a QR code has fewer.
  static func make(_ prefix: String, byteCount: Int = 32) -> String {
    var generator = SystemRandomNumberGenerator()  // the operating system's: getrandom(2)
    let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    // base64url without padding (RFC 4648, section 5).
    return prefix
      + Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// The SHA-256 of a secret, by which it is recognised. A slow hash would protect only secrets that people
/// choose.
struct SecretDigest: Hashable, Sendable {
  private let digest: BlobID

  /// Nil for a text that cannot be a secret, as it is empty or too long.
  init?(of secret: String) {
    guard !secret.isEmpty, secret.utf8.count <= AccessSecret.maxLength,
      let digest = BlobID(bytes: Array(SHA256.hash(data: Array(secret.utf8))))
    else { return nil }
    self.digest = digest
  }

  /// Compares in constant time, as Crypto compares digests.
  func isEqual(_ other: SecretDigest) -> Bool {
    SHA256.hash(data: digest.bytes) == SHA256.hash(data: other.digest.bytes)
  }
}

extension SecretDigest: Codable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let digest = BlobID(hex: try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "no SHA-256")
    }
    self.digest = digest
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(digest.hex)
  }
}
