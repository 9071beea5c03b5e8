/// Pairing of devices by link.
extension LibraryTokens {
  /// How long a link is valid.
  public static let pairingLifetime = Duration.milliseconds(pairingMilliseconds)

  static let pairingMilliseconds: Int64 = 600_000

  /// Begins a pairing: the first device that presents the secret within `pairingLifetime` gets access.
  ///
  /// - Parameter name: the name of the token that the device gets: one line of at most 200 characters. If another
  ///   token has the name by then, a number is appended.
  /// - Returns: the secret, which is not stored, and the time at which it expires.
  public func beginPairing(
    _ name: String
  ) throws(LeaflogError) -> (secret: String, endsAt: Timestamp) {
    try translating {
      let secret = AccessSecret.make("", byteCount: 16)
      guard let digest = SecretDigest(of: secret) else { preconditionFailure("it is a secret") }
      let now = moment
      let pairing = AccessRecord.Pairing(
        name: try oneLine(name, field: "name", upTo: 200), digest: digest,
        beganAt: now.milliseconds)
      try file.update { $0.begin(pairing, at: now) }
      return (secret, now.advanced(byMilliseconds: Self.pairingMilliseconds))
    }
  }

  /// Completes a pairing: the device gets a token whose own secret nobody knows, and a session with it.
  ///
  /// - Returns: the token and the session's secret, which is not stored; nil when there is no such pairing or it has
  ///   expired.
  public func pair(
    _ secret: String
  ) throws(LeaflogError) -> (token: AccessToken, session: String)? {
    // Wrong secrets do not wait for the lock.
    guard let digest = SecretDigest(of: secret),
      try file.read().pairing(digest, at: moment) != nil
    else { return nil }
    let session = AccessSecret.make("leaflog_session_")
    guard let sessionDigest = SecretDigest(of: session),
      let unknown = SecretDigest(of: AccessSecret.make("leaflog_"))
    else { preconditionFailure("they are secrets") }
    let now = moment
    let token = try file.update { record -> AccessToken? in
      guard let pairing = record.endPairing(digest, at: now) else { return nil }
      let token = AccessRecord.Token(
        id: TokenID.random().description, name: record.freeName(like: pairing.name),
        digest: unknown, createdAt: now.milliseconds, lastUsedAt: now.milliseconds)
      try record.add(token)
      record.begin(
        AccessRecord.Session(
          token: token.id, digest: sessionDigest, beganAt: now.milliseconds,
          lastUsedAt: now.milliseconds), at: now)
      return AccessToken(token)
    }
    return token.map { ($0, session) }
  }

  /// Whether any link is still valid.
  public func isPairing() throws(LeaflogError) -> Bool {
    let now = moment
    return try file.read().pairings?.contains { !$0.isOver(at: now) } ?? false
  }
}
