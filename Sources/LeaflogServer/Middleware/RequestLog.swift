internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import Logging
internal import Synchronization

/// Gives each request an id, shared by its answer and all its log lines, and logs and counts it.
struct RequestLog: RouterMiddleware {
  private static let idName = HTTPField.Name("X-Request-Id")!
  /// Ids count from a random number on: a random number for each request would take a system call each.
  private static let firstID = UInt64.random(in: .min ... .max)
  private static let requestCount = Atomic<UInt64>(0)

  let metrics: RequestMetrics
  let options: ServerOptions

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    let given = request.headers[Self.idName].flatMap { Self.isID($0) ? $0 : nil }
    let id = given ?? Self.nextID()
    var context = context
    // Hummingbird's own id is not known outside.
    context.logger[metadataKey: "hb.request.id"] = nil
    context.logger[metadataKey: "request"] = .string(id)
    let begin = ContinuousClock.now
    var response = try await next(request, context)
    response.headers[Self.idName] = id
    let took = ContinuousClock.now - begin
    let labels = RouteLabels(request, context)
    metrics.note(labels, response.status.code, took: took)
    let client = options.client(of: request, context)
    context.logger.info("request", metadata: metadata(labels, client, response, took))
    return response
  }

  private static func nextID() -> String {
    String(firstID &+ requestCount.wrappingAdd(1, ordering: .relaxed).oldValue, radix: 16)
  }

  private func metadata(
    _ labels: RouteLabels, _ client: IPAddress?, _ response: Response, _ took: Duration
  ) -> Logger.Metadata {
    [
      "method": "\(labels.method)", "route": "\(labels.route)",
      "status": "\(response.status.code)", "client": "\(client?.description ?? "")",
      "milliseconds": "\(Int((took / .milliseconds(1)).rounded(.up)))",
    ]
  }

  /// Whether an id is safe in a log line. It may come from a proxy, or be made up by anybody.
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
