/// The access tokens of a library. Whoever has the secret of one may use the library over the network.
///
/// A value caches the tokens until they change, so a server should keep one value.
public struct LibraryTokens: LibraryFace {
  let library: Library
  let file: AccessFile

  init(library: Library) {
    self.library = library
    file = AccessFile(library.layout, library.disk)
  }
}

extension LibraryTokens {
  /// All tokens by name.
  public func all() throws(LeaflogError) -> [AccessToken] {
    try file.read().tokens.map(AccessToken.init).sorted {
      (foldedName($0.name), $0.name) < (foldedName($1.name), $1.name)
    }
  }

  /// Adds a token.
  ///
  /// - Parameter name: the name of a person, a device or a program: one line of at most 200 characters.
  /// - Returns: the token, and its secret, which is not stored and cannot be shown again.
  /// - Throws: `LeaflogError` with code `nameTaken` when another token has the name, regardless of case.
  public func add(_ name: String) throws(LeaflogError) -> (token: AccessToken, secret: String) {
    try translating {
      let secret = AccessSecret.make("leaflog_")
      guard let digest = SecretDigest(of: secret) else { preconditionFailure("it is a secret") }
      let token = AccessRecord.Token(
        id: TokenID.random().description, name: try oneLine(name, field: "name", upTo: 200),
        digest: digest, createdAt: moment.milliseconds)
      try file.update { try $0.add(token) }
      return (AccessToken(token), secret)
    }
  }

  /// Revokes a token and ends its sessions. This takes effect at once, even in a running server.
  ///
  /// - Parameter nameOrID: its name, regardless of case, or its id or an unambiguous prefix of it.
  /// - Returns: the token as it was.
  @discardableResult
  public func revoke(_ nameOrID: String) throws(LeaflogError) -> AccessToken {
    try file.update { record in
      AccessToken(record.removeToken(at: try record.index(of: nameOrID)))
    }
  }

  /// The token with this secret; nil when there is none. Records the use.
  public func holder(of secret: String) throws(LeaflogError) -> AccessToken? {
    guard let digest = SecretDigest(of: secret), let token = try file.read().token(digest) else {
      return nil
    }
    if isWorthNoting(token.lastUsedAt) {
      file.updateIfPossible { $0.noteUse(of: token.id, session: nil, at: moment) }
    }
    return AccessToken(token)
  }

  /// Whether a use should be recorded: times of use are kept to the hour, as each write waits for the disk. One in the
  /// future was recorded under a wrong clock; a session would last until long after it.
  func isWorthNoting(_ lastUse: Int64?) -> Bool {
    let now = moment.milliseconds
    return lastUse.map { now >= $0.addingSaturated(3_600_000) || $0 > now } ?? true
  }
}
