import Foundation
import Leaflog
import LeaflogServer
import Logging
import NIOSSL
import Synchronization
import TestSupport
import Testing

/// The service over TLS, with certificates from files.
@Suite struct TLSTests {
  private let folder: TemporaryFolder
  private let certificate: TestCertificate

  init() throws {
    folder = try TemporaryFolder()
    certificate = try TestCertificate()
    try certificate.write(to: folder)
  }

  private var options: ServerOptions {
    var options = ServerOptions()
    options.tls = .files(
      TLSFiles(certificate: folder.file("certificate.pem"), key: folder.file("key.pem")))
    return options
  }

  private func client(
    _ server: RunningServer, trusting certificate: TestCertificate? = nil
  ) throws -> SecureClient {
    SecureClient(port: server.port, roots: [try (certificate ?? self.certificate).root])
  }

  @Test func `pages and pictures come over TLS, and nothing comes without it`() async throws {
    try await RunningServer.run(options) { server in
      let client = try client(server)
      let timeline = try await client.get("/api/v1/timeline")
      #expect(timeline.status == 200)
      #expect(timeline.headers["strict-transport-security"] == nil)
      let id = try #require((try timeline.json["items"] as? [[String: Any]])?.first?["id"])
      let photo = try await client.get("/api/v1/photos/\(id)/original")
      #expect(photo.status == 200 && photo.body.starts(with: [0xff, 0xd8]))
      #expect(photo.headers["content-length"] == "\(photo.body.count)")
      let plain = try RawConnection(port: server.port)
      await plain.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try await !plain.receive().contains("HTTP/"))
    }
  }

  @Test func `versions before 1.2 are refused`() async throws {
    try await RunningServer.run(importing: [], options) { server in
      var client = try client(server)
      client.maxVersion = .tlsv12
      #expect(try await client.get("/healthz").status == 200)
      client.maxVersion = .tlsv11
      await #expect(throws: (any Error).self) { try await client.get("/healthz") }
    }
  }

  // MARK: Who a page is from

  @Test func `a session's cookie is for TLS alone, whatever the name`() async throws {
    var options = options
    options.hostNames = ["plants.example"]
    try await AccessFixture.run(options) { fixture in
      let client = try client(fixture.server)
      let begun = try await client.answer(
        "POST", "/api/v1/session", ["Host: plants.example"],
        body: #"{"token":"\#(fixture.secret)"}"#)
      let cookie = try #require(begun.headers["set-cookie"])
      #expect(cookie.hasPrefix("__Host-leaflog=") && cookie.contains("; Secure"))
    }
  }

  @Test func `a page that came without TLS is another site's`() async throws {
    try await AccessFixture.run(options) { fixture in
      let (client, port) = (try client(fixture.server), fixture.server.port)
      for (origin, status) in [
        ("https://localhost:\(port)", 201), ("http://localhost:\(port)", 403),
        ("https://localhost", 403), ("https://evil.example:\(port)", 403),
      ] {
        let answer = try await client.answer(
          "POST", "/api/v1/tokens",
          ["Host: localhost:\(port)", "Origin: \(origin)", fixture.bearer],
          body: #"{"name":"camera"}"#)
        #expect(answer.status == status, "\(origin)")
      }
    }
  }

  // MARK: Renewal

  @Test func `a renewed certificate is taken up, a broken one is not`() async throws {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { _ in
      LogLines(.logfmt) { line in lines.withLock { $0.append(line) } }
    }
    try await RunningServer.run(importing: [], options, logger: logger) { server in
      #expect(try await client(server).get("/healthz").status == 200)
      let renewed = try TestCertificate()
      // The key follows a moment later: the two do not go together until then.
      try folder.write(Data(renewed.certificate.utf8), to: "certificate.pem")
      #expect(try await client(server).get("/healthz").status == 200)
      #expect(lines.withLock { $0.count { $0.contains("does not match the key") } } == 1)
      try renewed.write(to: folder)
      #expect(try await client(server, trusting: renewed).get("/healthz").status == 200)
      await #expect(throws: (any Error).self) { try await client(server).get("/healthz") }
      for damage in [Data(), Data("no PEM".utf8)] {
        try folder.write(damage, to: "key.pem")
        #expect(try await client(server, trusting: renewed).get("/healthz").status == 200)
      }
      try FileManager.default.removeItem(atPath: folder.file("certificate.pem"))
      #expect(try await client(server, trusting: renewed).get("/healthz").status == 200)
    }
  }

  @Test func `a server does not start without a certificate that can be read`() async throws {
    let other = try TestCertificate()
    for (name, data, words) in [
      ("key.pem", Data(other.key.utf8), "does not match the key"),
      ("key.pem", Data(), "contain a private key"),
      ("certificate.pem", Data(), "contain a certificate"),
    ] {
      try certificate.write(to: folder)
      try folder.write(data, to: name)
      await refuses(words)
    }
    try FileManager.default.removeItem(atPath: folder.file("certificate.pem"))
    await refuses("cannot be read")
  }

  private func refuses(_ words: String) async {
    let error = await #expect(throws: LeaflogError.self) {
      _ = try await RunningServer(importing: [], options)
    }
    #expect(error?.code == .failed && error?.message.contains(words) == true)
  }

  // MARK: Limits

  @Test func `a handshake has a time`() async throws {
    var options = options
    options.limits.handshake = .milliseconds(50)
    try await RunningServer.run(importing: [], options) { server in
      // The beginning of a greeting, and nothing at all.
      for text in ["\u{16}\u{3}\u{1}", ""] {
        let slow = try RawConnection(port: server.port)
        await slow.send(text)
        #expect(try await slow.receive() == "")
      }
    }
  }

  @Test func `connections before their handshake count, and the surplus goes`() async throws {
    var options = options
    options.limits.connectionCount = 8
    try await RunningServer.run(importing: [], options) { server in
      var idle: [RawConnection] = []
      for _ in 0..<20 { idle.append(try RawConnection(port: server.port)) }
      try await withThrowingTaskGroup(of: String.self) { group in
        for connection in idle { group.addTask { try await connection.receive() } }
        for _ in 0..<12 {
          let received = try await group.next()
          #expect(received == "")
        }
        // Eight stay until they are ended here.
        let health = try await client(server).get("/healthz")
        #expect(health.status == 200)
        idle.forEach { $0.abort() }
      }
    }
  }

  @Test func `the limits of heads and bodies hold over TLS`() async throws {
    var options = options
    (options.limits.head, options.limits.bodySpan) = (.milliseconds(50), .milliseconds(50))
    try await RunningServer.run(importing: [], options) { server in
      let client = try client(server)
      let slow = try await client.answer(
        "POST", "/api/v1/session", ["Content-Type: application/json", "Content-Length: 900"])
      #expect(slow.status == 408)
      #expect(try await client.bytes(Array("GET /hea".utf8)).isEmpty)
    }
  }
}
