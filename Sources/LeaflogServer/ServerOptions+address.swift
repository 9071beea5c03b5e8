internal import Glibc

extension ServerOptions {
  /// The address at which other devices reach the service, as far as is known.
  func reachedAddress(port: Int) -> String {
    let name = hostNames.sorted().first
    // A proxy in front of it has TLS and the usual port.
    if let name, isBehindProxy { return "https://\(name)/" }
    let scheme = tls == nil ? "http" : "https"
    let own = address.isUnspecified ? IPAddress.outward ?? .loopback : address
    let isUsual = port == (tls == nil ? 80 : 443)
    return "\(scheme)://\(name ?? own.host)\(isUsual ? "" : ":\(port)")/"
  }
}

extension IPAddress {
  /// The IPv4 address from which this machine sends to other networks; nil without one. Nothing is sent.
  fileprivate static var outward: IPAddress? {
    let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    // An address reserved for documentation (RFC 5737); only the route to it counts.
    address.sin_addr.s_addr = inet_addr("192.0.2.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { socket in
        guard connect(descriptor, socket, length) == 0,
          getsockname(descriptor, socket, &length) == 0
        else { return nil }
        return IPAddress(socket)
      }
    }
  }
}
