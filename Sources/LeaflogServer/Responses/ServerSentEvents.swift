internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// An answer that goes on until there is nothing more to tell: server-sent events (HTML, 9.2).
enum ServerSentEvents {
  /// How often a comment shows that the stream is alive, to proxies and to the server itself, which would otherwise not
  /// notice that a reader is gone.
  static let heartbeat = Duration.seconds(15)
  static let mediaType = "text/event-stream"

  /// The header by which a reader goes on where it stopped.
  static let lastEvent = RequestHeader(
    HTTPField.Name("Last-Event-ID")!, "The id of the last event that was received.")

  static func response(
    _ write: @escaping @Sendable (inout Writer) async throws -> Void
  ) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: mediaType, .cacheControl: "no-store",
        // nginx would buffer the events.
        HTTPField.Name("X-Accel-Buffering")!: "no",
      ],
      body: ResponseBody { body in
        var writer = Writer(body: body)
        try await write(&writer)
        try await writer.body.finish(nil)
      })
  }

  struct Writer {
    fileprivate var body: any ResponseBodyWriter

    mutating func send(_ event: String, _ id: String, _ document: some Shown) async throws {
      let text = """
        id: \(id)
        event: \(event)
        data: \(JSON.line(document))


        """
      try await body.write(ByteBuffer(string: text))
    }

    /// A line that readers skip.
    mutating func beat() async throws { try await body.write(ByteBuffer(string: ":\n\n")) }
  }
}
