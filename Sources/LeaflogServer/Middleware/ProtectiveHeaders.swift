internal import HTTPTypes
internal import Hummingbird

/// Adds headers that make browsers confine the content to this site.
///
/// `Strict-Transport-Security` is not among them: it would apply to every port of the host, and a browser that does not
/// trust the service's own certificate yet could no longer open the page about it.
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
