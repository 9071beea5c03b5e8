internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// Tells a waiting client to send its body (RFC 9110, 10.1.1) once a route begins to read it. Until then, the request
/// can be refused without a byte of it sent in vain.
struct ContinueAnswers: RouterMiddleware {
  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    guard let expectation = request.headers[.expect] else {
      return try await next(request, context)
    }
    guard expectation.lowercased() == "100-continue" else {
      throw Problem(.expectationFailed, "The only supported expectation is 100-continue.")
    }
    var request = request
    request.body = RequestBody(
      asyncSequence: AwaitedBody(body: request.body, channel: context.channel))
    return try await next(request, context)
  }
}

/// A body that the client sends once it is asked to.
private struct AwaitedBody: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  let body: RequestBody
  let channel: any Channel

  struct AsyncIterator: AsyncIteratorProtocol {
    var body: RequestBody.AsyncIterator
    let channel: any Channel
    var isAwaited = true

    mutating func next() async throws -> ByteBuffer? {
      if isAwaited {
        isAwaited = false
        try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
      }
      return try await body.next()
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(body: body.makeAsyncIterator(), channel: channel)
  }
}
