import Foundation
import Glibc

/// Connections to a port of this machine. Reading blocks: call it on a thread of its own.
enum Loopback {
  static func connect(_ port: Int) throws -> CInt {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard connection >= 0 else { throw POSIXError(.ENOTCONN) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      close(connection)
      throw POSIXError(.ECONNREFUSED)
    }
    return connection
  }

  /// Sends bytes, and reads until the server closes the connection.
  static func exchange(_ bytes: [UInt8], _ port: Int) throws -> [UInt8] {
    let connection = try connect(port)
    defer { close(connection) }
    guard write(connection, bytes, bytes.count) == bytes.count else {
      throw POSIXError(.ECONNREFUSED)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }
}
