/// Permission to use the library's service, for whoever has the token's secret.
public struct AccessToken: Sendable, Hashable, Identifiable {
  public let id: TokenID
  /// Of a person, a device or a program; unique in a library without regard to case.
  public let name: String
  public let createdAt: Timestamp
  /// When it was last used, or a session that was begun with it, to the hour; nil while it was not.
  public let lastUsedAt: Timestamp?
}

/// The use of the service by a browser: it was begun with a token, and has a secret of its own.
public struct AccessSession: Sendable, Hashable {
  /// The token that it was begun with, and ends with.
  public let token: AccessToken
  public let beganAt: Timestamp
  /// When it was last used, to the hour.
  public let lastUsedAt: Timestamp
}
