internal import Glibc

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
