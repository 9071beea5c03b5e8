internal import HTTPTypes
package import Hummingbird
internal import NIOCore
internal import NIOPosix

/// Compresses JSON and other text for clients that accept it (RFC 9110, 12.5.3). Pictures and kept pages are compressed
/// already, and streams are sent as they are produced.
///
/// The compressed bytes are a separate representation with a separate tag: `"x"` becomes `"x-gzip"` (8.8.3.3). Routes
/// do not know about it, and see in conditions the tags that they issued.
package struct Compression<Context: RequestContext>: RouterMiddleware {
  /// The head makes up most of an answer with a smaller body.
  private static var leastByteCount: Int { 1024 }
  /// The copies of a larger body would take too much memory.
  private static var mostByteCount: Int { 16 << 20 }
  private static var suffix: String { "-gzip\"" }

  package init() {}

  package func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var request = request
    let knowsCompressed = takeSuffixes(from: &request)
    var response = try await next(request, context)
    if response.status == .notModified, knowsCompressed { addSuffix(to: &response) }
    guard isText(response) else { return response }
    addVary(to: &response)
    if response.headers[.contentEncoding] == "gzip" { addSuffix(to: &response) }
    guard AcceptedEncodings(request.headers[.acceptEncoding] ?? "").allowGzip,
      response.headers[.contentEncoding] == nil, response.status != .partialContent,
      let count = response.body.contentLength,
      (Self.leastByteCount...Self.mostByteCount).contains(count)
    else { return response }
    let body = try await response.body.collected()
    // A large body takes a while, and other connections share the event loop.
    let packed = try await NIOThreadPool.singleton.runIfActive {
      Gzip.compressed(body.readableBytesView)
    }
    guard let compressed = packed else {
      response.body = ResponseBody(byteBuffer: body)
      return response
    }
    response.body = ResponseBody(byteBuffer: compressed)
    response.headers[.contentEncoding] = "gzip"
    response.headers[.acceptRanges] = nil
    addSuffix(to: &response)
    return response
  }

  private func isText(_ response: Response) -> Bool {
    guard let type = response.headers[.contentType] else { return false }
    return textTypes.contains { type.utf8.starts(with: $0.utf8) }
  }

  private func addVary(to response: inout Response) {
    let others = response.headers[.vary].map { $0 + ", " } ?? ""
    response.headers[.vary] = others + "Accept-Encoding"
  }

  private func addSuffix(to response: inout Response) {
    guard let tag = response.headers[.eTag], tag.hasSuffix("\""), !tag.hasSuffix(Self.suffix) else {
      return
    }
    response.headers[.eTag] = tag.dropLast() + Self.suffix
  }

  /// - Returns: whether the client holds a compressed version.
  private func takeSuffixes(from request: inout Request) -> Bool {
    var hasSome = false
    for name in [HTTPField.Name.ifNoneMatch, .ifMatch] {
      guard let tags = request.headers[name], tags.contains(Self.suffix) else { continue }
      var head = request.head
      head.headerFields[name] = tags.replacing(Self.suffix, with: "\"")
      request = Request(head: head, body: request.body)
      hasSome = hasSome || name == .ifNoneMatch
    }
    return hasSome
  }
}

extension ResponseBody {
  /// Its bytes, in memory.
  func collected() async throws -> ByteBuffer {
    let bytes = CollectedBytes()
    try await write(bytes)
    return bytes.buffer
  }
}

private let textTypes = [
  "application/json", "application/problem+json", "text/plain", "text/csv", "text/html",
]

/// Collects a body in memory.
private final class CollectedBytes: ResponseBodyWriter {
  private(set) var buffer = ByteBuffer()

  func write(_ buffer: ByteBuffer) { self.buffer.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) {}
}

/// The codings that a client accepts.
package struct AcceptedEncodings {
  /// Whether it accepts gzip, which it does only if it says so.
  package let allowGzip: Bool

  /// - Parameter header: the value of `Accept-Encoding`.
  package init(_ header: String) {
    let list = AcceptList(header)
    allowGzip = (list["gzip"] ?? list["*"] ?? 0) > 0
  }
}
