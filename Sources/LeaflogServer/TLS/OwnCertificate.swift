package import Foundation
internal import Glibc
package import Leaflog
internal import Logging
internal import ServiceLifecycle

/// The service's own certificate, issued by the library's own authority, and renewed before it expires or when the
/// machine's names change.
package struct OwnCertificate: Sendable {
  /// The certificate that devices have to trust.
  package struct Authority: Sendable, Equatable {
    /// In PEM, without its key.
    package let certificate: String
    /// Its SHA-256: `AB:CD:…`.
    package let fingerprint: String
    /// Whether it may vouch for e-mail addresses, too, as those could that were made before.
    package let isOutdated: Bool
    /// The first moment at which devices accept it.
    package let beginning: Date

    /// The fingerprint in four lines, to be compared by eye on a phone and in a terminal.
    package var fingerprintLines: [String] {
      let pairs = fingerprint.split(separator: ":")
      return stride(from: 0, to: pairs.count, by: 8).map {
        pairs[$0..<min($0 + 8, pairs.count)].joined(separator: ":")
      }
    }

    init(_ authority: OwnAuthority) {
      certificate = authority.pair.certificate.pem
      fingerprint = authority.pair.certificate.fingerprint
      isOutdated = authority.isOutdated
      beginning = Date(
        timeIntervalSince1970: Double(authority.pair.certificate.validity.first))
    }
  }

  /// The state of the certificate after a check.
  package struct State: Sendable, Equatable {
    package let authority: Authority
    /// The machine's names that the certificate lacks, as the authority was made for others.
    package let namesLeftOut: [String]
    package let isRenewed: Bool
    /// Whether the authority's validity has not begun yet, so that devices refuse it: this machine's clock is behind, or
    /// was ahead when the authority was made.
    package let isEarly: Bool
  }

  private let store: OwnCertificateFiles
  private let clock: WallClock
  private let names: @Sendable () -> MachineNames

  /// - Parameter names: returns the machine's current names.
  package init(
    of library: Library, names: @escaping @Sendable () -> MachineNames = { .current }
  ) {
    (store, clock, self.names) = (OwnCertificateFiles(of: library), library.clock, names)
  }

  package var files: TLSFiles {
    TLSFiles(certificate: store.path(of: .server), key: store.path(of: .server))
  }

  /// Creates the authority and the certificate where they are missing or too old, and a new certificate when the
  /// machine's names have changed. On a read-only disk, they stay as they are.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when the authority's file cannot be read as one: all devices would
  ///   have to trust a new one, which is for the library's owner to decide.
  @discardableResult
  package func renew() throws(LeaflogError) -> State {
    try store.update {
      let (names, now) = (names(), clock.now)
      let authority = try authority(for: names, at: now)
      let permitted = authority.permitted(of: names)
      let leftOut = names.hosts.subtracting(permitted.hosts).sorted()
      let isGood = try isGood(for: permitted, by: authority, at: now)
      let isRenewed = !isGood && store.isWritable
      if isRenewed {
        try store.write(authority.certificate(for: permitted, at: now).pem, to: .server)
      }
      return State(
        authority: Authority(authority), namesLeftOut: leftOut, isRenewed: isRenewed,
        isEarly: !authority.pair.hasBegun(at: now))
    }
  }

  /// Replaces the authority, and the certificate: every device has to trust the new one. A running service takes both up.
  ///
  /// - Parameter hosts: names for which it may vouch besides those of its predecessor.
  /// - Throws: `LeaflogError` with code `notFound` when there is none yet.
  package func replaceAuthority(alsoFor hosts: Set<String>) throws(LeaflogError) -> Authority {
    try store.update {
      guard let former = try store.text(of: .authority) else {
        throw LeaflogError(
          .notFound,
          "The library has no authority of its own. `leaflog serve --tls own` creates one.")
      }
      let now = clock.now
      var names = names()
      names.hosts.formUnion(hosts)
      if let served = try store.text(of: .server).flatMap({ CertificateWithKey(pem: $0) }) {
        names.hosts.formUnion(served.certificate.names.hosts)
        names.addresses.formUnion(served.certificate.names.addresses)
      }
      var vouched = names
      let domains = CertificateWithKey(pem: former).flatMap { OwnAuthority($0).domains } ?? []
      vouched.hosts.formUnion(domains)
      let authority = try OwnAuthority(for: vouched, at: now)
      try keepFormer(former, at: now)
      try store.write(authority.pair.pem, to: .authority)
      try store.write(authority.certificate(for: names, at: now).pem, to: .server)
      return Authority(authority)
    }
  }

  /// The authority that vouches for the certificate.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when its file has been removed or damaged.
  func authority() throws -> Authority {
    guard let pair = try store.text(of: .authority).flatMap({ CertificateWithKey(pem: $0) }) else {
      throw Self.damage
    }
    return Authority(OwnAuthority(pair))
  }

  private static let damage = LeaflogError(
    .damaged,
    "The library's file tls-authority.pem is damaged. `leaflog serve renew-authority` replaces it; each device then has "
      + "to trust the new authority.")

  private func authority(for names: MachineNames, at now: Timestamp) throws -> OwnAuthority {
    if let text = try store.text(of: .authority) {
      guard let pair = CertificateWithKey(pem: text) else {
        throw Self.damage
      }
      if !store.isWritable { return OwnAuthority(pair) }
      // Never because it has not begun: devices trust it, and the clock may be behind.
      if pair.lasts(days: OwnAuthority.renewalDayCount, from: now) {
        guard !pair.hasBegun(at: now), let former = try former(at: now) else {
          return OwnAuthority(pair)
        }
        // It was replaced under a clock that was ahead.
        try store.write(former.pem, to: .authority)
        return OwnAuthority(former)
      }
      try keepFormer(text, at: now)
    }
    guard store.isWritable else {
      throw LeaflogError(
        .readOnly, "The library is on a read-only disk, and has no certificate of its own yet.")
    }
    let authority = try OwnAuthority(for: names, at: now)
    try store.write(authority.pair.pem, to: .authority)
    return authority
  }

  /// The authority before the present one, if it is still valid.
  private func former(at now: Timestamp) throws -> CertificateWithKey? {
    try store.text(of: .formerAuthority).flatMap { CertificateWithKey(pem: $0) }.flatMap {
      $0.hasBegun(at: now) && $0.lasts(days: OwnAuthority.renewalDayCount, from: now) ? $0 : nil
    }
  }

  /// Keeps an authority that is replaced, unless no device can have trusted it and an earlier one is kept.
  private func keepFormer(_ text: String, at now: Timestamp) throws {
    let isEarly = CertificateWithKey(pem: text).map { !$0.hasBegun(at: now) } ?? true
    if isEarly, try store.text(of: .formerAuthority) != nil { return }
    try store.write(text, to: .formerAuthority)
  }

  private func isGood(
    for names: MachineNames, by authority: OwnAuthority, at now: Timestamp
  ) throws -> Bool {
    guard let pair = try store.text(of: .server).flatMap({ CertificateWithKey(pem: $0) }) else {
      return false
    }
    // While the clock is behind, a certificate of the right time would be replaced by one of the past.
    return (pair.hasBegun(at: now) || !authority.pair.hasBegun(at: now))
      && pair.lasts(days: OwnAuthority.renewalDayCount, from: now)
      && pair.certificate.names == names && authority.issued(pair)
  }
}

/// Renews the service's own certificate while the service runs.
struct CertificateRenewal: Service {
  /// The time between two checks of the machine's names.
  private static let pause = Duration.seconds(600)

  let certificate: OwnCertificate
  let logger: Logger

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: Self.pause)
        renew()
      }
    }
  }

  /// Renews the certificate; a renewal that fails is retried.
  private func renew() {
    do throws(LeaflogError) {
      let state = try certificate.renew()
      guard state.isRenewed else { return }
      logger.notice(
        "own certificate renewed",
        metadata: ["leftOut": "\(state.namesLeftOut.joined(separator: " "))"])
    } catch {
      logger.error("own certificate not renewed", metadata: ["reason": "\(error.message)"])
    }
  }
}

/// The names and addresses at which others on its network reach this machine.
package struct MachineNames: Sendable, Equatable {
  /// Host names, in lower case.
  package var hosts: Set<String>
  package var addresses: Set<IPAddress>

  package init(hosts: Set<String>, addresses: Set<IPAddress>) {
    (self.hosts, self.addresses) = (hosts, addresses)
  }

  /// This machine's current ones: its name, alone and below `.local` (RFC 6762), `localhost`, and the private addresses
  /// of its interfaces.
  package static var current: MachineNames {
    var names = MachineNames(hosts: ["localhost"], addresses: [.loopback])
    if let name = hostName {
      names.hosts.insert(name)
      if let label = name.split(separator: ".").first {
        names.hosts.formUnion(["\(label)", "\(label).local"])
      }
    }
    names.addresses.formUnion(IPAddress.ofInterfaces.filter(\.isPrivate))
    return names
  }

  /// The machine's host name; nil if it cannot be used in a certificate.
  private static var hostName: String? {
    var text = [CChar](repeating: 0, count: 256)
    guard gethostname(&text, text.count - 1) == 0 else { return nil }
    let name = text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return name.wholeMatch(of: /[A-Za-z0-9.-]+/).map { _ in name.lowercased() }
  }
}

extension IPAddress {
  /// The addresses of all interfaces that are up.
  fileprivate static var ofInterfaces: [IPAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    guard let first else { return [] }
    return sequence(first: first, next: \.pointee.ifa_next).compactMap { entry in
      guard entry.pointee.ifa_flags & UInt32(IFF_UP) != 0 else { return nil }
      return entry.pointee.ifa_addr.flatMap { IPAddress($0) }
    }
  }
}
