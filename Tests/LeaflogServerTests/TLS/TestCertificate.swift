import Crypto
import Foundation
import LeaflogServer
import NIOSSL
import TestSupport
import X509

/// A certificate for `localhost` that vouches for itself, and its key.
struct TestCertificate {
  let certificate: String
  let key: String

  init() throws {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName("localhost") }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: .now - 3600, notValidAfter: .now + 86_400, issuer: name, subject: name,
      extensions: try .init {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        SubjectAlternativeNames([.dnsName("localhost")])
      }, issuerPrivateKey: key)
    self.certificate = try certificate.serializeAsPEM().pemString + "\n"
    self.key = try key.serializeAsPEM().pemString + "\n"
  }

  /// Writes both files, or takes the place of those that are there.
  @discardableResult
  func write(to folder: TemporaryFolder) throws -> TLSFiles {
    TLSFiles(
      certificate: try folder.write(Data(certificate.utf8), to: "certificate.pem"),
      key: try folder.write(Data(key.utf8), to: "key.pem"))
  }

  /// As the authority that a client trusts.
  var root: NIOSSLCertificate {
    get throws { try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem) }
  }
}
