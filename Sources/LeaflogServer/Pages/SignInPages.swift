internal import Foundation
internal import HTTPTypes
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
      let back = TypedForm(
        values: Dictionary(grouping: try encodedFields(request.uri.query ?? ""), by: \.name)
          .mapValues { $0.map(\.value) }
      ).back
      // With a session, a page that was asked for without its cookie is asked for again.
      if let back, try await !authenticator.needsToken(request) { return Response(seeing: back) }
      return page(request, back: back ?? "/")
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

  /// The answer to a browser that asks for a page without a valid session, or sends a form. It leads to the page to sign
  /// in, which returns to the requested page, or from a form to the first one.
  ///
  /// A browser does not send the session's cookie with a link on another site (`SameSite=Strict`, RFC 6265bis, 5.2). It does
  /// with what this answer makes it ask for, without scripts, too, as that is an address of this site's own; the page to
  /// sign in knows by the cookie whether there is a session. A redirect would still count as the other site's link.
  static func answer(to request: Request, _ problem: Problem) -> Response {
    let isForm = request.method != .get && request.method != .head
    let path = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
    let address = PageAddress("/sign-in", [("back", isForm ? "/" : path)]).text
    if isForm { return Response(seeing: address) }
    let reader = PlainReader(request)
    var response = Response(
      screen: ErrorPage(signingInAt: address, reader), reader.words, problem.status)
    response.headers.append(contentsOf: problem.headers)
    response.headers[.refresh] = "0; url=\(address)"
    return response
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

extension HTTPField.Name {
  /// After a number of seconds, a browser asks for another address (HTML, 7.4.2.3.4, The Refresh header).
  static let refresh = Self("Refresh")!
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
