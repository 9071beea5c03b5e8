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
}

/// A browser's session with the service. It is begun with a token and has a secret of its own.
public struct AccessSession: Sendable, Hashable {
  /// The token it was begun with; the session ends when that is revoked.
  public let token: AccessToken
  /// When it was begun.
  public let beganAt: Timestamp
  /// When it was last used, to the hour.
  public let lastUsedAt: Timestamp
}
