/// Permission to use the library's service, granted to whoever has the token's secret.
public struct AccessToken: Sendable, Hashable, Identifiable {
  /// Identifies the token.
  public let id: TokenID
  /// The name of a person, a device or a program; unique in a library, regardless of case.
  public let name: String
  /// When it was created.
  public let createdAt: Timestamp
  /// When it or one of its sessions was last used, to the hour; nil if never.
  public let lastUsedAt: Timestamp?
  /// The contents of the calendar that is all it grants access to; nil for a token of the service.
  public let calendar: CalendarContents?
  /// Its scope and its last day; a calendar has only the day.
  public let grant: AccessGrant

  /// Its scope; everything for a calendar, which opens no route of the service.
  public var scope: AccessScope { grant.scope }

  /// The token as the sender of photos.
  package var asSender: SenderToken {
    SenderToken(id: id.description, name: name, isSendOnly: !scope.includes(.readPhotos))
  }

  /// Whether it is valid on a day.
  public func isValid(on day: LocalDay) -> Bool { grant.lastDay.map { day <= $0 } ?? true }
}

/// The contents of a calendar that other programs subscribe to.
@nonexhaustive
public enum CalendarContents: String, Sendable, CaseIterable {
  /// The reminder, activities, and the days on which they were done.
  case care
  /// The same with symptoms, episodes, moods and daily logs.
  case health
}

/// A browser's session with the service. It is begun with a token and has a secret of its own.
package struct AccessSession: Sendable, Hashable {
  /// The token it was begun with; the session ends when that is revoked.
  package let token: AccessToken
  /// When it was begun.
  package let beganAt: Timestamp
  /// When it was last used, to the hour.
  package let lastUsedAt: Timestamp
}

/// The access tokens of a library. Whoever has the secret of one may use the library over the network.
///
/// A value caches the tokens until they change, so a server should keep one value.
public struct LibraryTokens: LibrarySection {
  let library: Library
  let file: AccessFile

  init(library: Library) {
    self.library = library
    file = AccessFile(library.layout, library.disk)
  }

  private init(_ other: LibraryTokens, in library: Library) {
    (self.library, file) = (library, other.file)
  }

  /// The same tokens, with the days of the library as it is now: its zone may have changed.
  package func with(_ library: Library) -> LibraryTokens { LibraryTokens(self, in: library) }
}

/// A token that was added, with its secret.
public struct AddedToken: Sendable, Hashable {
  /// The token.
  public let token: AccessToken
  /// Its secret, which is not stored and cannot be shown again.
  public let secret: String
}

extension LibraryTokens {
  /// Whether other users of this machine may read the file with the tokens and sessions. It has their digests, from which
  /// no secret can be told (RFC 6234), and the names of people and devices.
  package var isOpenToOthers: Bool { file.isOpenToOthers }

  /// All tokens by name.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  public func all() throws(LeaflogError) -> [AccessToken] {
    try file.read().record.all.sorted {
      (foldedName($0.name), $0.name) < (foldedName($1.name), $1.name)
    }
  }

  /// Adds a token.
  ///
  /// - Parameters:
  ///   - name: the name of a person, a device or a program: one line of at most 200 characters.
  ///   - calendar: the contents of the calendar that is all it grants access to; nil for a token of the service.
  ///   - grant: what it may do and until when, unless it is only for a calendar.
  ///   - giver: the token that it is made with, which never gives more than it has; nil for the library's owner.
  /// - Returns: the token, and its secret, which is not stored and cannot be shown again.
  /// - Throws: `LeaflogError` with code `nameTaken` when another token has the name, regardless of case, and
  ///   `invalidRequest` when it would grant more than its giver has.
  public func add(
    _ name: String, calendar: CalendarContents? = nil, grant: AccessGrant = .everything,
    by giver: AccessToken? = nil
  ) throws(LeaflogError) -> AddedToken {
    try translating {
      try check(grant, by: giver)
      let secret = AccessSecret.make(calendar == nil ? "leaflog_" : "leaflog_calendar_")
      guard let digest = SecretDigest(of: secret) else { preconditionFailure("it is a secret") }
      let token = AccessRecord.Token(
        id: TokenID.random().description, name: try oneLine(name, field: "name", upTo: 200),
        digest: digest, createdAt: moment.milliseconds, grant: StoredGrant(grant))
      try update { try $0.add(token, calendar: calendar) }
      return AddedToken(token: AccessToken(token, calendar: calendar), secret: secret)
    }
  }

  /// Adds the first token, `first`, with a secret that somebody has chosen for it, unless that is a secret which was added
  /// in this way before and has been revoked.
  ///
  /// - Parameter secret: 32 to 128 visible characters of ASCII. Their digest is fast to compute, which only protects what
  ///   cannot be guessed.
  /// - Throws: `LeaflogError` with code `invalidRequest` for another secret, and `conflict` when there is a token.
  public func addFirst(secret: String) throws(LeaflogError) -> AccessToken {
    guard (32...AccessSecret.maxLength).contains(secret.utf8.count),
      secret.utf8.allSatisfy({ (33...126).contains($0) }), let digest = SecretDigest(of: secret)
    else {
      throw .invalid(
        "The secret of a first token is one line of 32 to \(AccessSecret.maxLength) letters, digits and signs."
      )
    }
    let now = moment
    return try update { record throws(LeaflogError) in
      guard record.tokens.isEmpty else {
        throw LeaflogError(.conflict, "There is a token already.")
      }
      guard record.firstSecret != digest else {
        throw LeaflogError(
          .conflict, "The secret of the first token has been revoked. Choose another one.")
      }
      let token = AccessRecord.Token(
        id: TokenID.random().description, name: record.freeName(like: "first"), digest: digest,
        createdAt: now.milliseconds, grant: StoredGrant(.everything))
      try record.add(token, calendar: nil)
      record.firstSecret = digest
      return AccessToken(token, calendar: nil)
    }
  }

  func update<Value>(
    _ body: (inout AccessRecord) throws -> Value
  ) throws(LeaflogError) -> Value {
    try library.checkAlone()
    return try file.update(body)
  }

  private func check(_ grant: AccessGrant, by giver: AccessToken?) throws(LeaflogError) {
    guard let giver, !giver.grant.includes(grant) else { return }
    throw .invalid("A token cannot give more than it has, nor for longer.")
  }

  /// Revokes a token and ends its sessions. This takes effect at once, even in a running server.
  ///
  /// - Returns: the token as it was.
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  @discardableResult
  public func revoke(_ id: TokenID) throws(LeaflogError) -> AccessToken {
    try revoke { record throws(LeaflogError) in try record.token(id) }
  }

  /// The same for the token with a name, regardless of case, or with an id or an unambiguous prefix of it.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  @discardableResult
  public func revoke(matching nameOrID: String) throws(LeaflogError) -> AccessToken {
    try revoke { record throws(LeaflogError) in try record.named(nameOrID) }
  }

  private func revoke(
    _ find: (AccessRecord) throws(LeaflogError) -> AccessToken
  ) throws(LeaflogError) -> AccessToken {
    try update { record throws(LeaflogError) in
      let token = try find(record)
      record.remove(token.id)
      return token
    }
  }

  /// The token with this id.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func find(_ id: TokenID) throws(LeaflogError) -> AccessToken {
    try file.read().record.token(id)
  }

  /// The token with this name, regardless of case, or with this id or an unambiguous prefix of it.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func find(matching nameOrID: String) throws(LeaflogError) -> AccessToken {
    try file.read().record.named(nameOrID)
  }

  /// The token with exactly this name, regardless of case; nil when there is none.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func named(_ name: String) throws(LeaflogError) -> AccessToken? {
    let wanted = foldedName(name.tidied ?? "")
    return try file.read().record.all.first { foldedName($0.name) == wanted }
  }

  /// The token with this secret; nil when there is none. Records the use.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  public func holder(of secret: String) throws(LeaflogError) -> AccessToken? {
    guard let digest = SecretDigest(of: secret),
      let holder = try file.read().token(digest, on: library.calendarDay)
    else { return nil }
    if isWorthNoting(holder.stored.lastUsedAt) {
      file.updateIfPossible { $0.noteUse(of: holder.stored.id, session: nil, at: moment) }
    }
    return holder.token
  }

  /// The token with this secret, if that can be told by the file's status alone; otherwise `holder(of:)` finds it, which may
  /// wait for the disk.
  package func holderAtOnce(of secret: String) -> AccessToken? {
    guard let digest = SecretDigest(of: secret), let index = file.unchanged,
      let holder = index.token(digest, on: library.calendarDay), holder.stored.isEndless,
      !isWorthNoting(holder.stored.lastUsedAt)
    else { return nil }
    return holder.token
  }

  /// The same for the secret of a session.
  package func sessionHolderAtOnce(of secret: String) -> AccessToken? {
    guard let digest = SecretDigest(of: secret), let index = file.unchanged,
      let (session, holder) = index.session(digest, on: library.calendarDay),
      holder.stored.isEndless, !session.isOver(at: moment), !isWorthNoting(session.lastUsedAt)
    else { return nil }
    return holder.token
  }

  /// The contents of the calendar with this secret; nil when there is none. Records the use.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  public func calendar(of secret: String) throws(LeaflogError) -> CalendarContents? {
    guard let digest = SecretDigest(of: secret),
      let found = try file.read().calendar(digest, on: library.calendarDay)
    else { return nil }
    if isWorthNoting(found.token.lastUsedAt) {
      file.updateIfPossible { $0.noteUse(of: found.token.id, session: nil, at: moment) }
    }
    return CalendarContents(rawValue: found.contents)
  }

  /// Whether any token opens the service.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func isAnyOfService() throws(LeaflogError) -> Bool {
    try !file.read().record.tokens.isEmpty
  }

  /// Whether a use should be recorded: times of use are kept to the hour, as each write waits for the disk. One in the
  /// future was recorded under a wrong clock; a session would last until long after it.
  private func isWorthNoting(_ lastUse: Int64?) -> Bool {
    let now = moment.milliseconds
    return lastUse.map { now >= $0.addingSaturated(3_600_000) || $0 > now } ?? true
  }
}

/// Browser sessions.
extension LibraryTokens {
  /// How long a session stays valid after its last use.
  static let sessionMilliseconds: Int64 = 90 * 86_400_000

  /// Begins a session. If the token has too many, the one used least recently ends.
  ///
  /// - Returns: its secret, which is not stored.
  /// - Throws: `LeaflogError` with code `notFound` when the token no longer exists.
  package func beginSession(_ token: TokenID) throws(LeaflogError) -> String {
    let secret = AccessSecret.make("leaflog_session_")
    guard let digest = SecretDigest(of: secret) else { preconditionFailure("it is a secret") }
    let now = moment
    try update { record in
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
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func session(of secret: String) throws(LeaflogError) -> AccessSession? {
    guard let digest = SecretDigest(of: secret),
      let (session, holder) = try file.read().session(digest, on: library.calendarDay),
      !session.isOver(at: moment)
    else { return nil }
    if isWorthNoting(session.lastUsedAt) {
      file.updateIfPossible { $0.noteUse(of: holder.stored.id, session: digest, at: moment) }
    }
    return AccessSession(
      token: holder.token, beganAt: Timestamp(milliseconds: session.beganAt),
      lastUsedAt: Timestamp(milliseconds: session.lastUsedAt))
  }

  /// Ends a session, if there is one with this secret.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be written.
  package func endSession(_ secret: String) throws(LeaflogError) {
    guard let digest = SecretDigest(of: secret) else { return }
    try update { $0.endSessions { $0.digest == digest } }
  }
}

/// Pairing of devices by link.
extension LibraryTokens {
  /// How long a link is valid.
  static let pairingMilliseconds: Int64 = 600_000

  /// Begins a pairing: the first device that presents the secret within ten minutes gets access.
  ///
  /// - Parameters:
  ///   - name: the name of the token that the device gets: one line of at most 200 characters. If another token has the
  ///     name by then, a number is appended.
  ///   - grant: what the token may do, and until when.
  ///   - giver: the token that it is made with, which never gives more than it has; nil for the library's owner.
  /// - Returns: the secret, which is not stored, and the time at which it expires.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a name of several lines or more characters, and when the
  ///   token would grant more than its giver has.
  package func beginPairing(
    _ name: String, grant: AccessGrant = .everything, by giver: AccessToken? = nil
  ) throws(LeaflogError) -> (secret: String, endsAt: Timestamp) {
    try translating {
      try check(grant, by: giver)
      return try begin(try oneLine(name, field: "name", upTo: 200), StoredGrant(grant), token: nil)
    }
  }

  /// Begins a pairing by which a device comes back as itself: it gets another session with a token that exists.
  ///
  /// - Parameter giver: the token that it is made with, which never gives more than it has; nil for the library's owner.
  /// - Returns: the secret, which is not stored, and the time at which it expires.
  /// - Throws: `LeaflogError` with code `notFound` when there is no such token, and `invalidRequest` when it only opens a
  ///   calendar, or grants more than the giver has.
  package func beginPairing(
    with id: TokenID, by giver: AccessToken? = nil
  ) throws(LeaflogError) -> (secret: String, endsAt: Timestamp) {
    let token = try find(id)
    guard token.calendar == nil else {
      throw .invalid("“\(token.name)” opens only a calendar, with which no device signs in.")
    }
    try check(token.grant, by: giver)
    return try begin(token.name, StoredGrant(token.grant), token: id)
  }

  private func begin(
    _ name: String, _ grant: StoredGrant?, token: TokenID?
  ) throws(LeaflogError) -> (secret: String, endsAt: Timestamp) {
    let secret = AccessSecret.make("", byteCount: 16)
    guard let digest = SecretDigest(of: secret) else { preconditionFailure("it is a secret") }
    let now = moment
    let pairing = AccessRecord.Pairing(
      name: name, digest: digest, beganAt: now.milliseconds, grant: grant,
      token: token?.description)
    try update { $0.begin(pairing, at: now) }
    return (secret, now.advanced(byMilliseconds: Self.pairingMilliseconds))
  }

  /// Completes a pairing: the device gets a token whose own secret nobody knows, or the one that it had, and a session with
  /// it.
  ///
  /// - Returns: the token and the session's secret, which is not stored; nil when there is no such pairing, it has
  ///   expired, or its token is gone.
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be written.
  package func pair(
    _ secret: String
  ) throws(LeaflogError) -> (token: AccessToken, session: String)? {
    // Wrong secrets do not wait for the lock.
    guard let digest = SecretDigest(of: secret),
      try file.read().record.pairing(digest, at: moment) != nil
    else { return nil }
    let session = AccessSecret.make("leaflog_session_")
    guard let sessionDigest = SecretDigest(of: session),
      let unknown = SecretDigest(of: AccessSecret.make("leaflog_"))
    else { preconditionFailure("they are secrets") }
    let now = moment
    let token = try update { record -> AccessToken? in
      guard let pairing = record.endPairing(digest, at: now) else { return nil }
      let token: AccessRecord.Token
      if let id = pairing.token {
        guard let known = record.tokens.first(where: { $0.id == id }) else { return nil }
        token = known
      } else {
        token = AccessRecord.Token(
          id: TokenID.random().description, name: record.freeName(like: pairing.name),
          digest: unknown, createdAt: now.milliseconds, lastUsedAt: now.milliseconds,
          grant: pairing.grant)
        try record.add(token)
      }
      record.begin(
        AccessRecord.Session(
          token: token.id, digest: sessionDigest, beganAt: now.milliseconds,
          lastUsedAt: now.milliseconds), at: now)
      return AccessToken(token)
    }
    return token.map { ($0, session) }
  }

  /// Whether any link is still valid.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func isPairing() throws(LeaflogError) -> Bool {
    let now = moment
    return try file.read().record.pairings?.contains { !$0.isOver(at: now) } ?? false
  }
}
