import Foundation
import Hummingbird
import LeaflogServer
import NIOEmbedded
import TestSupport
import Testing

/// Answers as gzip.
@Suite struct CompressionTests {
  private static let accepts = "Accept-Encoding: br, gzip;q=0.5"

  /// The bytes that gzip makes of them.
  static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(bytes), to: "answer.gz")
    let gzip = Process()
    (gzip.executableURL, gzip.arguments) = (URL(fileURLWithPath: "/bin/gzip"), ["-dc", path])
    let output = Pipe()
    gzip.standardOutput = output
    try gzip.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    gzip.waitUntilExit()
    #expect(gzip.terminationStatus == 0)
    return Array(data)
  }

  @Test func `a page comes compressed to those who take it`() async throws {
    try await RunningServer.run { server in
      let plain = try await server.answer("/api/v1/timeline")
      #expect(plain.body.count > 1024 && plain.headers["content-encoding"] == nil)
      let packed = try await server.answer("/api/v1/timeline", [Self.accepts])
      #expect(packed.headers["content-encoding"] == "gzip")
      #expect(packed.headers["content-length"] == "\(packed.body.count)")
      #expect(packed.body.count < plain.body.count / 2)
      #expect(try Self.unpacked(packed.body) == plain.body)
      for answer in [plain, packed] { #expect(answer.headers["vary"] == "Accept-Encoding") }
      let head = try await server.answer("HEAD", "/api/v1/timeline", [Self.accepts])
      #expect(head.body.isEmpty)
      for name in ["content-encoding", "content-length", "vary"] {
        #expect(head.headers[name] == packed.headers[name])
      }
    }
  }

  @Test func `assets come compressed to those who take it, but for pictures`() async throws {
    try await RunningServer.run(importing: []) { server in
      for name in ["style.css", "leaflog.js", "icons.svg"] {
        let plain = try await server.answer("/assets/0/\(name)")
        let packed = try await server.answer("/assets/0/\(name)", [Self.accepts])
        #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] != nil, "\(name)")
        #expect(packed.headers["content-encoding"] == "gzip" && packed.headers["vary"] != nil)
        #expect(packed.body.count < plain.body.count / 2)
        #expect(try Self.unpacked(packed.body) == plain.body)
      }
      let icon = try await server.answer("/assets/0/icon-192.png", [Self.accepts])
      #expect(icon.headers["content-encoding"] == nil && icon.headers["vary"] == nil)
    }
  }

  @Test func `pictures and small answers stay as they are`() async throws {
    try await RunningServer.run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      for path in ["/healthz", "/api/v1/photos/\(entry.id)/thumbnail", "/nothing"] {
        let answer = try await server.answer(path, [Self.accepts])
        #expect(answer.headers["content-encoding"] == nil, "\(path)")
      }
      let picture = try await server.answer(
        "/api/v1/photos/\(entry.id)/thumbnail", [Self.accepts, "Range: bytes=0-1"])
      #expect(picture.status == 206 && picture.body.count == 2 && picture.headers["vary"] == nil)
    }
  }

  // MARK: Tags

  /// The answer of a route that gives text of so many bytes with a tag, to a request with such fields. The route
  /// answers conditions as routes do.
  private func answer(
    _ fields: HTTPFields, tag: String = #""x""#, byteCount: Int = 5000
  ) async throws -> Response {
    let source = ApplicationRequestContextSource(
      channel: EmbeddedChannel(), logger: RunningServer.silence)
    let request = Request(
      head: HTTPRequest(
        method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: fields),
      body: RequestBody(buffer: ByteBuffer()))
    return try await Compression<BasicRequestContext>().handle(
      request, context: BasicRequestContext(source: source)
    ) { request, _ in
      if request.headers[.ifNoneMatch] == tag {
        return Response(status: .notModified, headers: [.eTag: tag])
      }
      if let wanted = request.headers[.ifMatch], wanted != tag {
        return Response(status: .preconditionFailed)
      }
      return Response(
        status: .ok, headers: [.contentType: "application/json", .eTag: tag],
        body: ResponseBody(byteBuffer: ByteBuffer(repeating: 32, count: byteCount)))
    }
  }

  @Test func `a compressed answer has a tag of its own, which is recognised`() async throws {
    let packed = try await answer([.acceptEncoding: "gzip"])
    #expect(packed.headers[.eTag] == #""x-gzip""#)
    let plain = try await answer([:])
    #expect(plain.headers[.eTag] == #""x""# && plain.headers[.contentEncoding] == nil)
    for tag in [#""x""#, #""x-gzip""#] {
      let known = try await answer([.acceptEncoding: "gzip", .ifNoneMatch: tag])
      #expect(known.status == .notModified && known.headers[.eTag] == tag)
      let edited = try await answer([.ifMatch: tag])
      #expect(edited.status == .ok)
    }
    let changed = try await answer([.acceptEncoding: "gzip", .ifNoneMatch: #""y-gzip""#])
    #expect(changed.status == .ok)
    let other = try await answer([.ifMatch: #""y-gzip""#])
    #expect(other.status == .preconditionFailed)
    let small = try await answer([.acceptEncoding: "gzip"], byteCount: 100)
    #expect(small.headers[.eTag] == #""x""# && small.headers[.vary] == "Accept-Encoding")
  }

  // MARK: Who takes it

  @Test(arguments: ["gzip", "GZIP", "*", "br, gzip", "gzip;q=0.001", "identity, gzip ; q=1"])
  func `gzip is taken`(header: String) { #expect(AcceptedEncodings(header).allowGzip) }

  @Test(arguments: ["", "br", "identity", "gzip;q=0", "*;q=0", "gzip;q=0, *", "xgzip", "gzip;q=x"])
  func `gzip is not taken`(header: String) { #expect(!AcceptedEncodings(header).allowGzip) }
}
