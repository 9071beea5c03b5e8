internal import Hummingbird

/// Refuses requests without a valid token or session, where one is needed.
struct AccessCheck: RouterMiddleware {
  let authenticator: Authenticator

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    guard !isOpen(request, context) else { return try await next(request, context) }
    var context = context
    context.holder = try await authenticator.holder(of: request, context)
    guard context.holder != nil || !authenticator.options.requiresToken else {
      guard request.wantsPage else { throw Problem.noSecret }
      return Response(
        status: .seeOther,
        headers: [.location: SignInPages.address(back: request), .cacheControl: "no-store"])
    }
    return try await next(request, context)
  }

  /// Whether the route is open to everybody: the state of the service, trusting its certificate, and signing in.
  private func isOpen(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    // The matched route counts, not the requested path, which can be written in many ways.
    switch context.endpointPath {
    case "/healthz", "/trust", "/trust/ca.crt", "/pair": true
    // These contain nothing of the diary.
    case "/sign-in", "/offline", "/manifest.webmanifest", "/service-worker.js",
      "/assets/{version}/{name}":
      true
    case "/api/v1/session": request.method == .post
    default: false
    }
  }
}
