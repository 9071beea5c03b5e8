internal import Crypto
internal import Foundation
internal import Leaflog
internal import SwiftASN1
internal import X509

/// A certificate authority for one machine. Devices that trust it trust it only for that machine's names and for
/// private domains (RFC 5280, 4.2.1.10). Addresses are not constrained: BoringSSL refuses every certificate whose
/// authority constrains them.
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
        SubjectKeyIdentifier(hash: key.publicKey)
        Critical(NameConstraints(permittedDNSDomains: hosts))
      }, issuerPrivateKey: key)
    pair = CertificateWithKey(certificate, key)
  }

  /// The most telling name: the one below `.local`, or any other.
  private static func title(_ names: MachineNames) -> String {
    let hosts = names.hosts.subtracting(["localhost"]).sorted()
    return String(
      (hosts.first { $0.hasSuffix(".local") } ?? hosts.first ?? "this machine").prefix(40))
  }

  /// The names that it may vouch for, out of these.
  func permitted(of names: MachineNames) -> MachineNames {
    guard let constraints = try? pair.certificate.extensions.nameConstraints else { return names }
    let domains = Array(constraints.permittedDNSDomains)
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
