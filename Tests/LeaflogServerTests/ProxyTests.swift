import Foundation
import Glibc
import Leaflog
import LeaflogServer
import NIOCore
import TestSupport
import Testing

/// The service behind nginx, set up as the manual says.
@Suite(.enabled(if: Nginx.program != nil, "nginx is not installed (apt: nginx-light)"))
struct ProxyTests {
  private var options: ServerOptions {
    var options = ServerOptions()
    (options.hostNames, options.isBehindProxy) = (["plants.example"], true)
    return options
  }

  @Test func `photos are sent, and the timeline is read`() async throws {
    try await AccessFixture.run(options) { fixture in
      let nginx = try await Nginx(before: fixture.server.port)
      let (client, host) = (try nginx.client(), "Host: plants.example:\(nginx.port)")
      let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
      let sent = try await client.answer(
        "POST", "/api/v1/photos?name=20250510T120006.jpg&plant=basil",
        [host, fixture.bearer, "Content-Type: image/jpeg"], bytes: Array(photo))
      #expect(sent.status == 201)
      let page = try await client.get("/api/v1/timeline", [host, fixture.bearer])
      #expect(page.status == 200)
      let entries = try #require(try page.json["entries"] as? [[String: Any]])
      let id = try #require(entries.first?["id"])
      let original = try await client.get(
        "/api/v1/photos/\(id)/original", [host, fixture.bearer])
      #expect(original.body == Array(photo))
      nginx.stop()
    }
  }

  @Test func `a browser has a cookie for TLS, and writes from its own pages only`() async throws {
    try await AccessFixture.run(options) { fixture in
      let nginx = try await Nginx(before: fixture.server.port)
      let (client, host) = (try nginx.client(), "Host: plants.example:\(nginx.port)")
      let begun = try await client.answer(
        "POST", "/api/v1/session", [host], body: #"{"token":"\#(fixture.secret)"}"#)
      let cookie = try #require(begun.headers["set-cookie"])
      #expect(cookie.hasPrefix("__Host-leaflog=") && cookie.contains("; Secure"))
      for (origin, status) in [
        ("https://plants.example:\(nginx.port)", 201), ("http://plants.example:\(nginx.port)", 403),
        ("https://evil.example", 403),
      ] {
        let answer = try await client.answer(
          "POST", "/api/v1/tokens",
          [host, "Origin: \(origin)", "Cookie: \(cookie.prefix { $0 != ";" })"],
          body: #"{"name":"camera"}"#)
        #expect(answer.status == status, "\(origin)")
      }
      let foreign = try await client.get("/healthz", ["Host: evil.example"])
      #expect(foreign.status == 421)
      nginx.stop()
    }
  }

  @Test func `a socket is for its owner and group, and what comes through it is the proxy's`()
    async throws
  {
    let folder = try TemporaryFolder()
    var options = ServerOptions()
    (options.hostNames, options.socket) = (["plants.example"], folder.file("socket"))
    let path = folder.file("socket")
    try await AccessFixture.run(options) { fixture in
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o660)
      let nginx = try await Nginx(before: "unix:\(path)")
      let (client, host) = (try nginx.client(), "Host: plants.example:\(nginx.port)")
      #expect(try await client.get("/api/v1/timeline", [host, fixture.bearer]).status == 200)
      let begun = try await client.answer(
        "POST", "/api/v1/session", [host], body: #"{"token":"\#(fixture.secret)"}"#)
      #expect(begun.headers["set-cookie"]?.contains("; Secure") == true)
      nginx.stop()
      // Another service does not take it away.
      await #expect(throws: LeaflogError.self) { try await AccessFixture.run(options) { _ in } }
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `events come one by one`() async throws {
    try await JobServer.run { server in
      let nginx = try await Nginx(before: server.port)
      let gate = SteppedJob.gate("nginx")
      let client = try nginx.client()
      let job = try await client.answer(
        "POST", "/api/v1/jobs", ["Host: localhost"], body: #"{"kind":"stepped","gate":"nginx"}"#)
      let id = try #require(try job.json["id"] as? String)
      let lines = [
        "GET /api/v1/jobs/\(id)/events HTTP/1.1", "Host: localhost", "Connection: close", "", "",
      ]
      try await client.connect().executeThenClose { inbound, outbound in
        try await outbound.write(ByteBuffer(string: lines.joined(separator: "\r\n")))
        var text = ""
        for try await buffer in inbound {
          text += String(buffer: buffer)
          // The job goes on once its first event has come.
          if text.contains("event: progress") { gate.finish() }
        }
        #expect(text.contains("event: end"))
      }
      nginx.stop()
    }
  }
}

/// nginx with the manual's settings, but for ports, files and the certificate.
private final class Nginx {
  static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let port: Int
  private let folder: TemporaryFolder
  private let certificate: TestCertificate
  private let running: Command.Running

  convenience init(before server: Int) async throws {
    try await self.init(before: "127.0.0.1:\(server)")
  }

  /// - Parameter upstream: the service's address, as nginx writes it.
  init(before upstream: String) async throws {
    let (folder, port) = (try TemporaryFolder(), try Self.freePort())
    (self.folder, self.port) = (folder, port)
    certificate = try TestCertificate()
    let files = try certificate.write(to: folder)
    var settings = try Self.ofManual
    for (text, other) in [
      ("listen 443 ssl", "listen 127.0.0.1:\(port) ssl"), ("127.0.0.1:8765", upstream),
      ("/etc/letsencrypt/live/plants.example/fullchain.pem", files.certificate),
      ("/etc/letsencrypt/live/plants.example/privkey.pem", files.key),
    ] {
      try #require(settings.contains(text), "\(text)")
      settings = settings.replacing(text, with: other)
    }
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n")
    // Its workers would be nobody, who may not write here.
    let user = geteuid() == 0 ? "user root;" : ""
    let text = """
      \(user)
      daemon off;
      pid \(folder.file("pid"));
      error_log stderr notice;
      events {}
      http {
      access_log off;
      \(folders)
      \(settings)
      }
      """
    let path = try folder.write(Data(text.utf8), to: "nginx.conf")
    let running = try Command(library: nil).start(
      ["-p", folder.path, "-c", path], program: Self.program ?? "")
    self.running = running
    let started = await withTaskExecutorPreference(Threads()) {
      running.error.skip(to: "start worker process")
    }
    try #require(started, "\(running.error.text)")
  }

  deinit { stop() }

  func stop() { running.process.terminate() }

  func client() throws -> SecureClient {
    SecureClient(port: port, roots: [try certificate.root])
  }

  private static var ofManual: String {
    get throws {
      let manual = try String(
        contentsOfFile: Fixtures.path("../Sources/Leaflog/Leaflog.docc/Service.md"), encoding: .utf8
      )
      let start = try #require(manual.range(of: "```nginx\n")).upperBound
      let end = try #require(manual.range(of: "```", range: start..<manual.endIndex)).lowerBound
      return String(manual[start..<end])
    }
  }

  /// One that nobody has at the moment.
  private static func freePort() throws -> Int {
    Int(try LoopbackServer(.silence).port)
  }
}
