internal import Crypto
internal import Foundation
internal import Leaflog
internal import SwiftASN1
internal import X509

/// A certificate and its private key, as stored in one file.
struct CertificateWithKey {
  let certificate: Certificate
  let key: Certificate.PrivateKey

  init(_ certificate: Certificate, _ key: Certificate.PrivateKey) {
    (self.certificate, self.key) = (certificate, key)
  }

  /// Parses PEM; nil when the text does not contain both, or they do not match.
  init?(pem text: String) {
    guard let documents = try? PEMDocument.parseMultiple(pemString: text),
      let certificate = documents.first.flatMap({ try? Certificate(pemDocument: $0) }),
      let key = documents.last.flatMap({ try? Certificate.PrivateKey(pemDocument: $0) }),
      key.publicKey == certificate.publicKey
    else { return nil }
    self.init(certificate, key)
  }

  /// - Throws: any error from encoding the certificate.
  var pem: String {
    get throws {
      try certificate.serializeAsPEM().pemString + "\n" + key.serializeAsPEM().pemString + "\n"
    }
  }

  /// Whether it is valid, and at least this many days are left. One that was issued under a clock that was ahead is
  /// not valid yet.
  func lasts(days: Int, from now: Timestamp) -> Bool {
    certificate.notValidBefore <= Date(now, days: 0)
      && certificate.notValidAfter >= Date(now, days: days)
  }
}

extension Certificate {
  /// The names and addresses it is valid for.
  var names: MachineNames {
    var names = MachineNames(hosts: [], addresses: [])
    for name in (try? extensions.subjectAlternativeNames) ?? SubjectAlternativeNames() {
      switch name {
      case .dnsName(let host): names.hosts.insert(host)
      case .ipAddress(let bytes):
        if let address = IPAddress(octets: bytes.bytes) { names.addresses.insert(address) }
      default: break
      }
    }
    return names
  }

  /// The SHA-256 of its bytes, in the form that is compared by eye: `AB:CD:…`.
  var fingerprint: String {
    get throws {
      var coder = DER.Serializer()
      try coder.serialize(self)
      return SHA256.hash(data: coder.serializedBytes)
        .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined(separator: ":").uppercased()
    }
  }
}

extension Date {
  /// The date a number of days after a time.
  init(_ time: Timestamp, days: Int) {
    self.init(timeIntervalSince1970: Double(time.milliseconds / 1000 + Int64(days) * 86_400))
  }
}
