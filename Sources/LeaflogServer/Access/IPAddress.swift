internal import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16 bytes, in network order.
  let bytes: [UInt8]

  /// The IPv4 loopback address.
  package static let loopback = IPAddress(bytes: [127, 0, 0, 1])

  private init(bytes: [UInt8]) {
    // Dual-stack sockets report IPv4 addresses in this form (RFC 4291, 2.5.5.2).
    let isMapped =
      bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 }
      && bytes[10...11] == [255, 255]
    self.bytes = isMapped ? Array(bytes[12...]) : bytes
  }

  /// Parses `192.168.1.5`, `fe80::1` or `[fe80::1]`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let digits = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
    let isSix = digits.contains(":")
    // C would stop reading at a NUL.
    guard isSix || !isBracketed, !digits.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
    guard inet_pton(isSix ? AF_INET6 : AF_INET, digits, &bytes) == 1 else { return nil }
    self.init(bytes: bytes)
  }

  /// Creates an address from 4 or 16 bytes in network order; nil for any other count.
  package init?(octets: some Collection<UInt8>) {
    guard [4, 16].contains(octets.count) else { return nil }
    self.init(bytes: Array(octets))
  }

  /// Creates an address from a socket address; nil for other address families.
  init?(_ socket: UnsafePointer<sockaddr>) {
    switch CInt(socket.pointee.sa_family) {
    case AF_INET:
      let bytes = socket.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
      }
      self.init(bytes: bytes)
    case AF_INET6:
      let bytes = socket.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
      }
      self.init(bytes: bytes)
    default: return nil
    }
  }

  /// Whether it is a loopback address, which only this machine can reach.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whether it stands for all addresses of a machine.
  package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// The address itself, or the first half of an IPv6 address, as one subscriber holds a whole network (RFC 6177).
  var network: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  /// The address as the host of a URL: IPv6 addresses are in brackets.
  package var host: String { bytes.count == 4 ? description : "[\(description)]" }
}

extension IPAddress: CustomStringConvertible {
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    inet_ntop(family, bytes, &text, socklen_t(text.count))
    return text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// A range of addresses that share a prefix.
package struct AddressRange: Hashable, Sendable {
  /// The first address and the mask, 4 or 16 bytes each.
  private let first: [UInt8]
  private let mask: [UInt8]

  /// Parses `172.16.0.0/12`, or an address alone; nil for anything else, and where bits behind the prefix are set.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = IPAddress(parts[0]) else { return nil }
    let most = 8 * first.bytes.count
    guard let prefix = parts.count > 1 ? Self.prefix(parts[1]) : most, prefix <= most,
      AddressRange(first, prefix: prefix).isBeginning(first)
    else { return nil }
    self.init(first, prefix: prefix)
  }

  private static func prefix(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  private func isBeginning(_ address: IPAddress) -> Bool {
    zip(address.bytes, mask).allSatisfy { $0 & ~$1 == 0 }
  }

  /// The addresses that only this machine can reach.
  package static let loopback = ranges(["127.0.0.0/8", "::1/128"])

  private init(_ first: IPAddress, prefix: Int) {
    self.first = first.bytes
    mask = first.bytes.indices.map { index in
      let bits = min(8, max(0, prefix - 8 * index))
      return UInt8(truncatingIfNeeded: 0xff00 >> bits)
    }
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.bytes.count == first.count
      && zip(zip(address.bytes, first), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
  }

  /// The ranges that are not routed on the public internet: RFC 1918, 1122, 3927, 6598, 4193, 4291.
  static let `private` =
    loopback
    + ranges([
      "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
      "fc00::/7",
    ])

  /// All IPv4 addresses, and the IPv6 addresses that are given out for use on the public internet (RFC 4291, 2.4; IANA's
  /// registry of the IPv6 address space). Outside are, for example, ::/96, link-local and unique local addresses,
  /// multicast, and those of NAT64 (64:ff9b::/96, RFC 6052, and 64:ff9b:1::/48, RFC 8215), which stand for an IPv4 address
  /// that may be anything.
  fileprivate static let global = ranges(["0.0.0.0/0", "2000::/3"])

  /// The parts of those that have another purpose (RFC 6890 and IANA's two registries of special-purpose addresses).
  fileprivate static let specialPurpose =
    `private`
    + ranges([
      "0.0.0.0/8",  // this network, RFC 791
      "192.0.0.0/24",  // IETF protocol assignments, RFC 6890
      "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation, RFC 5737
      "192.88.99.0/24",  // relays of 6to4, which nobody runs any more, RFC 7526
      "198.18.0.0/15",  // benchmarks, RFC 2544
      "224.0.0.0/4",  // multicast, RFC 5771
      "240.0.0.0/4",  // reserved, RFC 1112, and broadcast, RFC 919
      "2001::/23",  // IETF protocol assignments, RFC 2928: Teredo, ORCHID
      "2001:db8::/32", "3fff::/20",  // documentation, RFC 3849 and 9637
    ])

  /// The addresses of 6to4, which have an IPv4 address in bytes 2 to 5 (RFC 3056).
  fileprivate static let sixToFour = ranges(["2002::/16"])

  private static func ranges(_ texts: [String]) -> [AddressRange] {
    texts.map { text in
      guard let range = AddressRange(text) else { preconditionFailure("\(text) is no range") }
      return range
    }
  }
}

extension IPAddress {
  /// Whether the address is private to a network. Link-local IPv6 addresses, which need an interface, do not count.
  var isPrivate: Bool { isIn(AddressRange.private) }

  /// Whether it is the address of one machine on the public internet. Only such addresses may come from somebody else, as
  /// any other may be a machine or a service of this network.
  ///
  /// A 6to4 address is as public as the IPv4 address in it.
  package var isPublic: Bool {
    guard isIn(AddressRange.global), !isIn(AddressRange.specialPurpose) else { return false }
    guard isIn(AddressRange.sixToFour) else { return true }
    return IPAddress(bytes: Array(bytes[2..<6])).isPublic
  }

  private func isIn(_ ranges: [AddressRange]) -> Bool { ranges.contains { $0.contains(self) } }
}
