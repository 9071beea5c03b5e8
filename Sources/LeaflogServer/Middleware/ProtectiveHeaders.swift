internal import HTTPTypes
internal import Hummingbird

/// Headers by which browsers keep what is served to this site.
///
/// `Strict-Transport-Security` is not among them: it would hold for every port of the host, and nobody could look at
/// the page about a certificate of one's own any more whose browser does not trust it yet.
struct ProtectiveHeaders<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers.append(contentsOf: protectiveFields)
    return response
  }
}

private let protectiveFields: HTTPFields = [
  .contentSecurityPolicy: "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  .xContentTypeOptions: "nosniff",
  HTTPField.Name("Referrer-Policy")!: "same-origin",
  HTTPField.Name("Cross-Origin-Resource-Policy")!: "same-origin",
  HTTPField.Name("Permissions-Policy")!: "camera=(self), geolocation=(), microphone=()",
]
