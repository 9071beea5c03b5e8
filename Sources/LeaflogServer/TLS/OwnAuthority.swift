internal import Crypto
internal import Foundation
internal import Leaflog
internal import SwiftASN1
internal import X509

/// A certificate authority for one machine. Devices that trust it trust it only for servers, and only for that machine's
/// names and private domains (RFC 5280, 4.2.1.10). Addresses are not constrained: BoringSSL refuses every certificate with
/// an address whose authority constrains them, `X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE`.
struct OwnAuthority {
  /// The lifetime, long because devices trust it only once.
  private static let dayCount = 3650
  /// Apple's devices accept at most 398 days for a public authority's certificate.
  static let certificateDayCount = 397
  /// A certificate with fewer days left is renewed.
  static let renewalDayCount = 30
  /// Clocks of other devices may be slow.
  private static let leadDayCount = 1
  /// Domains that do not exist on the internet: RFC 6761, 6762, 8375; ICANN's resolution of 2024 for `internal`.
  private static let privateDomains: Set = ["localhost", "local", "home.arpa", "internal"]

  /// The only host for whose e-mail addresses it may vouch: it has none (RFC 6761, 6.4).
  private static let noHost = "invalid"

  let pair: CertificateWithKey

  init(_ pair: CertificateWithKey) { self.pair = pair }

  /// Creates a new authority.
  ///
  /// - Parameter names: the names it may vouch for, besides private domains.
  init(for names: MachineNames, at now: Timestamp) throws {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let subject = try DistinguishedName {
      OrganizationName("Leaflog")
      CommonName("Leaflog on \(Self.title(names))")
    }
    let hosts = Self.privateDomains.union(names.hosts).sorted()
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: Date(now, days: -Self.leadDayCount),
      notValidAfter: Date(now, days: Self.dayCount), issuer: subject, subject: subject,
      extensions: try .init {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectKeyIdentifier(hash: key.publicKey)
        Critical(
          NameConstraints(permittedDNSDomains: hosts, permittedEmailAddresses: [Self.noHost]))
      }, issuerPrivateKey: key)
    pair = CertificateWithKey(certificate, key)
  }

  /// The most telling name: the one below `.local`, or any other.
  private static func title(_ names: MachineNames) -> String {
    let hosts = names.hosts.subtracting(["localhost"]).sorted()
    return String(
      (hosts.first { $0.hasSuffix(".local") } ?? hosts.first ?? "this machine").prefix(40))
  }

  /// The domains that it may vouch for, with all names in them; nil where it may for any.
  var domains: [String]? {
    (try? pair.certificate.extensions.nameConstraints).map { Array($0.permittedDNSDomains) }
  }

  /// Whether it was made before authorities were limited to servers, and may vouch for e-mail addresses, too.
  var isOutdated: Bool { (try? pair.certificate.extensions.extendedKeyUsage) == nil }

  /// The names that it may vouch for, out of these.
  func permitted(of names: MachineNames) -> MachineNames {
    guard let domains else { return names }
    return MachineNames(
      hosts: names.hosts.filter { host in
        domains.contains { host == $0 || host.hasSuffix("." + $0) }
      }, addresses: names.addresses)
  }

  /// A certificate for a server with these names, all of which the authority must be permitted to vouch for.
  func certificate(for names: MachineNames, at now: Timestamp) throws -> CertificateWithKey {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let last = min(
      Date(now, days: Self.certificateDayCount - Self.leadDayCount), pair.certificate.notValidAfter)
    let addresses = names.addresses.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: Date(now, days: -Self.leadDayCount), notValidAfter: last,
      issuer: pair.certificate.subject,
      subject: try DistinguishedName { CommonName("Leaflog") },
      extensions: try .init {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(
          names.hosts.sorted().map { .dnsName($0) }
            + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) })
        SubjectKeyIdentifier(hash: key.publicKey)
        AuthorityKeyIdentifier(
          keyIdentifier: try pair.certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
      }, issuerPrivateKey: pair.key)
    return CertificateWithKey(certificate, key)
  }

  /// Whether it issued a certificate.
  func issued(_ certificate: Certificate) -> Bool {
    certificate.issuer == pair.certificate.subject
      && pair.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
  }
}

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

  /// Whether at least this many days are left.
  func lasts(days: Int, from now: Timestamp) -> Bool {
    certificate.notValidAfter >= Date(now, days: days)
  }

  /// Whether its validity has begun. That of one that was issued under a clock that was ahead has not, nor has any if the
  /// clock is behind now.
  func hasBegun(at now: Timestamp) -> Bool { certificate.notValidBefore <= Date(now, days: 0) }
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
