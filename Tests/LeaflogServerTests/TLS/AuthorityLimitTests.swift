import Crypto
import Foundation
import Leaflog
import LeaflogServer
import NIOSSL
import SwiftASN1
import TestSupport
import Testing
import X509

/// The limits of the library's own authority, as the programs that trust it see them: swift-nio-ssl, which is BoringSSL,
/// and OpenSSL. Chromium is asked in `Tests/BrowserTests`.
@Suite struct AuthorityLimitTests {
  private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let local = [GeneralName.dnsName("any.local")]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An authority, and what it could issue.
  private struct Issuer {
    let certificate: Certificate
    let key: Certificate.PrivateKey

    init(certificate: Certificate, key: Certificate.PrivateKey) {
      (self.certificate, self.key) = (certificate, key)
    }

    /// One with these limits for names, and no others.
    init(_ constraints: NameConstraints) throws {
      let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
      let name = try DistinguishedName { CommonName("limited") }
      self.key = key
      certificate = try Certificate(
        version: .v3, serialNumber: .init(), publicKey: key.publicKey,
        notValidBefore: .now - 3600, notValidAfter: .now + 3600, issuer: name, subject: name,
        extensions: try .init {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true, cRLSign: true))
          Critical(constraints)
        }, issuerPrivateKey: key)
    }

    func leaf(
      _ names: [GeneralName], _ usage: ExtendedKeyUsage.Usage = .serverAuth
    ) throws -> Certificate {
      try Certificate(
        version: .v3, serialNumber: .init(), publicKey: key.publicKey,
        notValidBefore: .now - 3600, notValidAfter: .now + 3600, issuer: certificate.subject,
        subject: DistinguishedName {},
        extensions: try .init {
          Critical(SubjectAlternativeNames(names))
          try ExtendedKeyUsage([usage])
        }, issuerPrivateKey: key)
    }
  }

  /// The library's own authority.
  private func own() throws -> Issuer {
    let library = try Library.create(
      at: folder.file("library"), .init(policy: .exact, timeZone: .gmt))
    _ = try OwnCertificate(of: library) { MachineNames(hosts: ["pi"], addresses: [.loopback]) }
      .renew()
    try library.close()
    let text = try String(
      contentsOfFile: folder.file("library/tls-authority.pem"), encoding: .utf8)
    let end = try #require(text.range(of: "-----BEGIN PRIVATE KEY")).lowerBound
    return Issuer(
      certificate: try Certificate(pemEncoded: String(text[..<end])),
      key: try Certificate.PrivateKey(pemEncoded: String(text[end...])))
  }

  private func write(_ certificate: Certificate, to name: String) throws -> String {
    try folder.write(Data(certificate.serializeAsPEM().pemString.utf8), to: name)
  }

  /// Whether BoringSSL connects to a server that has the certificate.
  private func connects(_ leaf: Certificate, of issuer: Issuer) async throws -> Bool {
    let pem = try leaf.serializeAsPEM().pemString + "\n" + issuer.key.serializeAsPEM().pemString
    let path = try folder.write(Data(pem.utf8), to: "server.pem")
    let root = try NIOSSLCertificate.fromPEMFile(write(issuer.certificate, to: "ca.pem"))
    var options = ServerOptions()
    options.tls = .files(TLSFiles(certificate: path, key: path))
    var isConnected = false
    try await RunningServer.run(importing: [], options) { server in
      let client = SecureClient(port: server.port, roots: root, name: "any.local")
      let answer = try? await client.get("/healthz", ["Host: localhost"])
      isConnected = answer?.status == 200
    }
    return isConnected
  }

  /// Whether OpenSSL verifies it.
  private func verifies(
    _ leaf: Certificate, of issuer: Issuer, for purpose: String = "sslserver"
  ) throws -> Bool {
    try Command(library: nil).start(
      [
        "verify", "-purpose", purpose, "-CAfile", write(issuer.certificate, to: "ca.pem"),
        write(leaf, to: "leaf.pem"),
      ], program: Self.openssl ?? "openssl"
    ).wait().status == 0
  }

  @Test(.enabled(if: Self.openssl != nil, "OpenSSL is not installed (apt: openssl)"))
  func `the authority vouches for no name on the internet, and for servers alone`() async throws {
    let issuer = try own()
    let address = GeneralName.ipAddress(ASN1OctetString(contentBytes: [1, 1, 1, 1]))
    for (names, isTrusted) in [
      (Self.local, true), ([.dnsName("any.local"), .dnsName("evil.example")], false),
      (Self.local + [.rfc822Name("anna@evil.example")], false),
      (Self.local + [.rfc822Name("anna@any.local")], false),
      // The page about trusting it says so.
      (Self.local + [address], true),
    ] {
      let leaf = try issuer.leaf(names)
      #expect(try verifies(leaf, of: issuer) == isTrusted, "\(names)")
      #expect(try await connects(leaf, of: issuer) == isTrusted, "\(names)")
    }
    let mail = try issuer.leaf(Self.local, .emailProtection)
    #expect(try !verifies(mail, of: issuer, for: "smimesign"))
    let unlimited = try Issuer(NameConstraints(permittedDNSDomains: ["local"]))
    let other = try unlimited.leaf(Self.local, .emailProtection)
    #expect(try verifies(other, of: unlimited, for: "smimesign"))
  }

  /// Where this fails, the authority can be limited to private addresses.
  @Test(.enabled(if: Self.openssl != nil, "OpenSSL is not installed (apt: openssl)"))
  func `limits for addresses are verified by OpenSSL, and still refused by BoringSSL`()
    async throws
  {
    func range(_ first: [UInt8], _ mask: [UInt8]) -> ASN1OctetString {
      ASN1OctetString(contentBytes: (first + mask)[...])
    }
    let none = [UInt8](repeating: 0, count: 15)
    let private4 = range([192, 168, 0, 0], [255, 255, 0, 0])
    let private6 = range([0xfc] + none, [0xfe] + none)
    let leaf = Self.local + [.ipAddress(ASN1OctetString(contentBytes: [192, 168, 1, 5]))]
    for constraints in [
      NameConstraints(permittedDNSDomains: ["local"], permittedIPRanges: [private4, private6]),
      NameConstraints(
        permittedDNSDomains: ["local"], excludedIPRanges: [range([1, 0, 0, 0], [255, 0, 0, 0])]),
    ] {
      let issuer = try Issuer(constraints)
      let certificate = try issuer.leaf(leaf)
      #expect(try verifies(certificate, of: issuer))
      #expect(try await !connects(certificate, of: issuer))
    }
  }
}
