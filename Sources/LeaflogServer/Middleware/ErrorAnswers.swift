internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOHTTP1
internal import Pages

/// Answers every error with a problem. Of unforeseen errors only the type is logged, as their text may contain words of
/// the diary.
struct ErrorAnswers<Context: RequestContext>: RouterMiddleware {
  let base: BasePath
  let limits: ServerLimits

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPParserError {
      // The rest of the request cannot be read; Hummingbird reports that and closes the connection.
      throw error
    } catch {
      let problem = problem(error, context).based(base)
      if problem.status == .tooManyRequests {
        try await Task.sleep(for: limits.refusal * Double.random(in: 1...2))
      }
      guard request.wantsPage else { return problem.response(from: request, context: context) }
      let reader = PlainReader(request)
      let page = ErrorPage(
        reader, status: problem.status.code, detail: problem.told(in: reader.words),
        reference: requestID(context))
      var response = Response(screen: page, reader.words, problem.status)
      response.headers.append(contentsOf: problem.headers)
      return response
    }
  }

  /// The request's id in the log.
  private func requestID(_ context: Context) -> String? {
    context.logger[metadataKey: "request"].map { "\($0)" }
  }

  private func problem(_ error: any Error, _ context: Context) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case let error as LeaflogError:
      let problem = Problem(error)
      if problem.status.kind == .serverError {
        context.logger.error("request failed", metadata: ["code": "\(error.code.rawValue)"])
      }
      return problem
    case let error as InvalidValue: return Problem(LeaflogError(error))
    case let error as HTTPError where error.status == .notFound:
      return Problem(.notFound, "There is nothing at this address.")
    case let error as any HTTPResponseError: return Problem(error.status, nil)
    case is IOError, is ChannelError:
      context.logger.debug("connection lost", metadata: ["error": "\(type(of: error))"])
      return Problem(.badRequest, nil)
    default:
      context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
      return Problem(.internalServerError, "The request failed; see the server's log.")
    }
  }
}

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
  .contentSecurityPolicy:
    "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  .xContentTypeOptions: "nosniff",
  HTTPField.Name("Referrer-Policy")!: "same-origin",
  HTTPField.Name("Cross-Origin-Opener-Policy")!: "same-origin",
  HTTPField.Name("Cross-Origin-Resource-Policy")!: "same-origin",
  HTTPField.Name("Permissions-Policy")!: "camera=(self), geolocation=(), microphone=()",
]
