package import Leaflog

/// An access token in JSON.
package struct TokenDocument: Encodable {
  let id: String
  let name: String
  let createdAt: String
  let lastUsedAt: String?
  /// The secret, present only for a new token.
  let secret: String?

  package init(_ token: AccessToken, secret: String? = nil) {
    id = token.id.description
    name = token.name
    createdAt = RecordedTime.instant(token.createdAt).iso8601
    lastUsedAt = token.lastUsedAt.map { RecordedTime.instant($0).iso8601 }
    self.secret = secret
  }
}
