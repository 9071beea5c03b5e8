internal import Hummingbird

/// A reason to refuse requests, found without waiting.
protocol RequestCheck: Sendable {
  /// - Throws: a problem for a request to refuse.
  func check(_ request: Request, _ context: LeaflogRequestContext) throws
}

/// Runs checks in order before a request goes on. One middleware for all of them spares each request a suspension
/// point per check.
struct RequestChecks: RouterMiddleware {
  private let checks: [any RequestCheck]

  init(_ checks: any RequestCheck...) { self.checks = checks }

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    for check in checks { try check.check(request, context) }
    return try await next(request, context)
  }
}
