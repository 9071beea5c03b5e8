internal import COpenSSL
internal import Foundation
internal import Glibc
internal import Hashing
internal import Leaflog

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
  init(for names: MachineNames, at now: Timestamp) throws(LeaflogError) {
    let validity = LeaflogValidity(
      first: now.seconds(days: -Self.leadDayCount), last: now.seconds(days: Self.dayCount))
    let domains = try NameList(hosts: Self.privateDomains.union(names.hosts))
    pair = try CertificateWithKey(
      leaflog_identity_new_authority(
        "Leaflog", "Leaflog on \(Self.title(names))", validity, domains.pointer, Self.noHost))
  }

  /// The most telling name: the one below `.local`, or any other.
  private static func title(_ names: MachineNames) -> String {
    let hosts = names.hosts.subtracting(["localhost"]).sorted()
    return String(
      (hosts.first { $0.hasSuffix(".local") } ?? hosts.first ?? "this machine").prefix(40))
  }

  /// The domains that it may vouch for, with all names in them; nil where it may for any.
  var domains: [String]? { pair.certificate.domains }

  /// Whether it was made before authorities were limited to servers, and may vouch for e-mail addresses, too.
  var isOutdated: Bool { !pair.certificate.isForSomePurpose }

  /// The names that it may vouch for, out of these.
  func permitted(of names: MachineNames) -> MachineNames {
    guard let domains else { return names }
    return MachineNames(
      hosts: names.hosts.filter { host in
        domains.contains { host == $0 || host.hasSuffix("." + $0) }
      }, addresses: names.addresses)
  }

  /// A certificate for a server with these names, all of which the authority must be permitted to vouch for.
  func certificate(
    for names: MachineNames, at now: Timestamp
  ) throws(LeaflogError) -> CertificateWithKey {
    let validity = LeaflogValidity(
      first: now.seconds(days: -Self.leadDayCount),
      last: min(
        now.seconds(days: Self.certificateDayCount - Self.leadDayCount),
        pair.certificate.validity.last))
    let issuer = pair.identity
    defer { leaflog_identity_free(issuer) }
    let list = try NameList(hosts: names.hosts, addresses: names.addresses)
    return try CertificateWithKey(
      leaflog_identity_new_server(issuer, "Leaflog", validity, list.pointer))
  }

  /// Whether it issued a certificate.
  func issued(_ other: CertificateWithKey) -> Bool {
    let (issuer, issued) = (pair.identity, other.identity)
    defer {
      leaflog_identity_free(issuer)
      leaflog_identity_free(issued)
    }
    return leaflog_certificate_is_issued_by(issued.certificate, issuer.certificate) != 0
  }
}

/// Names in memory of libcrypto, which the function that takes them frees.
private struct NameList {
  let pointer: OpaquePointer

  /// - Throws: `LeaflogError` with code `failed` when libcrypto refuses one.
  init(hosts: Set<String>, addresses: Set<IPAddress> = []) throws(LeaflogError) {
    guard let names = leaflog_names_new() else { throw .certificateFailed }
    let ordered = addresses.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    guard hosts.sorted().allSatisfy({ leaflog_names_add_host(names, $0) != 0 }),
      ordered.allSatisfy({ leaflog_names_add_address(names, $0, $0.count) != 0 })
    else {
      leaflog_names_free(names)
      throw .certificateFailed
    }
    pointer = names
  }
}

/// A certificate and its private key, as stored in one file.
struct CertificateWithKey {
  /// Both in PEM, the key in PKCS 8 (RFC 5958).
  let pem: String
  let certificate: Certificate

  /// Parses PEM; nil when the text does not contain both, or they do not match.
  init?(pem text: String) { self.init(adopting: Self.identity(text)) }

  /// Takes what libcrypto has made, and frees it.
  ///
  /// - Throws: `LeaflogError` with code `failed` when it has made nothing.
  init(_ identity: LeaflogIdentity) throws(LeaflogError) {
    guard let made = CertificateWithKey(adopting: identity) else { throw .certificateFailed }
    self = made
  }

  private init?(adopting identity: LeaflogIdentity) {
    defer { leaflog_identity_free(identity) }
    guard identity.key != nil, let certificate = identity.certificate.flatMap(Certificate.init),
      let pem = String(adopting: leaflog_identity_pem(identity))
    else { return nil }
    (self.pem, self.certificate) = (pem, certificate)
  }

  /// Both in memory of libcrypto, to be freed.
  fileprivate var identity: LeaflogIdentity { Self.identity(pem) }

  private static func identity(_ pem: String) -> LeaflogIdentity {
    var pem = pem
    return pem.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { leaflog_identity_read($0.baseAddress, $0.count) }
    }
  }

  /// Whether at least this many days are left.
  func lasts(days: Int, from now: Timestamp) -> Bool {
    certificate.validity.last >= now.seconds(days: days)
  }

  /// Whether its validity has begun. That of one that was issued under a clock that was ahead has not, nor has any if the
  /// clock is behind now.
  func hasBegun(at now: Timestamp) -> Bool { certificate.validity.first <= now.seconds(days: 0) }
}

/// The parts of a certificate that matter here (RFC 5280).
struct Certificate {
  let pem: String
  /// The SHA-256 of its bytes, in the form that is compared by eye: `AB:CD:…`.
  let fingerprint: String
  let validity: LeaflogValidity
  /// The names and addresses it is valid for.
  let names: MachineNames
  /// The domains that it may vouch for as an authority; nil for any.
  let domains: [String]?
  /// Whether it is limited to some purposes (4.2.1.12).
  let isForSomePurpose: Bool

  /// - Parameter certificate: an `X509`; nil when libcrypto cannot write or read parts of it.
  fileprivate init?(_ certificate: OpaquePointer) {
    var (validity, count) = (LeaflogValidity(), 0)
    guard leaflog_certificate_validity(certificate, &validity) != 0,
      let pem = String(adopting: leaflog_certificate_pem(certificate)),
      let bytes = leaflog_certificate_der(certificate, &count)
    else { return nil }
    defer { free(bytes) }
    (self.pem, self.validity) = (pem, validity)
    fingerprint = SHA256.digest(of: UnsafeRawBufferPointer(start: bytes, count: count))
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined(separator: ":").uppercased()
    isForSomePurpose = leaflog_certificate_has_extended_key_usage(certificate) != 0
    var (found, permitted) = (FoundNames(), FoundNames())
    withUnsafeMutablePointer(to: &found) {
      leaflog_certificate_names(certificate, FoundNames.add, $0)
    }
    names = MachineNames(hosts: Set(found.hosts), addresses: found.addresses)
    let isLimited = withUnsafeMutablePointer(to: &permitted) {
      leaflog_certificate_domains(certificate, FoundNames.add, $0) != 0
    }
    domains = isLimited ? permitted.hosts : nil
  }

  private struct FoundNames {
    var hosts: [String] = []
    var addresses: Set<IPAddress> = []

    static let add: LeaflogNameReader = { found, isAddress, bytes, count in
      guard let found = found?.assumingMemoryBound(to: FoundNames.self) else { return }
      let bytes = UnsafeBufferPointer(start: bytes, count: count)
      if isAddress == 0 {
        found.pointee.hosts.append(String(decoding: bytes, as: UTF8.self))
      } else if let address = IPAddress(octets: bytes) {
        found.pointee.addresses.insert(address)
      }
    }
  }
}

extension String {
  /// Copies a text in C's memory, and frees that; nil without one.
  fileprivate init?(adopting text: UnsafeMutablePointer<CChar>?) {
    guard let text else { return nil }
    defer { free(text) }
    self.init(cString: text)
  }
}

extension LeaflogError {
  fileprivate static var certificateFailed: LeaflogError {
    LeaflogError(
      .failed, "OpenSSL could not make a certificate: \(String(cString: leaflog_openssl_reason()))."
    )
  }
}

extension Timestamp {
  /// Seconds since 1970, a number of days later.
  fileprivate func seconds(days: Int) -> Int64 { milliseconds / 1000 + Int64(days) * 86_400 }
}
