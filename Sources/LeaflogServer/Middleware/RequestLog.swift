internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Gives each request an id, which its answer and all lines of the log about it have, and writes a line for it.
struct RequestLog: RouterMiddleware {
  private static let idName = HTTPField.Name("X-Request-Id")!

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    let given = request.headers[Self.idName].flatMap { Self.isID($0) ? $0 : nil }
    let id = given ?? String(UInt64.random(in: .min ... .max), radix: 16)
    var context = context
    // Hummingbird's own id, which nobody outside knows.
    context.logger[metadataKey: "hb.request.id"] = nil
    context.logger[metadataKey: "request"] = .string(id)
    let begin = ContinuousClock.now
    var response = try await next(request, context)
    response.headers[Self.idName] = id
    let took = ContinuousClock.now - begin
    context.logger.info("request", metadata: metadata(request, context, response, took))
    return response
  }

  private func metadata(
    _ request: Request, _ context: LeaflogRequestContext, _ response: Response, _ took: Duration
  ) -> Logger.Metadata {
    let labels = RouteLabels(request, context)
    return [
      "method": "\(labels.method)", "route": "\(labels.route)",
      "status": "\(response.status.code)", "client": "\(context.remoteAddress?.description ?? "")",
      "milliseconds": "\(Int((took / .milliseconds(1)).rounded(.up)))",
    ]
  }

  /// Whether it can stand in a line of a log: a proxy's, or made up by anybody.
  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
