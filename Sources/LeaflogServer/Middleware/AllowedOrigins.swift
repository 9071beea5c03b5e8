internal import HTTPTypes
internal import Hummingbird

/// Lets pages of some other sites use the API (CORS; Fetch Standard, 3.2). They act with a token of their own: the
/// browser is not allowed to send its user's cookie.
struct AllowedOrigins: RouterMiddleware {
  /// Exact, such as `https://plants.example:8443`.
  let origins: Set<String>

  private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE"
  private static let requestHeaders =
    "Authorization, Content-Type, Content-Range, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Range"
  private static let answerHeaders =
    "Accept-Ranges, Content-Disposition, Content-Range, ETag, Leaflog-Change, Leaflog-Unsent, Location, Retry-After, "
    + "Upload-Offset, X-Request-Id"

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    guard !origins.isEmpty, request.uri.path.hasPrefix("/api/") else {
      return try await next(request, context)
    }
    let origin = request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
    var response: Response
    if let origin, request.method == .options,
      request.headers.contains(.accessControlRequestMethod)
    {
      response = Response(
        status: .noContent,
        headers: [
          .accessControlAllowOrigin: origin, .accessControlAllowMethods: Self.methods,
          .accessControlAllowHeaders: Self.requestHeaders, .accessControlMaxAge: "600",
        ])
    } else {
      response = try await next(request, context)
      if let origin {
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.answerHeaders
      }
    }
    // An answer without the fields must not be taken from a cache for that origin.
    response.headers[fields: .vary].append(HTTPField(name: .vary, value: "Origin"))
    return response
  }

  /// Whether a request comes from such a page, which has no cookie.
  func allow(_ request: Request) -> Bool {
    guard let origin = request.headers[.origin], request.uri.path.hasPrefix("/api/") else {
      return false
    }
    return origins.contains(origin) && SessionCookie.secrets(in: request).isEmpty
  }
}
