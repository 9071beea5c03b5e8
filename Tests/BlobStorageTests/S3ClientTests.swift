import BlobStorage
import DiaryModel
import Foundation
import HTTPTransfer
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A client of a store that fails now and then.
@Suite struct S3ClientTests {
  private final class Pauses: Sendable {
    private let all = Mutex<[Duration]>([])

    var list: [Duration] { all.withLock { $0 } }
    func add(_ pause: Duration) { all.withLock { $0.append(pause) } }
  }

  private let pauses = Pauses()

  private func client(
    _ server: ObjectServer, deadline: Duration = .seconds(60), stall: Duration = .seconds(20)
  ) throws -> S3Client {
    var policy = RetryPolicy()
    policy.sleep = { [pauses] in pauses.add($0) }
    (policy.deadline, policy.stall) = (deadline, stall)
    let location = try S3Location(
      ObjectStoreSettings(url: "s3://bucket/a/b", endpoint: server.endpoint))
    return S3Client(location, S3Credentials(key: "k:e", secret: "s"), policy: policy)
  }

  private let body = SharedBytes(copying: Array("leaf".utf8))
  private var digest: BlobID { body.withUnsafeBytes { BlobID(hashing: $0) } }

  private func text(_ bytes: SharedBytes) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func failure(_ body: () throws -> Void) throws -> BlobStoreError {
    try #require(throws: BlobStoreError.self, performing: body)
  }

  @Test func `a request is signed, and tells the digest of its body twice`() throws {
    let server = try ObjectServer()
    let client = try client(server)
    try client.put("x", body, digest: digest)
    #expect(try text(client.get("x")) == "leaf")
    let put = try #require(server.requests.first)
    #expect(put.key == "a/b/x" && put.body == Data("leaf".utf8))
    #expect(put.headers["x-amz-content-sha256"] == digest.hex)
    #expect(put.headers["x-amz-checksum-sha256"] == Data(digest.bytes).base64EncodedString())
    for request in server.requests {
      let authorization = try #require(request.headers["authorization"])
      #expect(authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=k:e/"))
      #expect(request.headers["x-amz-content-sha256"] != nil)
    }
  }

  @Test(arguments: [0, 1, S3Client.pieceByteCount, S3Client.pieceByteCount + 7])
  func `a file becomes an object and a file again, in pieces`(byteCount: Int) throws {
    let (folder, server) = (try TemporaryFolder(), try ObjectServer())
    let client = try client(server)
    // Of a length that no piece is a multiple of.
    let block = Data((0..<4099).map { UInt8($0 * 31 / 8 % 256) })
    var bytes = Data()
    while bytes.count < byteCount { bytes += block }
    let source = try folder.write(bytes.prefix(byteCount), to: "source")
    try client.put("x", contentsOf: FilePath(source))
    let copy = try GrowingFile(creating: FilePath(folder.file("copy")), POSIXFileSystem())
    try client.fetch("x", to: copy)
    #expect(try copy.finish() == FileReader(FilePath(source)).hash())
    #expect(
      server.requests.map(\.method) == ["PUT"]
        + (byteCount < S3Client.pieceByteCount ? ["GET"] : ["GET", "GET"]))
  }

  @Test func `a missing file, and one that becomes shorter, are told at once`() throws {
    let server = try ObjectServer()
    let error = try failure { try client(server).put("x", contentsOf: "/nowhere") }
    #expect(error.code == .notFound && server.requests.isEmpty)
    var request = HTTPRequest(.put, server.endpoint + "/bucket/x")
    request.body = HTTPBody(byteCount: 10) { _, start in start < 4 ? 4 : 0 }
    let fault = #expect(throws: HTTPFailure.self) { try HTTPClient().answer(to: request) }
    #expect(fault?.code == .unreadable)
    #expect(server.objects.isEmpty)
  }

  private static let passing: [ObjectServer.Reaction] = [
    .drop, .obeySilently, .refuse(status: 503, code: "SlowDown"),
    .refuse(status: 500, code: "InternalError"), .refuse(status: 429, code: "TooManyRequests"),
    .refuse(status: 400, code: "RequestTimeout"), .refuse(status: 400, code: "BadDigest"),
  ]

  @Test(arguments: passing.indices)
  func `a passing error is tried again, up to five times`(index: Int) throws {
    let reaction = Self.passing[index]
    for count in [1, 4] {
      let server = try ObjectServer { $1 < count ? reaction : .obey }
      try client(server).put("x", body, digest: digest)
      #expect(server.objects == ["a/b/x": Data("leaf".utf8)])
      #expect(server.requests.count == count + 1)
    }
    let server = try ObjectServer { _, _ in reaction }
    let error = try failure { try client(server).put("x", body, digest: digest) }
    #expect(error.code == .unreachable)
    #expect(server.requests.count == 5)
  }

  @Test func `pauses grow, are left to chance, and are as long as the store asks`() throws {
    let server = try ObjectServer { _, _ in .refuse(status: 503, code: "SlowDown") }
    _ = try failure { try client(server).put("x", body, digest: digest) }
    let seconds = pauses.list.map { $0 / .seconds(1) }
    #expect(seconds.count == 4)
    for (seconds, most) in zip(seconds, [0.2, 0.4, 0.8, 1.6]) {
      #expect(seconds >= most / 2 && seconds <= most)
    }
    let busy = try ObjectServer {
      $1 == 0 ? .refuse(status: 503, code: "SlowDown", headers: ["Retry-After": "7"]) : .obey
    }
    try client(busy).put("x", body, digest: digest)
    #expect(pauses.list.last == .seconds(7))
  }

  @Test func `nobody waits beyond the deadline`() throws {
    let server = try ObjectServer { _, _ in
      .refuse(status: 503, code: "SlowDown", headers: ["Retry-After": "50"])
    }
    let error = try failure {
      try client(server, deadline: .seconds(30)).put("x", body, digest: digest)
    }
    #expect(error.code == .unreachable && server.requests.count == 1 && pauses.list.isEmpty)
  }

  @Test(arguments: [
    (403, "SignatureDoesNotMatch", BlobStoreError.Code.refused, "secret key"),
    (403, "InvalidAccessKeyId", .refused, "access key"),
    (403, "AccessDenied", .refused, "does not allow"),
    (403, "RequestTimeTooSkewed", .clockWrong, "clock, which is 20 min fast. Set it right."),
    (404, "NoSuchBucket", .noBucket, "no bucket bucket"),
    (403, "QuotaExceeded", .noSpace, "no room"),
    (301, "PermanentRedirect", .refused, "another region"),
    (501, "NotImplemented", .failed, "status 501, NotImplemented"),
  ])
  func `a lasting error is reported at once`(
    status: Int, name: String, code: BlobStoreError.Code, words: String
  ) throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let date = formatter.string(from: Date(timeIntervalSinceNow: -1200))
    let server = try ObjectServer { _, _ in
      .refuse(status: status, code: name, headers: ["Date": date])
    }
    let client = try client(server)
    let error = try failure { try client.put("x", body, digest: digest) }
    #expect(error.code == code && error.message.contains(words), "\(error.message)")
    #expect(server.requests.count == 1)
    // HEAD has no body that would tell why: the store is asked otherwise.
    #expect(try failure { _ = try client.byteCount(of: "x") }.code == code)
  }

  @Test(arguments: [ObjectServer.Reaction.cutShort, .damage, .drop])
  func `bytes that come short or changed are asked for again`(
    reaction: ObjectServer.Reaction
  ) throws {
    let server = try ObjectServer { request, number in
      request.method == "GET" && number < 3 ? reaction : .obey
    }
    let client = try client(server)
    let bytes = SharedBytes(copying: (0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    let blob = PendingBlob(hashing: bytes)
    let store = S3BlobStore(client)
    try store.put([blob])
    #expect(try text(store.get(blob.id, range: nil)) == text(bytes))
    #expect(server.requests.count == 4)
  }

  @Test func `an object that is damaged in the store is never given out`() throws {
    let server = try ObjectServer()
    let store = S3BlobStore(try client(server))
    let blob = PendingBlob(hashing: body)
    try store.put([blob])
    let key = try #require(server.objects.keys.first)
    server.set(Data("loaf".utf8), for: key)
    let error = try failure { _ = try store.get(blob.id, range: nil) }
    #expect(error.code == .damaged && error.message.contains("incomplete or damaged"))
  }

  @Test func `an object that came damaged once, while the network failed, is not called so`() throws
  {
    let server = try ObjectServer { request, number in
      guard request.method == "GET" else { return .obey }
      return number == 5 ? .damage : .refuse(status: 503, code: "SlowDown")
    }
    let store = S3BlobStore(try client(server))
    let blob = PendingBlob(hashing: body)
    try store.put([blob])
    let error = try failure { _ = try store.get(blob.id, range: nil) }
    #expect(error.code == .unreachable)
  }

  @Test(arguments: ["/-5", "/9223372036854775808", "bytes */*", "x"])
  func `a range that is said to be of nonsense is a whole answer, or none`(range: String) throws {
    let server = try ObjectServer { request, _ in
      request.method == "GET"
        ? .answer(status: 206, headers: ["Content-Range": range], body: "le") : .obey
    }
    let client = try client(server)
    #expect(try text(client.get("x", range: 0..<2)) == "le")
    #expect(try failure { _ = try client.get("x", range: 0..<4) }.code == .damaged)
  }

  @Test(arguments: ["-1", "9223372036854775807", "9223372036854775808"])
  func `a listing with sizes that no object has is none`(size: String) throws {
    let server = try ObjectServer { _, _ in
      .answer(
        status: 200, headers: [:],
        body: """
          <ListBucketResult><Contents><Key>a/b/x</Key><Size>\(size)</Size>\
          <LastModified>2026-11-22T18:40:00.000Z</LastModified></Contents></ListBucketResult>
          """)
    }
    let client = try client(server)
    #expect(
      try failure { try client.list(prefix: "") { _ in Issue.record() } }.code == .unreachable)
  }

  @Test func `a server that says nothing is left`() throws {
    let server = try ObjectServer { $1 == 0 ? .stall : .obey }
    try client(server, stall: .seconds(1)).put("x", body, digest: digest)
    // A busy processor may be slow to answer the second one, too.
    #expect(server.requests.count >= 2)
  }

  @Test func `nobody there is told with the address`() throws {
    let port = try LoopbackSocket.unusedPorts(count: 1)
    var policy = RetryPolicy()
    policy.sleep = { _ in }
    let location = try S3Location(
      ObjectStoreSettings(url: "s3://bucket", endpoint: "http://127.0.0.1:\(port)"))
    let client = S3Client(location, S3Credentials(key: "k", secret: "s"), policy: policy)
    let error = try failure { _ = try client.get("x") }
    #expect(error.code == .unreachable && error.message.contains("127.0.0.1:\(port)"))
  }

  @Test func `one connection serves one thread`() throws {
    let server = try ObjectServer()
    let client = try client(server)
    for _ in 0..<20 { try client.put("x", body, digest: digest) }
    #expect(server.connectionCount == 1)
    try S3BlobStore(client, width: 4).put(
      (0..<40).map { PendingBlob(hashing: SharedBytes(copying: "\($0)".utf8)) })
    #expect(server.connectionCount <= 4)
  }

  @Test(arguments: [
    ("bucket", "http://localhost"), ("s3://", "http://localhost"), ("s3://a", "http://localhost"),
    ("s3://Bucket", "http://localhost"), ("s3://bucket/a b", "http://localhost"),
    ("s3://bucket/../b", "http://localhost"), ("s3://bucket", "localhost"),
    ("s3://bucket", "ftp://localhost"), ("s3://bucket", "http://localhost/path"),
    ("s3://bucket", "http://key@localhost"),
  ])
  func `an address that is none is refused`(url: String, endpoint: String) {
    let error = #expect(throws: BlobStoreError.self) {
      try S3Location(ObjectStoreSettings(url: url, endpoint: endpoint))
    }
    #expect(error?.code == .invalid)
  }
}
