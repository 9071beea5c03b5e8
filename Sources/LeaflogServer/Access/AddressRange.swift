/// A range of addresses that share a prefix.
struct AddressRange: Hashable, Sendable {
  /// The first address and the mask, 4 or 16 bytes each.
  private let first: [UInt8]
  private let mask: [UInt8]

  init(_ first: IPAddress, prefix: Int) {
    self.first = first.bytes
    mask = first.bytes.indices.map { index in
      let bits = min(8, max(0, prefix - 8 * index))
      return UInt8(truncatingIfNeeded: 0xff00 >> bits)
    }
  }

  func contains(_ address: IPAddress) -> Bool {
    address.bytes.count == first.count
      && zip(zip(address.bytes, first), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
  }

  /// The ranges that are not routed on the public internet: RFC 1918, 1122, 3927, 6598, 4193, 4291.
  static let `private`: [AddressRange] = [
    ("10.0.0.0", 8), ("172.16.0.0", 12), ("192.168.0.0", 16), ("127.0.0.0", 8),
    ("169.254.0.0", 16), ("100.64.0.0", 10), ("fc00::", 7), ("::1", 128),
  ].compactMap { text, prefix in IPAddress(text).map { AddressRange($0, prefix: prefix) } }
}

extension IPAddress {
  /// Whether the address is private to a network. Link-local IPv6 addresses, which need an interface, do not count.
  var isPrivate: Bool { AddressRange.private.contains { $0.contains(self) } }
}
