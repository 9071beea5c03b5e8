internal import Crypto
internal import Foundation

/// The secrets of tokens, sessions and links: random bytes, in characters that headers, cookies and addresses take.
enum AccessSecret {
  /// Nobody's secret is longer; hashing what somebody sends costs no more than that.
  fileprivate static let maxLength = 128

  /// A new one.
  ///
  /// - Parameters:
  ///   - prefix: tells what it is to people, and to programs that look for published secrets.
  ///   - byteCount: of what is random; a link that is drawn as a picture has fewer.
  static func make(_ prefix: String, byteCount: Int = 32) -> String {
    var generator = SystemRandomNumberGenerator()  // of the operating system: getrandom(2)
    let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    // base64url without padding (RFC 4648, 5).
    return prefix
      + Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// The SHA-256 of a secret, by which it is known again. A slow hash would help against guessing only where
/// secrets are chosen by people.
struct SecretDigest: Hashable, Sendable {
  private let digest: BlobID

  /// Nil for what cannot be a secret.
  init?(of secret: String) {
    guard !secret.isEmpty, secret.utf8.count <= AccessSecret.maxLength,
      let digest = BlobID(bytes: Array(SHA256.hash(data: Array(secret.utf8))))
    else { return nil }
    self.digest = digest
  }

  /// Takes the same time wherever they differ, as digests are compared.
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
