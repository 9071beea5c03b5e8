internal import Foundation
internal import Hashing

/// The contents of `access.json`. Times are milliseconds since 1970.
struct AccessRecord: Codable, Equatable {
  /// 2 since tokens may be limited: earlier versions would take a limited one for one that is not.
  static let currentFormat = 2
  /// The maximum number of sessions per token; one more ends the least recently used.
  static let maxSessionCount = 100

  struct Token: Codable, Equatable {
    let id: String
    let name: String
    let digest: SecretDigest
    let createdAt: Int64
    var lastUsedAt: Int64?
    /// Nil for everything.
    var grant: StoredGrant?

    /// Whether it is valid on any day.
    var isEndless: Bool { grant?.until == nil }

    /// Whether it grants anything on a day.
    func isValid(on day: @autoclosure () -> LocalDay) -> Bool {
      guard let grant else { return true }
      return grant.grant.map { $0.lastDay.map { day() <= $0 } ?? true } ?? false
    }
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

  /// A token that only reads a calendar. Versions that know none of these must not take one for a token.
  struct Calendar: Codable, Equatable {
    var token: Token
    let contents: String
  }

  var format = currentFormat
  var tokens: [Token] = []
  var sessions: [Session] = []
  /// Nil when there are none, as in files written before pairings existed.
  var pairings: [Pairing]?
  /// Nil when there are none, as in files written before they existed.
  var calendars: [Calendar]?
  /// The devices that get messages; nil before the first one.
  var push: PushRecord?
  /// The secret of the last token that was added because there was none. Once it has been revoked, it opens nothing more.
  var firstSecret: SecretDigest?

  /// The tokens and calendars as users know them.
  var all: [AccessToken] {
    tokens.map { AccessToken($0) }
      + (calendars ?? []).map {
        AccessToken($0.token, calendar: CalendarContents(rawValue: $0.contents) ?? .care)
      }
  }

  /// The token or calendar with this id.
  func token(_ id: TokenID) throws(LeaflogError) -> AccessToken {
    guard let token = all.first(where: { $0.id == id }) else {
      throw LeaflogError(.notFound, "No token has the id “\(id)”.", remedy: .listTokens)
    }
    return token
  }

  /// The token or calendar with this name, regardless of case, or this id or an unambiguous prefix of it.
  func named(_ nameOrID: String) throws(LeaflogError) -> AccessToken {
    let wanted = foldedName(nameOrID.tidied ?? "")
    if let token = all.first(where: { foldedName($0.name) == wanted }) { return token }
    let found = all.filter { !wanted.isEmpty && $0.id.description.hasPrefix(wanted) }
    if let token = found.first, found.count == 1 { return token }
    guard found.isEmpty else {
      throw LeaflogError(
        .ambiguous, "“\(shortened(nameOrID))” could be the id of any of \(found.count) tokens.",
        remedy: .listTokens)
    }
    throw LeaflogError(
      .notFound, "No token is called “\(shortened(nameOrID))”.", remedy: .listTokens)
  }

  /// - Parameter calendar: what a calendar contains; nil for a token that grants access to everything.
  mutating func add(
    _ token: Token, calendar: CalendarContents? = nil
  ) throws(LeaflogError) {
    guard !all.contains(where: { foldedName($0.name) == foldedName(token.name) }) else {
      throw LeaflogError(.nameTaken, "There is a token with the name “\(token.name)” already.")
    }
    if let calendar {
      calendars = (calendars ?? []) + [Calendar(token: token, contents: calendar.rawValue)]
    } else {
      tokens.append(token)
    }
  }

  /// Removes a calendar, or a token and its sessions.
  mutating func remove(_ token: TokenID) {
    let id = token.description
    tokens.removeAll { $0.id == id }
    endSessions { $0.token == id }
    push?.devices.removeAll { $0.token == id }
    pairings?.removeAll { $0.token == id }
    if pairings?.isEmpty == true { pairings = nil }
    calendars?.removeAll { $0.token.id == id }
    if calendars?.isEmpty == true { calendars = nil }
  }

  /// Adds a session and, if the token has too many, removes the least recently used. An expired one stays until then: the
  /// clock may be ahead, and it counts again under a right one. A use in the future counts as one now.
  mutating func begin(_ session: Session, at now: Timestamp) {
    let others = sessions.filter { $0.token == session.token }
    if others.count >= Self.maxSessionCount,
      let oldest = others.min(by: {
        min($0.lastUsedAt, now.milliseconds) < min($1.lastUsedAt, now.milliseconds)
      })
    {
      endSessions { $0.digest == oldest.digest }
    }
    sessions.append(session)
  }

  /// Removes sessions, and the devices that were added through them.
  mutating func endSessions(where isEnding: (Session) -> Bool) {
    let ending = Set(sessions.filter(isEnding).map(\.digest))
    sessions.removeAll { ending.contains($0.digest) }
    push?.devices.removeAll { $0.session.map(ending.contains) ?? false }
  }

  /// Records the use of a token, and of the session it was used through, if any, or of a calendar.
  mutating func noteUse(of token: String, session: SecretDigest?, at now: Timestamp) {
    for index in (calendars ?? []).indices where calendars?[index].token.id == token {
      calendars?[index].token.lastUsedAt = now.milliseconds
    }
    for index in tokens.indices where tokens[index].id == token {
      tokens[index].lastUsedAt = now.milliseconds
    }
    for index in sessions.indices where sessions[index].digest == session {
      sessions[index].lastUsedAt = now.milliseconds
    }
  }
}

/// A record with its secrets by their digests, so that a request costs a lookup however many there are.
struct AccessIndex: Sendable {
  /// A token of the service, and what it is to users.
  struct Holder {
    let stored: AccessRecord.Token
    let token: AccessToken
  }

  let record: AccessRecord
  private let tokens: [SecretDigest: Holder]
  private let sessions: [SecretDigest: (session: AccessRecord.Session, holder: Holder)]
  private let calendars: [SecretDigest: AccessRecord.Calendar]

  init(_ record: AccessRecord) {
    self.record = record
    let holders = record.tokens.map { Holder(stored: $0, token: AccessToken($0)) }
    tokens = Dictionary(holders.map { ($0.stored.digest, $0) }) { _, last in last }
    let byID = Dictionary(holders.map { ($0.stored.id, $0) }) { first, _ in first }
    let sessions = record.sessions.compactMap { session in
      byID[session.token].map { (session.digest, (session, $0)) }
    }
    self.sessions = Dictionary(sessions) { _, last in last }
    calendars = Dictionary((record.calendars ?? []).map { ($0.token.digest, $0) }) { $1 }
  }

  /// The token with this secret that is valid on a day.
  func token(_ digest: SecretDigest, on day: @autoclosure () -> LocalDay) -> Holder? {
    tokens[digest].flatMap { $0.stored.isValid(on: day()) ? $0 : nil }
  }

  /// The session with this secret, with its token, which is valid on a day.
  func session(
    _ digest: SecretDigest, on day: @autoclosure () -> LocalDay
  ) -> (session: AccessRecord.Session, holder: Holder)? {
    sessions[digest].flatMap { $0.holder.stored.isValid(on: day()) ? $0 : nil }
  }

  /// The calendar with this secret that is valid on a day.
  func calendar(
    _ digest: SecretDigest, on day: @autoclosure () -> LocalDay
  ) -> AccessRecord.Calendar? {
    calendars[digest].flatMap { $0.token.isValid(on: day()) ? $0 : nil }
  }
}

extension AccessToken {
  init(_ token: AccessRecord.Token, calendar: CalendarContents? = nil) {
    self.init(
      id: TokenID(stored: token.id), name: token.name,
      createdAt: Timestamp(milliseconds: token.createdAt),
      lastUsedAt: token.lastUsedAt.map { Timestamp(milliseconds: $0) }, calendar: calendar,
      grant: token.grant.map { $0.grant ?? .nothing } ?? .everything)
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
    /// Nil for everything.
    var grant: StoredGrant?
    /// The id of the token with which the device gets a session; nil for a new one.
    var token: String?

    /// Whether it has expired; it also counts as expired if the clock was set back.
    func isOver(at now: Timestamp) -> Bool {
      now.milliseconds < beganAt
        || now.milliseconds >= beganAt.addingSaturated(LibraryTokens.pairingMilliseconds)
    }
  }

  /// The valid pairing with this secret.
  func pairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    pairings?.first { $0.digest == digest && !$0.isOver(at: now) }
  }

  mutating func begin(_ pairing: Pairing, at now: Timestamp) {
    let others = (pairings ?? []).filter { !$0.isOver(at: now) }
    pairings = others.suffix(Self.maxPairingCount - 1) + [pairing]
  }

  /// Removes the pairing with this secret, and all that have expired.
  mutating func endPairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found = pairing(digest, at: now)
    pairings?.removeAll { $0.isOver(at: now) || $0.digest == digest }
    if pairings?.isEmpty == true { pairings = nil }
    return found
  }

  /// The name if no token has it, otherwise the name with the first free number appended.
  func freeName(like name: String) -> String {
    let taken = Set(all.map { foldedName($0.name) })
    guard taken.contains(foldedName(name)) else { return name }
    let numbered = (2...).lazy.map { "\(name.prefix(190)) \($0)" }
    return numbered.first { !taken.contains(foldedName($0)) } ?? name
  }
}

/// The secrets of tokens, sessions and links: random bytes, in characters that headers, cookies and URLs allow.
enum AccessSecret {
  /// No secret is longer. Bounds the cost of hashing what a client sends.
  static let maxLength = 128

  /// Makes a new secret.
  ///
  /// - Parameters:
  ///   - prefix: tells people and secret scanners what kind of secret it is.
  ///   - byteCount: the number of random bytes; a link shown as a QR code has fewer.
  static func make(_ prefix: String, byteCount: Int = 32) -> String {
    var generator = SystemRandomNumberGenerator()  // the operating system's: getrandom(2)
    let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return prefix + Base64URL.text(bytes)
  }
}

/// The SHA-256 of a secret, by which it is recognised. A slow hash would protect only secrets that people
/// choose. A comparison of digests may take a time that depends on them: to know a digest, or a part of it, does not lead to a
/// random secret.
struct SecretDigest: Hashable, Sendable {
  private let digest: BlobID

  /// Nil for a text that cannot be a secret, as it is empty or too long.
  init?(of secret: String) {
    guard !secret.isEmpty, secret.utf8.count <= AccessSecret.maxLength,
      let digest = BlobID(bytes: SHA256.digest(of: secret.utf8))
    else { return nil }
    self.digest = digest
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
