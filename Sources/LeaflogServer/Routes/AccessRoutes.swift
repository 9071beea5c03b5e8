internal import Fields
internal import Hummingbird
internal import Leaflog

/// The routes of sessions and tokens.
struct AccessRoutes: Sendable {
  let authenticator: Authenticator

  func add(to api: API) {
    api.get(
      "session", "session", .anyToken, "The current session",
      answers: [.json(.answer(SessionDocument.self))]
    ) {
      answer(about: $0.context.holder)
    }
    api.on(
      .post, "session", "beginSession", .open, "Sign in with a token: sets a cookie",
      key: .refused(remedy: "If the answer is lost, sign in again."),
      body: .json(Body([Self.secret])), answers: [.json(.answer(SessionDocument.self))],
      beginSession)
    api.on(
      .delete, "session", "endSession", .anyToken, "Sign out",
      key: .needless(note: "A repetition finds no session any more."),
      answers: [.empty(.noContent, "Gone")],
      endSession)
    api.get(
      "tokens", "tokens", .administer, "All access tokens; requires a token",
      answers: [.json(.answer(Listing<TokenDocument>.self))], tokens)
    api.on(
      .post, "tokens", "addToken", .administer, "Create a token",
      key: .refused(remedy: "If the answer is lost, revoke the token and create it again."),
      body: .json(Body([Self.name, Self.may, Self.plant, Self.until])),
      answers: [.created(.answer(TokenDocument.self))], addToken)
    api.get(
      "tokens/\(Path.token)", "token", .administer, "A token, without its secret; requires a token",
      answers: [.json(.answer(TokenDocument.self))]
    ) { asked in
      try requireHolder(asked.context)
      let id = try asked.name(Path.token)
      return Response(
        status: .ok, json: TokenDocument(try await authenticator.call { try $0.find(matching: id) })
      )
    }
    api.on(
      .delete, "tokens/\(Path.token)", "revokeToken", .administer,
      "Revoke a token, and end its sessions",
      key: .needless(note: "A repetition finds no token any more (404)."), query: [Self.undoes],
      answers: [.empty(.noContent, "Gone", [.change])], revokeToken)
  }

  private static let secret = Parameter<String>("token", .text, isRequired: true)
  private static let name = Parameter<String>("name", .line(.max), isRequired: true)
  private static let may = Parameter<AccessScope.Extent>(
    "may", .choice, "What it may do: everything, unless this says less.")
  private static let plant = Parameter<String>(
    "plant", .line(.max),
    "The only plant that it is about, by name or id: with photos, send or read.")
  private static let until = Parameter<LocalDay>(
    "until", .day, "The last day on which it is valid.")
  private static let undoes = Parameter<Bool>(
    "undo", .flag, standard: false, "Whether the photos that it sent go to the trash.")

  struct SessionDocument: Shown {
    let token: TokenDocument?
    let requiresToken: Bool

    static let shown = Fields<SessionDocument>([
      // Null where no token is required.
      Field(adding: "token", TokenDocument.shown) { $0.token }.orNull(),
      Field(adding: "requiresToken", .flag) { $0.requiresToken },
    ]).named("Session")
  }

  private func beginSession(_ asked: Asked) async throws -> Response {
    let secret = try await asked.body().known(Self.secret)
    let token = try await authenticator.holder(of: secret, asked.request, asked.context)
    let session = try await authenticator.call { try $0.beginSession(token.id) }
    var response = answer(about: token)
    response.setCookie(
      SessionCookie.make(
        session, isSecure: authenticator.isConnectionSecure(asked.request, asked.context)))
    return response
  }

  private func endSession(_ asked: Asked) async throws -> Response {
    for secret in SessionCookie.secrets(in: asked.request) {
      try await authenticator.call { try $0.endSession(secret) }
    }
    var response = Response(status: .noContent)
    for cookie in SessionCookie.removing(those: asked.request) { response.setCookie(cookie) }
    return response
  }

  private func tokens(_ asked: Asked) async throws -> Response {
    try requireHolder(asked.context)
    let tokens = try await authenticator.call { try $0.all() }
    return Response(
      status: .ok, json: Listing(items: tokens.map { TokenDocument($0) }, next: nil))
  }

  private func addToken(_ asked: Asked) async throws -> Response {
    try requireHolder(asked.context)
    let body = try await asked.body()
    let (name, extent) = (try body.known(Self.name), try body.value(Self.may) ?? .everything)
    let (plant, until) = (try body.value(Self.plant), try body.value(Self.until))
    guard plant == nil || extent.takesPlant else {
      throw Problem(.badRequest, "A plant can be given with photos, send and read.")
    }
    let scope = try await asked.access.read { library in
      AccessScope(extent, plant: try plant.map { try library.plants.reference(matching: $0).id })
    }
    let holder = asked.context.holder
    let added = try await authenticator.call {
      try $0.add(name, grant: AccessGrant(scope, until: until), by: holder)
    }
    var response = Response(
      status: .created, json: TokenDocument(added.token, secret: added.secret))
    response.headers[.location] = "/api/v1/tokens/\(added.token.id)"
    return response
  }

  private func revokeToken(_ asked: Asked) async throws -> Response {
    try requireHolder(asked.context)
    let id = try asked.name(Path.token)
    let undoes = try asked.query.known(Self.undoes)
    let token = try await authenticator.call { try $0.revoke(matching: id) }
    var response = Response(status: .noContent)
    if undoes {
      let change = try await asked.access.deleteSent(by: token, origin: "DELETE /api/v1/tokens")
      response.headers[.leaflogChange] = change.map(String.init)
    }
    return response
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
