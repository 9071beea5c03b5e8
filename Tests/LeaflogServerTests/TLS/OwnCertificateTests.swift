import Foundation
import Leaflog
import LeaflogServer
import NIOSSL
import Synchronization
import TestSupport
import Testing

/// The service's certificate of its own.
@Suite struct OwnCertificateTests {
  private static let names = MachineNames(
    hosts: ["localhost", "pi", "pi.local"],
    addresses: [.loopback, IPAddress("192.168.1.5") ?? .loopback])

  private let folder: TemporaryFolder
  private let clock = TestClock(at: .noonInJune)
  private let library: Library

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.create(
      at: folder.file("library"), .init(policy: .exact, timeZone: .gmt), clock: clock.wallClock)
  }

  private var authorityPath: String { folder.file("library/tls-authority.pem") }
  private var formerPath: String { folder.file("library/tls-former-authority.pem") }
  private var serverPath: String { folder.file("library/tls-server.pem") }

  private func own(_ names: MachineNames = Self.names) -> OwnCertificate {
    OwnCertificate(of: library) { names }
  }

  private func certificate(_ path: String) throws -> TestCertificate {
    try TestCertificate(file: path)
  }

  private var options: ServerOptions {
    var options = ServerOptions()
    options.tls = .own
    options.alwaysRequiresToken = true
    return options
  }

  private func client(_ server: RunningServer, _ name: String = "localhost") throws -> SecureClient
  {
    let path = server.library.path + "/tls-authority.pem"
    return SecureClient(
      port: server.port, roots: try NIOSSLCertificate.fromPEMFile(path), name: name)
  }

  // MARK: Making it

  @Test func `where others can read all files, no key is kept`() throws {
    let path = folder.file("open")
    let library = try Library.create(
      at: path, .init(policy: .exact, timeZone: .gmt), files: OpenFileSystem())
    let error = #expect(throws: LeaflogError.self) {
      try OwnCertificate(of: library) { Self.names }.renew()
    }
    #expect(error?.code == .refused && error?.remedy == .hideKey)
    #expect(!folder.files(below: "open").contains { $0.hasPrefix("tls-") })
    try library.close()
    // Nor is one served that has become readable.
    try own().renew()
    chmod(authorityPath, 0o644)
    try own().renew()
    chmod(folder.file("library"), 0o755)
    let refused = #expect(throws: LeaflogError.self) { try own().renew() }
    #expect(refused?.code == .refused && refused?.remedy == .hideKey)
  }

  @Test func `both certificates are as devices want them`() throws {
    let state = try own().renew()
    #expect(state.isRenewed && state.namesLeftOut.isEmpty)
    let authority = try certificate(authorityPath)
    #expect(try authority.lines(of: "basicConstraints") == ["CA:TRUE, pathlen:0"])
    #expect(try authority.lines(of: "keyUsage") == ["Certificate Sign, CRL Sign"])
    let server = try certificate(serverPath)
    #expect(try server.lines(of: "basicConstraints") == ["CA:FALSE"])
    #expect(try server.lines(of: "keyUsage") == ["Digital Signature"])
    let (first, last) = try server.validity
    #expect(last.timeIntervalSince(first) == 397 * 86_400)
    for certificate in [authority, server] {
      #expect(
        try certificate.lines(of: "extendedKeyUsage") == ["TLS Web Server Authentication"])
      let text = try certificate.text
      #expect(text.contains("Version: 3 (0x2)") && text.contains("ASN1 OID: prime256v1"))
      for name in ["Basic Constraints", "Key Usage"] {
        #expect(text.contains("X509v3 \(name): critical"))
      }
    }
    #expect(try authority.text.contains("X509v3 Name Constraints: critical"))
    #expect(
      try server.lines(of: "authorityKeyIdentifier") == authority.lines(of: "subjectKeyIdentifier"))
    #expect(state.authority.fingerprint.count == 95)
    #expect(state.authority.certificate == authority.certificate)
  }

  @Test func `nobody else can read the keys, and no backup has them`() throws {
    try own().renew()
    for path in [authorityPath, serverPath] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("PRIVATE KEY"))
    }
    _ = try Backup(library).run(BackupRequest(path: folder.file("backup"))) { _ in }
    #expect(!folder.files(below: "backup").contains { $0.hasPrefix("tls-") })
  }

  // MARK: Renewing it

  @Test func `it is renewed when fewer than thirty days are left, by the same authority`() throws {
    let first = try own().renew()
    clock.pass(days: 366)
    #expect(try !own().renew().isRenewed)
    let before = try certificate(serverPath)
    clock.pass(days: 1)
    let renewed = try own().renew()
    #expect(renewed.isRenewed && renewed.authority == first.authority)
    let after = try certificate(serverPath)
    #expect(after.certificate != before.certificate && after.key != before.key)
    #expect(try !own().renew().isRenewed)
  }

  @Test func `one that was issued under a clock that was ahead is followed by another`() throws {
    let first = try own().renew()
    let future = try clock.at(#require(RecordedTime("2028-01-01T12:00Z"))) { try own().renew() }
    #expect(future.isRenewed && future.authority == first.authority)
    let now = try own().renew()
    #expect(now.isRenewed && now.authority == first.authority && !now.isEarly)
    #expect(
      try certificate(serverPath).validity.first < Date(timeIntervalSince1970: 1_780_315_200))
    #expect(try !own().renew().isRenewed)
  }

  @Test func `an authority stays when its validity has not begun, and that is said`() throws {
    let first = try own().renew()
    let early = try clock.at(#require(RecordedTime("2020-01-01T12:00Z"))) { try own().renew() }
    #expect(early.isEarly && !early.isRenewed && early.authority == first.authority)
    let now = try own().renew()
    #expect(!now.isEarly && !now.isRenewed && now.authority == first.authority)
    #expect(!FileManager.default.fileExists(atPath: formerPath))
  }

  @Test func `an authority that was replaced under a clock that was ahead comes back`() throws {
    let first = try own().renew()
    let ahead = try clock.at(#require(RecordedTime("2036-06-01T12:00Z"))) { try own().renew() }
    #expect(ahead.authority != first.authority)
    let now = try own().renew()
    #expect(now.authority == first.authority && now.isRenewed && !now.isEarly)
  }

  @Test func `an authority at its end is followed by another`() throws {
    let first = try own().renew()
    clock.pass(days: 3600)
    #expect(try own().renew().authority == first.authority)
    let (server, authority) = try (certificate(serverPath), certificate(authorityPath))
    #expect(try server.validity.last == authority.validity.last)
    clock.pass(days: 21)
    let former = try String(contentsOfFile: authorityPath, encoding: .utf8)
    let second = try own().renew()
    #expect(second.isRenewed && second.authority != first.authority)
    #expect(try String(contentsOfFile: formerPath, encoding: .utf8) == former)
  }

  @Test func `it follows the machine's names as far as its authority may`() throws {
    let first = try own().renew()
    var names = Self.names
    names.hosts = ["localhost", "moved.local", "plants.example"]
    names.addresses.formUnion([
      try #require(IPAddress("10.0.0.7")), try #require(IPAddress("203.0.113.1")),
    ])
    let second = try own(names).renew()
    #expect(second.isRenewed && second.authority == first.authority)
    #expect(second.namesLeftOut == ["plants.example"])
    let alternatives = try certificate(serverPath).lines(of: "subjectAltName").joined()
    #expect(alternatives.contains("DNS:moved.local") && !alternatives.contains("plants.example"))
    #expect(!alternatives.contains("pi.local") && alternatives.split(separator: ",").count == 6)
    #expect(try !own(names).renew().isRenewed)
  }

  @Test func `a damaged certificate is made anew, a damaged authority is not`() throws {
    let first = try own().renew()
    let authority = try Data(contentsOf: URL(fileURLWithPath: authorityPath))
    for damage in [Data(), Data("-----BEGIN".utf8), authority] {
      try folder.write(damage, to: "library/tls-server.pem")
      let state = try own().renew()
      #expect(state.isRenewed && state.authority == first.authority)
    }
    let server = try Data(contentsOf: URL(fileURLWithPath: serverPath))
    for damage in [Data(), authority.prefix(300), authority.prefix(400) + server.suffix(300)] {
      try folder.write(damage, to: "library/tls-authority.pem")
      let error = #expect(throws: LeaflogError.self) { try own().renew() }
      #expect(error?.code == .damaged)
    }
    try FileManager.default.removeItem(atPath: authorityPath)
    let other = try own().renew()
    #expect(other.isRenewed && other.authority != first.authority)
  }

  @Test func `an authority of an earlier version stays until it is replaced`() throws {
    // OpenSSL dates its certificates by the clock of the system.
    let library = try Library.create(
      at: folder.file("former"), .init(policy: .exact, timeZone: .gmt))
    func own(_ names: MachineNames = Self.names) -> OwnCertificate {
      OwnCertificate(of: library) { names }
    }
    try own().renew()
    let path = folder.file("former/tls-authority.pem")
    let present = try certificate(path)
    let former = try TestCertificate(
      subject: "/O=Leaflog/CN=Leaflog on pi.local",
      extensions: [
        "basicConstraints = critical, CA:true, pathlen:0",
        "keyUsage = critical, keyCertSign, cRLSign",
        "nameConstraints = critical, permitted;DNS:local, permitted;DNS:old.example, "
          + "permitted;DNS:localhost, permitted;DNS:pi",
      ], days: 3650, key: present.key)
    try folder.write(
      Data((former.certificate + former.key).utf8), to: "former/tls-authority.pem")
    let kept = try own().renew()
    #expect(kept.authority.isOutdated && kept.namesLeftOut.isEmpty)
    #expect(try certificate(path).certificate == former.certificate)
    let other = try own().replaceAuthority(alsoFor: ["plants.example"])
    #expect(!other.isOutdated && other.fingerprint != kept.authority.fingerprint)
    let names = MachineNames(
      hosts: Self.names.hosts.union(["old.example", "plants.example"]),
      addresses: Self.names.addresses)
    let renewed = try own(names).renew()
    #expect(renewed.authority == other && renewed.namesLeftOut.isEmpty)
    #expect(try !own(names).renew().isRenewed)
    try library.close()
  }

  @Test func `a missing authority is not replaced`() throws {
    let error = #expect(throws: LeaflogError.self) { try own().replaceAuthority(alsoFor: []) }
    #expect(error?.code == .notFound)
    #expect(!FileManager.default.fileExists(atPath: authorityPath))
  }

  // MARK: Serving with it

  @Test func `who trusts the authority gets in by any of the machine's names`() async throws {
    try await RunningServer.run(importing: [], options, prepare: addToken) { server in
      #expect(try await client(server).get("/healthz").status == 200)
      // The running server takes it up.
      _ = try OwnCertificate(of: server.library) { Self.names }.renew()
      let renewed = try client(server, "pi.local")
      // A known name leads on to the token.
      #expect(try await renewed.get("/api/v1/timeline", ["Host: localhost"]).status == 401)
      let label = try #require(ProcessInfo.processInfo.hostName.split(separator: ".").first)
      let local = "Host: \(label.lowercased()).local:\(server.port)"
      #expect(try await renewed.get("/api/v1/timeline", [local]).status == 401)
      #expect(try await renewed.get("/api/v1/timeline", ["Host: plants.example"]).status == 421)
    }
  }

  private func addToken(_ library: Library) throws { _ = try library.tokens.add("phone") }

  @Test func `everybody can read how to trust it, and fetch it`() async throws {
    try await RunningServer.run(importing: [], options, prepare: addToken) { server in
      let client = try client(server)
      let authority = try await client.get("/trust/ca.crt")
      #expect(authority.status == 200)
      #expect(authority.headers["content-type"] == "application/x-x509-ca-cert")
      let text = String(decoding: authority.body, as: UTF8.self)
      let kept = try certificate(server.library.path + "/tls-authority.pem")
      #expect(text == kept.certificate)
      #expect(!text.contains("PRIVATE KEY"))
      let page = try await client.get("/trust")
      #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
      let words = String(decoding: page.body, as: UTF8.self)
      for part in ["Android", "iPhone", "macOS", "Windows", "Linux", "/trust/ca.crt"] {
        #expect(words.contains(part), "\(part)")
      }
      let state = try OwnCertificate(of: server.library).renew()
      #expect(state.authority.fingerprintLines.allSatisfy { words.contains("<code>\($0)</code>") })
      #expect(
        state.authority.fingerprintLines.joined(separator: ":") == state.authority.fingerprint)
      #expect(try await client.get("/api/v1/timeline").status == 401)
    }
  }

  @Test func `a server without an authority of its own has no such page`() async throws {
    try await RunningServer.run(importing: []) { server in
      for path in ["/trust", "/trust/ca.crt"] {
        let answer = try await server.answer(path)
        #expect(answer.status == 404)
      }
    }
  }
}
