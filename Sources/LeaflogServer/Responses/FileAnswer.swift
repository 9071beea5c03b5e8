internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix

/// A file as an answer: whole, in part, or omitted when the client already has it (RFC 9110, 13 and 14).
struct FileAnswer: Sendable {
  private enum Content {
    case file(path: String)
    case bytes(ByteBuffer)
    case parts(PictureParts)
  }

  private let content: Content
  let byteCount: Int
  private let mediaType: String
  private let tag: EntityTag
  /// The name under which it is saved; nil if it has none.
  let name: String?

  /// - Parameter name: the name of the photo's file, whose ending is replaced by that of this one.
  init(_ file: PictureFile, named name: String? = nil) {
    let stem = name.map { $0.split(separator: ".").dropLast().joined(separator: ".") }
    self.name = stem.map { ($0.isEmpty ? "photo" : $0) + "." + file.fileExtension }
    content =
      switch file.content {
      case .file(let path): .file(path: path)
      case .bytes(let bytes): .bytes(ByteBuffer(bytes: bytes))
      case .parts(let parts): .parts(parts)
      }
    (byteCount, mediaType) = (file.byteCount, file.mediaType)
    tag = EntityTag(digest: file.digest.hex)
  }

  /// Creates an answer from a file that never changes.
  init(path: String, byteCount: Int, mediaType: String, tag: EntityTag) {
    (content, self.byteCount, self.mediaType) = (.file(path: path), byteCount, mediaType)
    (self.tag, name) = (tag, nil)
  }

  /// The value of `Cache-Control` for an address that may name the digest of the bytes.
  func caching(named digest: String?) -> String {
    digest.map { EntityTag(digest: $0).description } == tag.description
      ? Self.immutable : Self.revalidated
  }

  /// For content that may change: the client asks each time, and usually learns that its copy is current.
  static let revalidated = "private, no-cache"

  /// For an address that identifies the bytes: the client never asks again (RFC 8246).
  private static let immutable = "private, max-age=31536000, immutable"

  /// - Parameters:
  ///   - caching: the value of `Cache-Control`.
  ///   - variesByAccept: whether clients that accept another format get another file.
  func response(
    to request: Request, _ context: some RequestContext, caching: String = revalidated,
    variesByAccept: Bool = false
  ) async throws -> Response {
    var headers: HTTPFields = [
      .eTag: tag.description, .cacheControl: caching, .acceptRanges: "bytes",
    ]
    if variesByAccept { headers[.vary] = "Accept" }
    if let name { headers[.contentDisposition] = ContentDisposition.inline(name) }
    if try request.isCurrent(tag) { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = mediaType
    switch range(of: request) {
    case .whole:
      return Response(
        status: .ok, headers: headers, body: try await body(0..<byteCount, request, context))
    case .part(let part):
      headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(byteCount)"
      return Response(
        status: .partialContent, headers: headers,
        body: try await body(Range(part), request, context))
    case .unsatisfiable:
      throw Problem(
        .rangeNotSatisfiable, "The file has \(byteCount) bytes.",
        headers: [.contentRange: "bytes */\(byteCount)"])
    }
  }

  private func range(of request: Request) -> ByteRange {
    // A range is defined for GET alone (RFC 9110, 14.2).
    guard request.method == .get else { return .whole }
    if let condition = request.headers[.ifRange], condition != tag.description { return .whole }
    return ByteRange(request.headers[.range], byteCount: byteCount)
  }

  private func body(
    _ range: Range<Int>, _ request: Request, _ context: some RequestContext
  ) async throws -> ResponseBody {
    guard !range.isEmpty else { return ResponseBody() }
    switch content {
    case .bytes(let bytes):
      guard let part = bytes.getSlice(at: range.lowerBound, length: range.count) else {
        throw Problem(.internalServerError, nil)
      }
      return ResponseBody(byteBuffer: part)
    case .parts(let parts):
      // An answer to HEAD does not need the parts.
      guard request.method != .head else {
        return ResponseBody(contentLength: range.count) { try await $0.finish(nil) }
      }
      return try await body(range, parts)
    case .file(let path):
      return try await FileIO().loadFile(
        path: path, range: range.lowerBound...(range.upperBound - 1), context: context)
    }
  }

  /// The body in parts. The first is read before the answer's head is sent, so that a failure can still be reported.
  private func body(_ range: Range<Int>, _ parts: PictureParts) async throws -> ResponseBody {
    @Sendable func part(at start: Int) async throws -> ByteBuffer {
      let part = start..<min(start + PictureParts.byteCount, range.upperBound)
      return try await NIOThreadPool.singleton.runIfActive {
        ByteBuffer(bytes: try parts[part])
      }
    }
    let first = try await part(at: range.lowerBound)
    return ResponseBody(contentLength: range.count) { writer in
      try await writer.write(first)
      var start = range.lowerBound + PictureParts.byteCount
      while start < range.upperBound {
        try await writer.write(part(at: start))
        start += PictureParts.byteCount
      }
      try await writer.finish(nil)
    }
  }
}
