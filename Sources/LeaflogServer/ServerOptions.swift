internal import Glibc
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
  /// Further names of the service, in lower case.
  package var hostNames: Set<String> = []
  /// Whether a proxy on this machine forwards requests, and states whom they are from (`X-Forwarded-For`) and whether
  /// they came over TLS (`X-Forwarded-Proto`). Both are ignored from anybody else.
  package var isBehindProxy = false
  /// Whether a token is required even where nobody else can reach the service.
  package var alwaysRequiresToken = false
  /// The certificate for TLS, which is then the only protocol; nil for none.
  package var tls: TLSCertificate?
  package var limits = ServerLimits()

  package init() {}

  /// Whether the service requires a token.
  package var requiresToken: Bool {
    // Requests under another name may come from elsewhere.
    alwaysRequiresToken || !address.isLoopback || isBehindProxy || !hostNames.isEmpty
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
