internal import COpenSSL
internal import Foundation
internal import Hashing
package import Leaflog

/// The keys of a browser that receives messages (RFC 8291, 3.2).
package struct PushReceiver: Sendable, Hashable {
  /// A point on P-256: 65 bytes, of which the first one is 4.
  package let publicKey: [UInt8]
  /// 16 bytes.
  package let secret: [UInt8]

  /// - Parameters:
  ///   - publicKey: `p256dh` of a subscription, in base64url.
  ///   - secret: `auth` of a subscription, in base64url.
  /// - Returns: nil for another number of bytes, and for a point that is not on the curve.
  package init?(publicKey: String, secret: String) {
    guard let publicKey = Base64URL.bytes(publicKey), let secret = Base64URL.bytes(secret),
      publicKey.count == Int(LEAFLOG_POINT_COUNT), secret.count == 16,
      leaflog_p256_is_point(publicKey) != 0
    else { return nil }
    (self.publicKey, self.secret) = (publicKey, secret)
  }
}

/// A private key on P-256, and its public one.
package struct P256Key: Sendable, Hashable {
  /// 32 bytes, big-endian.
  package let privateKey: [UInt8]
  /// A point: 65 bytes, of which the first one is 4.
  package let publicKey: [UInt8]

  /// Makes a new key.
  ///
  /// - Throws: `LeaflogError` with code `failed` when libcrypto cannot.
  package init() throws(LeaflogError) {
    var scalar = [UInt8](repeating: 0, count: Int(LEAFLOG_SCALAR_COUNT))
    guard leaflog_p256_generate(&scalar) != 0, let key = P256Key(privateKey: scalar) else {
      throw .messageFailed
    }
    self = key
  }

  /// - Parameter privateKey: 32 bytes, big-endian.
  /// - Returns: nil for another number of bytes, and for a number that is no key of the curve.
  package init?(privateKey: [UInt8]) {
    var point = [UInt8](repeating: 0, count: Int(LEAFLOG_POINT_COUNT))
    guard privateKey.count == Int(LEAFLOG_SCALAR_COUNT),
      leaflog_p256_public(privateKey, &point) != 0
    else { return nil }
    (self.privateKey, publicKey) = (privateKey, point)
  }
}

/// Encrypts messages to browsers (RFC 8291), in the content encoding `aes128gcm` (RFC 8188).
package enum PushMessage {
  /// The bytes of the header: salt, size of a record, size of the sender's key, and that key.
  static let headerByteCount = 16 + 4 + 1 + 65
  /// Behind the text: a delimiter, and the tag.
  static let trailerByteCount = 1 + 16

  /// Encrypts a text with a new key and a new salt.
  ///
  /// - Parameter byteCount: the size to which it is padded, so that the lengths of messages tell nothing.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a longer text, and `failed` when libcrypto cannot encrypt it.
  package static func encrypted(
    _ text: [UInt8], for receiver: PushReceiver, paddedTo byteCount: Int
  ) throws(LeaflogError) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return try encrypted(
      text, for: receiver, paddedTo: byteCount, from: try P256Key(), salt: salt, recordSize: 4096)
  }

  /// The same with a given key and salt.
  ///
  /// - Parameters:
  ///   - salt: 16 bytes.
  ///   - recordSize: larger than the padded text with its trailer, as there is only one record.
  package static func encrypted(
    _ text: [UInt8], for receiver: PushReceiver, paddedTo byteCount: Int, from sender: P256Key,
    salt: [UInt8], recordSize: UInt32
  ) throws(LeaflogError) -> [UInt8] {
    guard text.count <= byteCount, byteCount + trailerByteCount <= recordSize else {
      throw LeaflogError(.invalidRequest, "A message takes at most \(byteCount) bytes.")
    }
    var agreed = [UInt8](repeating: 0, count: Int(LEAFLOG_SCALAR_COUNT))
    guard leaflog_p256_agree(sender.privateKey, receiver.publicKey, &agreed) != 0 else {
      throw .messageFailed
    }
    let info = Array("WebPush: info\0".utf8) + receiver.publicKey + sender.publicKey
    let material = try derived(agreed, salt: receiver.secret, info, count: 32)
    let key = try derived(
      material, salt: salt, Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
    let nonce = try derived(
      material, salt: salt, Array("Content-Encoding: nonce\0".utf8), count: 12)
    // 2 ends the text of the last record; zeros follow (RFC 8188, 2).
    let padded = text + [2] + [UInt8](repeating: 0, count: byteCount - text.count)
    var sealed = [UInt8](repeating: 0, count: padded.count + Int(LEAFLOG_TAG_COUNT))
    guard leaflog_aes128gcm_seal(key, nonce, padded, padded.count, &sealed) != 0 else {
      throw .messageFailed
    }
    let size = withUnsafeBytes(of: recordSize.bigEndian) { Array($0) }
    return salt + size + [UInt8(sender.publicKey.count)] + sender.publicKey + sealed
  }

  private static func derived(
    _ key: [UInt8], salt: [UInt8], _ info: [UInt8], count: Int
  ) throws(LeaflogError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    guard
      leaflog_hkdf(key, key.count, salt, salt.count, info, info.count, &output, count) != 0
    else { throw .messageFailed }
    return output
  }
}

extension P256Key {
  /// What a browser gets as `applicationServerKey`.
  package var publicText: String { Base64URL.text(publicKey) }

  /// The value of `Authorization` by which a push service knows the sender (VAPID, RFC 8292).
  ///
  /// - Parameters:
  ///   - audience: the origin of the push service.
  ///   - subject: the address of whoever runs the sender, `mailto:` or `https:`.
  ///   - expiresAt: in seconds since 1970; at most a day ahead.
  /// - Throws: `LeaflogError` with code `failed` when libcrypto cannot sign it.
  package func authorization(
    audience: String, subject: String, expiresAt: Int64
  ) throws(LeaflogError) -> String {
    let claims = Claims(aud: audience, exp: expiresAt, sub: subject)
    guard let head = try? Self.encoder.encode(Head()), let body = try? Self.encoder.encode(claims)
    else { throw .messageFailed }
    let text = Base64URL.text(head) + "." + Base64URL.text(body)
    var signature = [UInt8](repeating: 0, count: Int(LEAFLOG_SIGNATURE_COUNT))
    let bytes = Array(text.utf8)
    guard leaflog_p256_sign(privateKey, bytes, bytes.count, &signature) != 0 else {
      throw .messageFailed
    }
    // Without a space behind the comma, which some programs do not read.
    return "vapid t=\(text).\(Base64URL.text(signature)),k=\(publicText)"
  }

  /// The head of a JWT (RFC 7515, 4.1).
  private struct Head: Encodable {
    let alg = "ES256"
    let typ = "JWT"
  }

  /// The claims of a JWT (RFC 7519, 4.1).
  private struct Claims: Encodable {
    let aud: String
    let exp: Int64
    let sub: String
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension LeaflogError {
  fileprivate static var messageFailed: LeaflogError {
    LeaflogError(
      .failed, "OpenSSL could not make a message: \(String(cString: leaflog_openssl_reason())).")
  }
}
