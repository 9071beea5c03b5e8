/// Browser sessions.
extension LibraryTokens {
  /// How long a session stays valid after its last use.
  public static let sessionLifetime = Duration.milliseconds(sessionMilliseconds)

  static let sessionMilliseconds: Int64 = 90 * 86_400_000

  /// Begins a session, and removes expired ones.
  ///
  /// - Returns: its secret, which is not stored.
  /// - Throws: `LeaflogError` with code `notFound` when the token no longer exists.
  public func beginSession(_ token: TokenID) throws(LeaflogError) -> String {
    let secret = AccessSecret.make("leaflog_session_")
    guard let digest = SecretDigest(of: secret) else { preconditionFailure("it is a secret") }
    let now = moment
    try file.update { record in
      guard record.tokens.contains(where: { $0.id == token.description }) else {
        throw LeaflogError(.notFound, "There is no such token any more.", remedy: .listTokens)
      }
      let session = AccessRecord.Session(
        token: token.description, digest: digest, beganAt: now.milliseconds,
        lastUsedAt: now.milliseconds)
      record.begin(session, at: now)
    }
    return secret
  }

  /// The session with this secret; nil when there is none or it has expired. Records the use.
  public func session(of secret: String) throws(LeaflogError) -> AccessSession? {
    guard let digest = SecretDigest(of: secret),
      let (session, token) = try file.read().session(digest), !session.isOver(at: moment)
    else { return nil }
    if isWorthNoting(session.lastUsedAt) {
      file.updateIfPossible { $0.noteUse(of: token.id, session: digest, at: moment) }
    }
    return AccessSession(
      token: AccessToken(token), beganAt: Timestamp(milliseconds: session.beganAt),
      lastUsedAt: Timestamp(milliseconds: session.lastUsedAt))
  }

  /// Ends a session, if there is one with this secret.
  public func endSession(_ secret: String) throws(LeaflogError) {
    guard let digest = SecretDigest(of: secret) else { return }
    try file.update { $0.sessions.removeAll { $0.digest.isEqual(digest) } }
  }
}
