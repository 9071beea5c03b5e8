import Foundation
import Glibc
import Leaflog
import LeaflogServer
import NIOCore
import TestSupport
import Testing

/// The service behind proxies that are set up as the manual says.
@Suite struct ProxyTests {
  private var options: ServerOptions {
    var options = ServerOptions()
    (options.hostNames, options.proxies) = (["plants.example"], AddressRange.loopback)
    return options
  }

  /// HAProxy takes a service for dead that does not answer its checks, which have no host.
  @Test(.timeLimit(.minutes(10)))
  func `health checks are answered`() async throws {
    try await AccessFixture.run(options) { fixture in
      let proxy = try await RunningProxy(.haproxy, before: fixture.server.port)
      let line = #"requests_total{method="GET",route="/healthz",status="200"}"#
      var metrics = ""
      while !metrics.contains(line) {
        let answer = try await fixture.server.answer("/metrics", [fixture.bearer])
        metrics = String(decoding: answer.body, as: UTF8.self)
        #expect(!metrics.contains(#"route="/healthz",status="4"#))
      }
      proxy.stop()
    }
  }

  @Test(arguments: ProxyProgram.allCases)
  func `photos are sent, and the timeline is read`(program: ProxyProgram) async throws {
    try await AccessFixture.run(options) { fixture in
      let proxy = try await RunningProxy(program, before: fixture.server.port)
      let (client, host) = (try proxy.client(), "Host: plants.example:\(proxy.port)")
      let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
      let sent = try await client.answer(
        "POST", "/api/v1/photos?name=20250510T120006.jpg&plant=basil",
        [host, fixture.bearer, "Content-Type: image/jpeg"], bytes: Array(photo))
      #expect(sent.status == 201)
      let page = try await client.get("/api/v1/timeline", [host, fixture.bearer])
      #expect(page.status == 200)
      let entries = try #require(try page.json["items"] as? [[String: Any]])
      let id = try #require(entries.first?["id"])
      let original = try await client.get(
        "/api/v1/photos/\(id)/original", [host, fixture.bearer])
      #expect(original.body == Array(photo))
      #expect(try await client.get("/healthz", [host]).status == 200)
      proxy.stop()
    }
  }

  @Test(arguments: ProxyProgram.allCases)
  func `a browser has a cookie for TLS, and writes from its own pages only`(
    program: ProxyProgram
  ) async throws {
    try await AccessFixture.run(options) { fixture in
      let proxy = try await RunningProxy(program, before: fixture.server.port)
      let (client, host) = (try proxy.client(), "Host: plants.example:\(proxy.port)")
      let begun = try await client.answer(
        "POST", "/api/v1/session", [host], body: #"{"token":"\#(fixture.secret)"}"#)
      let cookie = try #require(begun.headers["set-cookie"])
      #expect(cookie.hasPrefix("__Host-leaflog=") && cookie.contains("; Secure"))
      for (origin, status) in [
        ("https://plants.example:\(proxy.port)", 201), ("http://plants.example:\(proxy.port)", 403),
        ("https://evil.example", 403),
      ] {
        let answer = try await client.answer(
          "POST", "/api/v1/tokens",
          [host, "Origin: \(origin)", "Cookie: \(cookie.prefix { $0 != ";" })"],
          body: #"{"name":"camera"}"#)
        #expect(answer.status == status, "\(origin)")
      }
      let foreign = try await client.get(
        "/api/v1/timeline", ["Host: evil.example", fixture.bearer])
      // Caddy answers names that it has not been given itself, with nothing.
      #expect(foreign.status == (program == .caddy ? 200 : 421))
      #expect(program != .caddy || foreign.body.isEmpty)
      proxy.stop()
    }
  }

  @Test
  func `a socket is for its owner and group, and what comes through it is the proxy's`()
    async throws
  {
    let folder = try TemporaryFolder()
    var options = ServerOptions()
    (options.hostNames, options.socket) = (["plants.example"], folder.file("socket"))
    let path = folder.file("socket")
    try await AccessFixture.run(options) { fixture in
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o660)
      let proxy = try await RunningProxy(.nginx, before: "unix:\(path)")
      let (client, host) = (try proxy.client(), "Host: plants.example:\(proxy.port)")
      #expect(try await client.get("/api/v1/timeline", [host, fixture.bearer]).status == 200)
      let begun = try await client.answer(
        "POST", "/api/v1/session", [host], body: #"{"token":"\#(fixture.secret)"}"#)
      #expect(begun.headers["set-cookie"]?.contains("; Secure") == true)
      proxy.stop()
      // Another service does not take it away.
      await #expect(throws: LeaflogError.self) { try await AccessFixture.run(options) { _ in } }
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ProxyProgram.allCases)
  func `events come one by one`(program: ProxyProgram) async throws {
    try await JobServer.run { server in
      let proxy = try await RunningProxy(program, before: server.port)
      let gate = SteppedJob.gate("proxy-\(program)")
      let client = try proxy.client()
      let job = try await client.answer(
        "POST", "/api/v1/jobs", ["Host: localhost"],
        body: #"{"kind":"stepped","gate":"proxy-\#(program)"}"#)
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
      proxy.stop()
    }
  }
}

/// A program that the manual has an example of.
enum ProxyProgram: String, CaseIterable, Sendable {
  case nginx, caddy, apache, haproxy

  /// Where it is installed. A test of one that is not is skipped, and says so.
  fileprivate func path() throws -> String {
    let name = self == .apache ? "apache2" : rawValue
    let places = ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/"].map { $0 + name }
    guard let path = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      try Test.cancel("\(name) is not installed (.ci/install tests)")
    }
    return path
  }

  /// The manual's example.
  var ofManual: String {
    get throws {
      let manual = try String(
        contentsOfFile: Fixtures.path("../Sources/Leaflog/Leaflog.docc/RunningLeaflog.md"),
        encoding: .utf8)
      let language = self == .caddy ? "caddyfile" : rawValue
      let start = try #require(manual.range(of: "```\(language)\n")).upperBound
      let end = try #require(manual.range(of: "```", range: start..<manual.endIndex)).lowerBound
      return String(manual[start..<end])
    }
  }

  /// What a test writes instead of ports, files and the certificate, which are the machine's.
  fileprivate func replacements(_ upstream: String, _ port: Int, _ files: TLSFiles) -> [(
    String, String
  )] {
    let certificate = [
      ("/etc/letsencrypt/live/plants.example/fullchain.pem", files.certificate),
      ("/etc/letsencrypt/live/plants.example/privkey.pem", files.key),
    ]
    return [("127.0.0.1:8765", upstream)]
      + {
        switch self {
        case .nginx: certificate + [("listen 443 ssl", "listen 127.0.0.1:\(port) ssl")]
        case .apache: certificate + [("*:443", "127.0.0.1:\(port)")]
        case .caddy:
          [
            (
              "plants.example {",
              """
              https://plants.example:\(port), https://localhost:\(port) {
                bind 127.0.0.1
                tls \(files.certificate) \(files.key)
              """
            )
          ]
        case .haproxy:
          [
            ("bind :443", "bind 127.0.0.1:\(port)"),
            ("/etc/haproxy/plants.example.pem", files.certificate + ".both"),
            // One check, which has as long as a busy machine needs: at the start, a single one that
            // fails is enough for HAProxy to take the service for dead.
            (" check", " check inter 10m"),
          ]
        }
      }()
  }

  /// The whole settings, with what a machine's own have around the example.
  ///
  /// - Parameter isRoot: its workers would be nobody, who may not write in a test's folder.
  fileprivate func settings(_ example: String, in folder: TemporaryFolder, isRoot: Bool) -> String {
    switch self {
    case .nginx:
      let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n")
      return """
        \(isRoot ? "user root;" : "")
        daemon off;
        pid \(folder.file("pid"));
        error_log stderr notice;
        events {}
        http {
        access_log off;
        \(folders)
        \(example)
        }
        """
    case .caddy:
      return """
        {
          admin off
          auto_https disable_redirects
          storage file_system \(folder.file("caddy"))
        }
        \(example)
        """
    case .apache:
      let modules = [
        "mpm_event", "authz_core", "ssl", "socache_shmcb", "headers", "proxy", "proxy_http",
      ].map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
      let address = example.firstMatch(of: /<VirtualHost ([^>]+)>/)?.1 ?? ""
      return """
        ServerRoot \(folder.path)
        ServerName plants.example
        PidFile \(folder.file("pid"))
        ErrorLog /dev/stderr
        LogLevel notice
        DefaultRuntimeDir \(folder.path)
        Listen \(address)
        \(modules.joined(separator: "\n"))
        \(isRoot ? "User www-data\nGroup www-data" : "")
        \(example)
        """
    case .haproxy: return example
    }
  }

  /// The arguments that keep it in the foreground.
  fileprivate func arguments(_ settings: String, in folder: TemporaryFolder) -> [String] {
    switch self {
    case .nginx: ["-p", folder.path, "-c", settings]
    case .caddy: ["run", "--adapter", "caddyfile", "--config", settings]
    case .apache: ["-DFOREGROUND", "-d", folder.path, "-f", settings]
    case .haproxy: ["-W", "-db", "-f", settings]
    }
  }

  /// What it says on standard error when it has started.
  fileprivate var begins: String {
    switch self {
    case .nginx: "start worker process"
    case .caddy: "serving initial configuration"
    case .apache: "resuming normal operations"
    case .haproxy: "Loading success"
    }
  }
}

/// A proxy with the manual's settings, but for ports, files and the certificate.
private final class RunningProxy {
  let port: Int
  private let folder: TemporaryFolder
  private let certificate: TestCertificate
  private let running: Command.Running

  convenience init(_ program: ProxyProgram, before server: Int) async throws {
    try await self.init(program, before: "127.0.0.1:\(server)")
  }

  /// - Parameter upstream: the service's address, as the proxy writes it.
  init(_ program: ProxyProgram, before upstream: String) async throws {
    let executable = try program.path()
    // A port that nobody has at the moment.
    let (folder, port) = (try TemporaryFolder(), Int(try LoopbackServer(.silence).port))
    (self.folder, self.port) = (folder, port)
    certificate = try TestCertificate()
    let files = try certificate.write(to: folder)
    let both = try [files.certificate, files.key].map {
      try String(contentsOfFile: $0, encoding: .utf8)
    }
    try both.joined().write(toFile: files.certificate + ".both", atomically: true, encoding: .utf8)
    var example = try program.ofManual
    for (text, other) in program.replacements(upstream, port, files) {
      try #require(example.contains(text), "\(text)")
      example = example.replacing(text, with: other)
    }
    let text = program.settings(example, in: folder, isRoot: geteuid() == 0) + "\n"
    let path = try folder.write(Data(text.utf8), to: "settings")
    var command = Command(library: nil)
    command.environment["HOME"] = folder.path
    let running = try command.start(
      program.arguments(path, in: folder), program: executable)
    self.running = running
    let started = await withTaskExecutorPreference(Threads()) {
      running.error.skip(to: program.begins)
    }
    try #require(started, "\(running.error.text)")
  }

  deinit { stop() }

  /// Ends all of its processes, which are a group: Apache keeps the signals blocked that this process has, SIGTERM among
  /// them.
  func stop() {
    if running.process.isRunning { kill(-running.process.processIdentifier, SIGKILL) }
  }

  func client() throws -> SecureClient {
    SecureClient(port: port, roots: [try certificate.root])
  }
}
