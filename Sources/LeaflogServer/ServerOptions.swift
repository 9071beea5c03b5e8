internal import Glibc
internal import Leaflog
internal import NIOCore

/// Where the certificate comes from.
package enum TLSCertificate: Sendable, Hashable {
  case files(TLSFiles)
  /// From an authority of the library's own.
  case own
}

/// Where the service is reached, and by whom.
package struct ServerOptions: Sendable {
  /// The address that it listens on.
  package var address = IPAddress.loopback
  /// 0 takes one that is free.
  package var port = 8765
  /// Further names that it is known by, in lower case.
  package var hostNames: Set<String> = []
  /// Whether a proxy on this machine passes requests on, and tells whom they are from (`X-Forwarded-For`) and whether
  /// they came over TLS (`X-Forwarded-Proto`). From anybody else both mean nothing.
  package var isBehindProxy = false
  /// Whether a token is asked for even where nobody else can reach it.
  package var alwaysRequiresToken = false
  /// The certificate with which it speaks TLS, and nothing else; nil for none.
  package var tls: TLSCertificate?
  package var limits = ServerLimits()

  package init() {}

  /// Whether nobody may use it without a token.
  package var requiresToken: Bool {
    // Who has another name for it may come from elsewhere.
    alwaysRequiresToken || !address.isLoopback || isBehindProxy || !hostNames.isEmpty
  }

  /// The names and addresses that a certificate of its own is for.
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
  /// Why nothing can be reached there.
  func failure(_ error: IOError) -> LeaflogError {
    let problem =
      switch error.errnoCode {
      case EADDRINUSE: "Another program is at port \(port) of \(address)."
      case EADDRNOTAVAIL: "This machine does not have the address \(address)."
      case EACCES: "Port \(port) is for programs of the system's administrator."
      default: "The system refused port \(port) of \(address): \(error)."
      }
    return LeaflogError(.failed, problem)
  }
}
