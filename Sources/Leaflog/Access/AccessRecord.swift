internal import Crypto
internal import Foundation

/// The contents of `access.json`. Times are milliseconds since 1970.
struct AccessRecord: Codable, Equatable {
  static let currentFormat = 1
  /// The maximum number of sessions per token; one more ends the least recently used.
  static let maxSessionCount = 100

  struct Token: Codable, Equatable {
    let id: String
    let name: String
    let digest: SecretDigest
    let createdAt: Int64
    var lastUsedAt: Int64?
  }

  struct Session: Codable, Equatable {
    /// The id of its token.
    let token: String
    let digest: SecretDigest
    let beganAt: Int64
    var lastUsedAt: Int64

    func isOver(at now: Timestamp) -> Bool {
      now.milliseconds > lastUsedAt.addingSaturated(LibraryTokens.sessionMilliseconds)
    }
  }

  var format = currentFormat
  var tokens: [Token] = []
  var sessions: [Session] = []
  /// Nil when there are none, as in files written before pairings existed.
  var pairings: [Pairing]?

  /// The token with this secret. Compares all of them, so that timing does not reveal which one is similar.
  func token(_ digest: SecretDigest) -> Token? {
    tokens.reduce(nil) { $1.digest.isEqual(digest) ? $1 : $0 }
  }

  /// The session with this secret, with its token.
  func session(_ digest: SecretDigest) -> (Session, Token)? {
    let found: Session? = sessions.reduce(nil) { $1.digest.isEqual(digest) ? $1 : $0 }
    guard let found, let token = tokens.first(where: { $0.id == found.token }) else { return nil }
    return (found, token)
  }

  /// The index of the token with this name, regardless of case, or this id or an unambiguous prefix of it.
  func index(of nameOrID: String) throws(LeaflogError) -> Int {
    let wanted = foldedName(nameOrID.tidied ?? "")
    if let index = tokens.firstIndex(where: { foldedName($0.name) == wanted }) { return index }
    let found = tokens.indices.filter { !wanted.isEmpty && tokens[$0].id.hasPrefix(wanted) }
    if let index = found.first, found.count == 1 { return index }
    guard found.isEmpty else {
      throw LeaflogError(
        .ambiguous, "“\(shortened(nameOrID))” could be the id of any of \(found.count) tokens.",
        remedy: .listTokens)
    }
    throw LeaflogError(
      .notFound, "No token is called “\(shortened(nameOrID))”.", remedy: .listTokens)
  }

  mutating func add(_ token: Token) throws(LeaflogError) {
    guard !tokens.contains(where: { foldedName($0.name) == foldedName(token.name) }) else {
      throw LeaflogError(.nameTaken, "There is a token with the name “\(token.name)” already.")
    }
    tokens.append(token)
  }

  /// Removes a token and its sessions.
  mutating func removeToken(at index: Int) -> Token {
    let token = tokens.remove(at: index)
    sessions.removeAll { $0.token == token.id }
    return token
  }

  /// Adds a session. Removes expired ones and, if the token has too many, the least recently used.
  mutating func begin(_ session: Session, at now: Timestamp) {
    sessions.removeAll { $0.isOver(at: now) }
    let others = sessions.filter { $0.token == session.token }
    if others.count >= Self.maxSessionCount,
      let oldest = others.min(by: { $0.lastUsedAt < $1.lastUsedAt })
    {
      sessions.removeAll { $0.digest == oldest.digest }
    }
    sessions.append(session)
  }

  /// Records the use of a token, and of the session it was used through, if any.
  mutating func noteUse(of token: String, session: SecretDigest?, at now: Timestamp) {
    for index in tokens.indices where tokens[index].id == token {
      tokens[index].lastUsedAt = now.milliseconds
    }
    for index in sessions.indices where sessions[index].digest == session {
      sessions[index].lastUsedAt = now.milliseconds
    }
  }
}

extension AccessToken {
  init(_ token: AccessRecord.Token) {
    self.init(
      id: TokenID(stored: token.id), name: token.name,
      createdAt: Timestamp(milliseconds: token.createdAt),
      lastUsedAt: token.lastUsedAt.map { Timestamp(milliseconds: $0) })
  }
}

extension AccessRecord {
  /// The maximum number of valid links; one more ends the oldest.
  static let maxPairingCount = 20

  /// A link with which a single device gets a token.
  struct Pairing: Codable, Equatable {
    /// The name of the token.
    let name: String
    let digest: SecretDigest
    let beganAt: Int64

    /// Whether it has expired; it also counts as expired if the clock was set back.
    func isOver(at now: Timestamp) -> Bool {
      now.milliseconds < beganAt
        || now.milliseconds >= beganAt.addingSaturated(LibraryTokens.pairingMilliseconds)
    }
  }

  /// The valid pairing with this secret. Compares all of them, so that timing reveals nothing.
  func pairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found: Pairing? = (pairings ?? []).reduce(nil) { $1.digest.isEqual(digest) ? $1 : $0 }
    return found.flatMap { $0.isOver(at: now) ? nil : $0 }
  }

  mutating func begin(_ pairing: Pairing, at now: Timestamp) {
    let others = (pairings ?? []).filter { !$0.isOver(at: now) }
    pairings = others.suffix(Self.maxPairingCount - 1) + [pairing]
  }

  /// Removes the pairing with this secret, and all that have expired.
  mutating func endPairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found = pairing(digest, at: now)
    pairings?.removeAll { $0.isOver(at: now) || $0.digest.isEqual(digest) }
    if pairings?.isEmpty == true { pairings = nil }
    return found
  }

  /// The name if no token has it, otherwise the name with the first free number appended.
  func freeName(like name: String) -> String {
    let taken = Set(tokens.map { foldedName($0.name) })
    guard taken.contains(foldedName(name)) else { return name }
    let numbered = (2...).lazy.map { "\(name.prefix(190)) \($0)" }
    return numbered.first { !taken.contains(foldedName($0)) } ?? name
  }
}

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
