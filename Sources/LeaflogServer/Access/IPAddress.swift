internal import Glibc

/// An address of the Internet Protocol, version 4 or 6.
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16, in network order.
  let bytes: [UInt8]

  /// The loopback address of version 4.
  package static let loopback = IPAddress(bytes: [127, 0, 0, 1])

  private init(bytes: [UInt8]) {
    // Sockets that take both versions tell one of version 4 so (RFC 4291, 2.5.5.2).
    let isMapped =
      bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 }
      && bytes[10...11] == [255, 255]
    self.bytes = isMapped ? Array(bytes[12...]) : bytes
  }

  /// Takes `192.168.1.5`, `fe80::1` or `[fe80::1]`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let digits = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
    let isSix = digits.contains(":")
    // C would read up to a NUL.
    guard isSix || !isBracketed, !digits.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
    guard inet_pton(isSix ? AF_INET6 : AF_INET, digits, &bytes) == 1 else { return nil }
    self.init(bytes: bytes)
  }

  /// Of 4 or 16 bytes in network order; nil for another number.
  init?(octets: some Collection<UInt8>) {
    guard [4, 16].contains(octets.count) else { return nil }
    self.init(bytes: Array(octets))
  }

  /// Of a socket; nil for one of another protocol.
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

  /// Whether it is this machine's own, which nobody else can reach.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whether it stands for all addresses of a machine.
  package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// The address itself; of version 6 its first half, as one subscriber has all addresses of a network (RFC 6177).
  var network: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  /// As the host of a URL: one of version 6 is in brackets.
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
