internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Signing in with a token, and out.
struct SignInPages: Sendable {
  let authenticator: Authenticator

  /// The longest address to go back to, whose bytes may become three each in the form.
  private static let maxBackByteCount = 300

  func add(to routes: ServiceRoutes) {
    routes.on(.get, "sign-in", .open) { request, _ in
      let fields = try encodedFields(request.uri.query ?? "")
      let back = fields.first { $0.name == "back" }?.value ?? "/"
      return page(request, back: back)
    }
    routes.on(.post, "sign-in", .open) { request, context in try await signIn(request, context) }
    routes.on(.post, "sign-out", .anyToken) { request, _ in
      for secret in SessionCookie.secrets(in: request) {
        try await authenticator.call { try $0.endSession(secret) }
      }
      var response = Response(status: .seeOther, headers: [.location: "/sign-in"])
      for cookie in SessionCookie.removing(those: request) { response.setCookie(cookie) }
      return response
    }
  }

  /// The address of the sign-in page, which returns to the requested page afterwards, or from a form to the first one.
  static func address(back request: Request) -> String {
    let path = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
    return PageAddress("/sign-in", [("back", request.method == .get ? path : "/")]).text
  }

  private func page(_ request: Request, back: String, isWrong: Bool = false) -> Response {
    let reader = PlainReader(request)
    // The form takes little: a long address, such as that of a search, is not kept.
    let back = back.utf8.count <= Self.maxBackByteCount ? back : "/"
    return Response(
      screen: SignInPage(reader, back: back, isWrong: isWrong), reader.words,
      isWrong ? .unauthorized : .ok)
  }

  private func signIn(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    let form = try await request.form(context.bodies)
    let back = form.back ?? "/"
    let secret = form["token"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    let token: AccessToken
    do { token = try await authenticator.holder(of: secret, request, context) } catch let problem
      as Problem where problem.status == .unauthorized
    {
      return page(request, back: back, isWrong: true)
    }
    let session = try await authenticator.call { try $0.beginSession(token.id) }
    var response = Response(
      status: .seeOther, headers: [.location: back, .cacheControl: "no-store"])
    response.setCookie(
      SessionCookie.make(
        session, isSecure: authenticator.isConnectionSecure(request, context)))
    return response
  }
}

extension Request {
  /// Whether the answer is shown in a browser.
  var wantsPage: Bool {
    !uri.path.hasPrefix("/api/") && accepts(mediaType: "text/html")
  }
}

extension PlainReader {
  init(_ request: Request) {
    let query = request.uri.query.map { "?\($0)" } ?? ""
    self.init(
      languages: request.headers[.acceptLanguage].map(AcceptList.ranked) ?? [],
      path: request.uri.path + query,
      appearance: Appearance(cookie: request.cookies[Appearance.cookieName]?.value))
  }
}
