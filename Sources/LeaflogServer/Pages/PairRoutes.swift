internal import Fields
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import Pages

/// The link that pairs a device: a page with a button, and the request that the button sends.
///
/// Opening the page changes nothing, so link previews do not use the link up. Whether the secret is right is revealed
/// only to those who send it, and every wrong one is counted.
struct PairRoutes: Sendable {
  let authenticator: Authenticator

  func add(to routes: ServiceRoutes) {
    routes.on(.get, "pair", .open) { request, _ in
      let query = try QueryReader(request, [Self.code])
      return page(.asking(code: query.text(Self.code) ?? ""), request)
    }
    routes.on(.post, "pair", .open) { request, context in try await pair(request, context) }
  }

  private static let code = Parameter<String>("code", .text)

  private func page(
    _ state: PairPage.State, _ request: Request, _ status: HTTPResponse.Status = .ok
  ) -> Response {
    let reader = PlainReader(request)
    return Response(screen: PairPage(reader, state), reader.words, status)
  }

  private func pair(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    _ = try QueryReader(request)
    guard let code = try await request.form(context.bodies)["code"] else {
      throw Problem(.badRequest, "The form has no “code”.")
    }
    guard let (token, session) = try await authenticator.call({ try $0.pair(code) }) else {
      guard let wait = authenticator.countFailure(request, context) else {
        return page(.refused, request, .forbidden)
      }
      var response = page(.tooMany, request, .tooManyRequests)
      response.headers[.retryAfter] = "\(wait)"
      return response
    }
    var response = page(.isIn(name: token.name), request)
    response.setCookie(
      SessionCookie.make(session, isSecure: authenticator.isConnectionSecure(request, context)))
    return response
  }
}
