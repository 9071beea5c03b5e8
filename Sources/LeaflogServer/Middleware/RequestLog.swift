internal import HTTPTypes
internal import Hummingbird
package import Leaflog
package import Logging
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

/// A log handler that writes machine-readable lines.
package struct LogLines: LogHandler {
  /// The format of a line.
  package enum Format: String, CaseIterable, Sendable {
    /// `time=2026-03-01T09:30:00.123Z level=info message=request status=200`
    case logfmt
    /// A JSON object per line.
    case json
  }

  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  package var logLevel = Logger.Level.info

  private let format: Format
  private let clock: WallClock
  private let write: @Sendable (String) -> Void

  /// - Parameter write: receives a line without its line break.
  package init(
    _ format: Format, clock: WallClock = .system, write: @escaping @Sendable (String) -> Void
  ) {
    (self.format, self.clock, self.write) = (format, clock, write)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
      .merging(event.metadata ?? [:]) { $1 }
    let first = [
      ("time", RecordedTime.instant(clock.now).iso8601), ("level", event.level.rawValue),
      ("message", event.message.description),
    ]
    let rest = all.map { ($0.key, $0.value.description) }.sorted { $0.0 < $1.0 }
    write(line(first + rest))
  }

  private func line(_ fields: [(name: String, value: String)]) -> String {
    switch format {
    case .logfmt: fields.map { "\($0.name)=\(Self.quoted($0.value))" }.joined(separator: " ")
    case .json:
      JSON.line(
        JSONNode(of: Dictionary(fields.map { ($0.name, JSONNode(.text($0.value))) }) { $1 }))
    }
  }

  /// The value, quoted where it is not a single plain word.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      scalar.value > 32 && scalar.value < 127 && scalar != "=" && scalar != "\"" && scalar != "\\"
    }
    // A JSON string has no line breaks or other control characters.
    return isPlain && !value.isEmpty ? value : JSON.line(Scalar.text(value))
  }
}
