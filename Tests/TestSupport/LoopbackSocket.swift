internal import Foundation

/// TCP sockets to servers of this machine.
package enum LoopbackSocket {
  package static func make() throws -> CInt {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return socket
  }

  /// - Parameter address: the client's: one of 127.0.0.0/8.
  package static func connect(_ socket: CInt, to port: Int, from address: String) throws {
    guard on(address, 0, { bind(socket, $0, $1) }) == 0,
      on("127.0.0.1", port, { Glibc.connect(socket, $0, $1) }) == 0
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Calls the system with an address.
  private static func on(
    _ host: String, _ port: Int, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
