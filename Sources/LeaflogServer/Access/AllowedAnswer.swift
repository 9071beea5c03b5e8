internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// An answer that ends when the token or session that it is for does: a download or a stream of events may take long, and
/// another process may revoke the token meanwhile.
struct AllowedAnswer {
  let authenticator: Authenticator
  let request: Request

  /// Answers up to this size are sent at once.
  private static let smallByteCount = 1 << 16

  func limiting(_ response: Response) -> Response {
    if let count = response.body.contentLength, count <= Self.smallByteCount { return response }
    var response = response
    let body = response.body
    let (authenticator, request) = (authenticator, request)
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(
        AllowedWriter(
          next: writer, interval: authenticator.options.limits.tokenCheck,
          isAllowed: { await authenticator.stillAllows(request) }))
    }
    return response
  }
}

/// Passes a body on for as long as it is allowed.
private struct AllowedWriter: ResponseBodyWriter {
  var next: any ResponseBodyWriter
  let interval: Duration
  let isAllowed: @Sendable () async -> Bool
  private var checkedAt = ContinuousClock.now

  init(
    next: any ResponseBodyWriter, interval: Duration,
    isAllowed: @escaping @Sendable () async -> Bool
  ) {
    (self.next, self.interval, self.isAllowed) = (next, interval, isAllowed)
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    if ContinuousClock.now - checkedAt >= interval {
      // The connection closes before the end of the body, so that the client cannot take it for whole.
      guard await isAllowed() else { throw Problem.wrongSecret }
      checkedAt = .now
    }
    try await next.write(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await next.finish(trailingHeaders)
  }
}
