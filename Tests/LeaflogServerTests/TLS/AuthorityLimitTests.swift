import Foundation
import Leaflog
import LeaflogServer
import NIOSSL
import TestSupport
import Testing

/// The limits of the library's own authority, as the programs that trust it see them: swift-nio-ssl, which is BoringSSL,
/// and OpenSSL. Chromium is asked in `Tests/BrowserTests`.
@Suite struct AuthorityLimitTests {
  private static let local = "DNS:any.local"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An authority with these limits for names (x509v3_config(5)), and no others.
  private func limited(to names: String) throws -> TestCertificate {
    try TestCertificate(
      subject: "/CN=limited",
      extensions: [
        "basicConstraints = critical, CA:true, pathlen:0",
        "keyUsage = critical, keyCertSign, cRLSign", "nameConstraints = critical, \(names)",
      ])
  }

  private func leaf(
    _ names: String, of issuer: TestCertificate, _ usage: String = "serverAuth"
  ) throws -> TestCertificate {
    try TestCertificate(
      subject: "/",
      extensions: ["subjectAltName = critical, \(names)", "extendedKeyUsage = \(usage)"],
      issuer: issuer)
  }

  /// The library's own authority.
  private func own(alsoFor hosts: Set<String> = []) throws -> TestCertificate {
    let library = try Library.create(
      at: folder.file("library"), .init(policy: .exact, timeZone: .gmt))
    let own = OwnCertificate(of: library) { MachineNames(hosts: ["pi"], addresses: [.loopback]) }
    try own.renew()
    if !hosts.isEmpty { _ = try own.replaceAuthority(alsoFor: hosts) }
    try library.close()
    return try TestCertificate(file: folder.file("library/tls-authority.pem"))
  }

  /// Whether BoringSSL connects to a server that has the certificate.
  private func connects(_ leaf: TestCertificate, of issuer: TestCertificate) async throws -> Bool {
    var options = ServerOptions()
    options.tls = .files(try leaf.write(to: folder))
    var isConnected = false
    try await RunningServer.run(importing: [], options) { server in
      let client = SecureClient(port: server.port, roots: [try issuer.root], name: "any.local")
      let answer = try? await client.get("/healthz", ["Host: localhost"])
      isConnected = answer?.status == 200
    }
    return isConnected
  }

  /// Whether OpenSSL verifies it.
  private func verifies(
    _ leaf: TestCertificate, of issuer: TestCertificate, for purpose: String = "sslserver"
  ) throws -> Bool {
    let authority = try folder.write(Data(issuer.certificate.utf8), to: "ca.pem")
    let path = try folder.write(Data(leaf.certificate.utf8), to: "leaf.pem")
    do {
      try OpenSSL.run(["verify", "-purpose", purpose, "-CAfile", authority, path])
      return true
    } catch is OpenSSL.Failure {
      return false
    }
  }

  @Test func `the authority vouches for no name on the internet, and for servers alone`()
    async throws
  {
    let issuer = try own()
    for (names, isTrusted) in [
      ("", true), (", DNS:evil.example", false), (", email:anna@evil.example", false),
      (", email:anna@any.local", false),
      // The page about trusting it says so.
      (", IP:1.1.1.1", true),
    ] {
      let leaf = try leaf(Self.local + names, of: issuer)
      #expect(try verifies(leaf, of: issuer) == isTrusted, "\(names)")
      #expect(try await connects(leaf, of: issuer) == isTrusted, "\(names)")
    }
    let mail = try leaf(Self.local, of: issuer, "emailProtection")
    #expect(try !verifies(mail, of: issuer, for: "smimesign"))
    let unlimited = try limited(to: "permitted;DNS:local")
    let other = try leaf(Self.local, of: unlimited, "emailProtection")
    #expect(try verifies(other, of: unlimited, for: "smimesign"))
  }

  @Test func `a name with commas, quotes or 200 characters limits as one name`() throws {
    let strange = [
      "a,permitted;DNS:evil.example", "b\"c", "d'e", "f\\g", "h\ni",
      String(repeating: "x", count: 200),
    ]
    let issuer = try own(alsoFor: Set(strange))
    let lines = try issuer.lines(of: "nameConstraints")
    #expect(lines.first == "Permitted:" && !lines.contains("DNS:evil.example"))
    // OpenSSL prints a line break as one.
    #expect(lines.count { $0.hasPrefix("DNS:") } == 5 + strange.count, "\(lines)")
    #expect(lines.count { $0.hasPrefix("email:") } == 1 && lines.contains("email:invalid"))
    #expect(lines.contains("DNS:" + strange[5]) && lines.contains("DNS:" + strange[0]))
    let evil = try leaf("DNS:evil.example", of: issuer)
    #expect(try !verifies(evil, of: issuer))
    #expect(try verifies(leaf(Self.local, of: issuer), of: issuer))
  }

  /// Where this fails, the authority can be limited to private addresses.
  @Test func `limits for addresses are verified by OpenSSL, and still refused by BoringSSL`()
    async throws
  {
    for limits in [
      "permitted;IP:192.168.0.0/255.255.0.0, permitted;IP:fc00::/fe00::",
      "excluded;IP:1.0.0.0/255.0.0.0",
    ] {
      let issuer = try limited(to: "permitted;DNS:local, " + limits)
      let certificate = try leaf(Self.local + ", IP:192.168.1.5", of: issuer)
      #expect(try verifies(certificate, of: issuer))
      #expect(try await !connects(certificate, of: issuer))
    }
  }
}
