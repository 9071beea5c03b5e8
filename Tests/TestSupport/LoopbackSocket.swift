internal import Foundation

/// TCP sockets for servers on this machine.
package enum LoopbackSocket {
  package static func make() throws -> CInt {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return socket
  }

  /// - Parameter address: the client's address, one of 127.0.0.0/8.
  package static func connect(_ socket: CInt, to port: Int, from address: String) throws {
    guard on(address, 0, { bind(socket, $0, $1) }) == 0,
      on("127.0.0.1", port, { Glibc.connect(socket, $0, $1) }) == 0
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// A listening socket, and its port.
  package static func listen() throws -> (socket: CInt, port: Int) {
    let socket = try make()
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening =
      on("127.0.0.1", 0, { bind(socket, $0, $1) }) == 0 && Glibc.listen(socket, 64) == 0
      && withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(socket, $0, &length) == 0
        }
      }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The first of several consecutive ports that are currently unused.
  package static func unusedPorts(count: Int) throws -> Int {
    for first in stride(from: Int.random(in: 20_000..<25_000), to: 32_000, by: count) {
      let areFree = try (first..<first + count).allSatisfy { port in
        let socket = try make()
        defer { close(socket) }
        return on("127.0.0.1", port, { bind(socket, $0, $1) }) == 0
      }
      if areFree { return first }
    }
    throw POSIXError(.EADDRINUSE)
  }

  /// Makes a system call with a socket address.
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
