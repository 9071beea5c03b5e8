import Foundation
import HTTPTransfer
import LeaflogServer
import Synchronization
import TestSupport
import Testing

/// An HTTP client of addresses that came from somebody else.
@Suite struct AllowedAddressTests {
  private static let publicOnly = HTTPClient {
    IPAddress(octets: $0.octets)?.isPublic ?? false
  }

  /// A rule for IPv4 addresses of this machine alone, which remembers what it was asked.
  private final class LoopbackRule: Sendable {
    private let all = Mutex<[ServerAddress]>([])

    var asked: [ServerAddress] { all.withLock { $0 } }

    func allows(_ address: ServerAddress) -> Bool {
      all.withLock { $0.append(address) }
      return address.octets == [127, 0, 0, 1]
    }
  }

  /// A socket that listens, and accepts nothing.
  private final class Listening {
    let port: Int
    private let socket: CInt

    init() throws { (socket, port) = try LoopbackSocket.listen() }

    deinit { close(socket) }

    /// The system completes connections before they are accepted, so that one would be seen at once.
    var hasConnection: Bool {
      var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, 0) != 0
    }
  }

  private let rule = LoopbackRule()

  private var client: HTTPClient { HTTPClient { [rule] in rule.allows($0) } }

  private func failure(_ client: HTTPClient, _ url: String) async throws -> HTTPFailure {
    try await failure(client, HTTPRequest(.get, url))
  }

  private func failure(
    _ client: HTTPClient, _ request: HTTPRequest
  ) async throws -> HTTPFailure {
    try await #require(throws: HTTPFailure.self) { try await answer(client, request) }
  }

  /// Runs a request on a thread that may wait.
  @discardableResult
  private func answer(_ client: HTTPClient, _ request: HTTPRequest) async throws -> HTTPAnswer {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try client.answer(to: request) })
      }
    }
  }

  /// Runs a body with a server that gives an answer, and a request that trusts its certificate.
  private func answering(
    _ head: [String], byteCount: Int = 0, _ body: (HTTPRequest, _ port: Int) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let certificate = try TestCertificate()
    let server = try await SecureLoopbackServer(
      certificate, answering: head, [UInt8](repeating: 0x61, count: byteCount))
    var request = HTTPRequest(.get, "https://localhost:\(server.port)/")
    request.limits.authorities = try certificate.write(to: folder).certificate
    try await body(request, server.port)
    withExtendedLifetime((server, folder)) {}
  }

  // MARK: Refused

  private static let hosts: [String] = [
    "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0.0.0.0",
  ]

  @Test(arguments: hosts)
  func `a server of this machine is refused before a connection`(host: String) async throws {
    let server = try Listening()
    let failure = try await failure(Self.publicOnly, "https://\(host):\(server.port)/")
    #expect(failure.code == .notAllowed && failure.message == "the address is not public")
    #expect(!server.hasConnection)
  }

  @Test(arguments: ["http", "ftp", "gopher", "ws"])
  func `no protocol but https is spoken`(scheme: String) async throws {
    let server = try Listening()
    let failure = try await failure(client, "\(scheme)://127.0.0.1:\(server.port)/")
    #expect(failure.code == .invalid)
    #expect(!server.hasConnection && rule.asked.isEmpty)
  }

  @Test func `no file is read`() async throws {
    #expect(try await failure(client, "file:///etc/hostname").code == .invalid)
  }

  // MARK: Allowed

  @Test func `the rule is asked once for each connection, with the address and the port`()
    async throws
  {
    try await answering(["HTTP/1.1 201 Created"]) { request, port in
      let client = client
      for _ in 0..<2 {
        let answer = try await answer(client, request)
        #expect(answer.status == 201)
      }
      // `localhost` may have an IPv6 address, too.
      #expect(rule.asked.allSatisfy { $0.port == port })
      #expect(rule.asked.count { $0.octets == [127, 0, 0, 1] } == 1, "\(rule.asked)")
    }
  }

  @Test func `a certificate of nobody known is not trusted`() async throws {
    try await answering(["HTTP/1.1 201 Created"]) { _, port in
      let failure = try await failure(client, "https://localhost:\(port)/")
      #expect(failure.code == .untrusted)
    }
  }

  @Test func `a redirect is the answer, and is not followed`() async throws {
    let target = try Listening()
    let location = "https://127.0.0.1:\(target.port)/"
    try await answering(["HTTP/1.1 307 Temporary Redirect", "Location: \(location)"]) {
      request, _ in
      let answer = try await answer(client, request)
      #expect(answer.status == 307 && answer.headers["location"] == location)
      #expect(!target.hasConnection)
    }
  }

  @Test func `an answer longer than the limit is not read to its end`() async throws {
    try await answering(["HTTP/1.1 200 OK"], byteCount: 1 << 20) { request, _ in
      var request = request
      request.limits.bodyByteCount = 1 << 16
      let failure = try await failure(client, request)
      #expect(failure.code == .tooLong)
      request.limits.bodyByteCount = 1 << 20
      let whole = try await answer(client, request)
      #expect(whole.body.count == 1 << 20)
    }
  }

  /// libcurl's own limit; see `HTTPClient`.
  @Test func `an answer with half a megabyte of headers is refused`() async throws {
    let header = "X-Filler: " + String(repeating: "a", count: 10_000)
    let head = ["HTTP/1.1 200 OK"] + [String](repeating: header, count: 50)
    try await answering(head) { request, _ in
      let failure = try await failure(client, request)
      #expect(failure.code == .broken)
    }
  }
}
