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
