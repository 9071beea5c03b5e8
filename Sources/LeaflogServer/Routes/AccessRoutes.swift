internal import Documents
internal import Fields
internal import Hummingbird
internal import Leaflog

/// The routes of sessions and tokens.
struct AccessRoutes: Sendable {
  let authenticator: Authenticator

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("session") { request, context in try session(request, context) }
    group.post("session") { request, context in try await beginSession(request, context) }
    group.delete("session") { request, _ in try await endSession(request) }
    group.get("tokens") { request, context in try await tokens(request, context) }
    group.post("tokens") { request, context in try await addToken(request, context) }
    group.delete("tokens/:id") { request, context in try await revokeToken(request, context) }
  }

  private struct SessionDocument: Shown {
    let token: TokenDocument?
    let requiresToken: Bool

    static let shown = Fields<SessionDocument>([
      // Null where no token is required.
      Field(adding: "token", TokenDocument.shown) { $0.token }.orNull(),
      Field(adding: "requiresToken", .flag) { $0.requiresToken },
    ])
  }

  private func session(_ request: Request, _ context: LeaflogRequestContext) throws -> Response {
    try QueryReader(request).finish()
    return answer(about: context.holder)
  }

  private func beginSession(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    try QueryReader(request).finish()
    let secret = try await BodyReader.text("token", of: request)
    let token = try await authenticator.holder(of: secret, request, context)
    let session = try await authenticator.call { try $0.beginSession(token.id) }
    var response = answer(about: token)
    response.setCookie(
      SessionCookie.make(
        session, isSecure: authenticator.isConnectionSecure(request, context)))
    return response
  }

  private func endSession(_ request: Request) async throws -> Response {
    try QueryReader(request).finish()
    for secret in SessionCookie.secrets(in: request) {
      try await authenticator.call { try $0.endSession(secret) }
    }
    var response = Response(status: .noContent)
    for cookie in SessionCookie.removing(those: request) { response.setCookie(cookie) }
    return response
  }

  private func tokens(_ request: Request, _ context: LeaflogRequestContext) async throws -> Response
  {
    try QueryReader(request).finish()
    try requireHolder(context)
    let tokens = try await authenticator.call { try $0.all() }
    return Response(
      status: .ok, json: Listing(items: tokens.map { TokenDocument($0) }, next: nil))
  }

  private func addToken(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    try QueryReader(request).finish()
    try requireHolder(context)
    let name = try await BodyReader.text("name", of: request)
    let (token, secret) = try await authenticator.call { try $0.add(name) }
    return Response(status: .created, json: TokenDocument(token, secret: secret))
  }

  private func revokeToken(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    try QueryReader(request).finish()
    try requireHolder(context)
    let id = try context.text("id")
    try await authenticator.call { _ = try $0.revoke(id) }
    return Response(status: .noContent)
  }

  /// Requires a token. Where none is needed to read the diary, somebody with another account on this machine could
  /// otherwise create one for later.
  private func requireHolder(_ context: LeaflogRequestContext) throws {
    guard context.holder != nil else { throw Problem.noSecret }
  }

  private func answer(about token: AccessToken?) -> Response {
    Response(
      status: .ok,
      json: SessionDocument(
        token: token.map { TokenDocument($0) },
        requiresToken: authenticator.options.requiresToken))
  }
}
