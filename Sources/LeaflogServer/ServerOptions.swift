internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// The source of the certificate.
package enum TLSCertificate: Sendable, Hashable {
  case files(TLSFiles)
  /// From an authority of the library's own.
  case own
}

/// The address of the service, and who may use it.
package struct ServerOptions: Sendable {
  /// The address that it listens on.
  package var address = IPAddress.loopback
  /// 0 picks a free port.
  package var port = 8765
  /// The path below which a proxy offers the service.
  package var base = BasePath.none
  /// Further names of the service, in lower case.
  package var hostNames: Set<String> = []
  /// The origins of other sites whose pages may use the API, with a token of their own where one is required.
  package var allowedOrigins: Set<String> = []
  /// The path of a Unix socket that it listens on instead, for a proxy: only those who may open it can state a client.
  package var socket: String?
  /// The addresses of proxies that forward requests, and state whom they are from (`X-Forwarded-For`) and whether they came
  /// over TLS (`X-Forwarded-Proto`). Both are ignored from anybody else.
  package var proxies: [AddressRange] = []
  /// Whether a token is required even where nobody else can reach the service.
  package var alwaysRequiresToken = false
  /// The certificate for TLS, which is then the only protocol; nil for none.
  package var tls: TLSCertificate?
  package var limits = ServerLimits()
  /// A push service of one's own, which may be at any address and port.
  package var pushHost: Authority?
  /// The path of a PEM file with the certificate authorities of that service; nil for those of the system.
  package var pushAuthority: String?

  package init() {}

  /// Whether the service requires a token.
  package var requiresToken: Bool {
    // Requests under another name may come from elsewhere.
    alwaysRequiresToken || !address.isLoopback || !proxies.isEmpty || socket != nil
      || !hostNames.isEmpty
  }

  /// The names and addresses for a certificate of its own.
  var machineNames: MachineNames {
    var names = MachineNames.current
    for name in hostNames {
      if let address = IPAddress(name) {
        names.addresses.insert(address)
      } else {
        names.hosts.insert(name)
      }
    }
    if !address.isUnspecified { names.addresses.insert(address) }
    return names
  }
}

extension ServerOptions {
  /// The error for an address that the system refused.
  func failure(_ error: IOError) -> LeaflogError {
    if let socket {
      return LeaflogError(.failed, "The system refused the socket \(socket): \(error).")
    }
    let problem =
      switch error.errnoCode {
      case EADDRINUSE: "Port \(port) of \(address) is already in use."
      case EADDRNOTAVAIL: "This machine does not have the address \(address)."
      case EACCES: "Port \(port) requires administrator privileges."
      default: "The system refused port \(port) of \(address): \(error)."
      }
    return LeaflogError(.failed, problem)
  }
}

extension ServerOptions {
  /// The address at which other devices reach the service, as far as is known.
  func reachedAddress(port: Int) -> String {
    let name = hostNames.sorted().first
    // A proxy in front of it has TLS and the usual port.
    if let name, !proxies.isEmpty || socket != nil { return "https://\(name)\(base.text)/" }
    let scheme = tls == nil ? "http" : "https"
    let own = address.isUnspecified ? IPAddress.outward ?? .loopback : address
    let isUsual = port == (tls == nil ? 80 : 443)
    return "\(scheme)://\(name ?? own.host)\(isUsual ? "" : ":\(port)")\(base.text)/"
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

/// Information from a proxy about the requests it forwards.
extension ServerOptions {
  /// Whether a connection is the proxy's.
  ///
  /// - Parameter peer: the other end.
  func isFromProxy(_ peer: SocketAddress?) -> Bool {
    // Without proxies, nobody's address has to be read.
    socket != nil || !proxies.isEmpty && peer?.ip.map(isProxy) ?? false
  }

  private func isProxy(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }

  func isFromProxy(_ context: LeaflogRequestContext) -> Bool {
    isFromProxy(context.channel.remoteAddress)
  }

  /// Whether the client's own connection uses TLS, as far as is known.
  func clientHasTLS(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    guard isFromProxy(context),
      let scheme = request.headers[HTTPField.Name("X-Forwarded-Proto")!]
    else { return tls != nil }
    return scheme.lowercased() == "https"
  }

  /// The client that a proxy names; nil from anybody else.
  ///
  /// - Parameters:
  ///   - field: the value of `X-Forwarded-For`: each proxy appends the client that it has to the list it received. The last
  ///     one that is no proxy itself is the client; those before it are what that client says.
  ///   - peer: the other end of the connection.
  func client(_ field: String?, through peer: SocketAddress?) -> IPAddress? {
    guard isFromProxy(peer), let field else { return nil }
    var client: IPAddress?
    for text in field.split(separator: ",").reversed() {
      client = IPAddress(text.filter { $0 != " " })
      guard let address = client, isProxy(address) else { break }
    }
    return client
  }

  /// The client's address as far as is known.
  func client(of request: Request, _ context: LeaflogRequestContext) -> IPAddress? {
    client(
      request.headers[HTTPField.Name("X-Forwarded-For")!], through: context.channel.remoteAddress)
      ?? context.remoteAddress
  }
}

extension ServerOptions {
  /// The address of the service as the client of a request has it, without a slash at its end.
  func site(of request: Request, _ context: LeaflogRequestContext) -> String {
    let scheme = clientHasTLS(request, context) ? "https" : "http"
    return "\(scheme)://\(request.head.authority ?? "")\(base.text)"
  }
}

extension SocketAddress {
  /// The address without its port; nil for a socket in the file system.
  var ip: IPAddress? { ipAddress.flatMap { IPAddress($0) } }
}
