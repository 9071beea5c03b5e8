internal import CCurl
internal import Glibc

/// The address of a server that a client is about to connect to.
package struct ServerAddress: Hashable, Sendable {
  /// The 4 bytes of an IPv4 address or the 16 of an IPv6 address, in network order.
  package let octets: [UInt8]
  package let port: Int

  /// Nil for other address families.
  init?(_ address: UnsafePointer<curl_sockaddr>) {
    let socket = leaflog_curl_socket_address(address)
    switch address.pointee.family {
    case AF_INET:
      guard let address = UnsafeRawPointer(socket)?.loadUnaligned(as: sockaddr_in.self) else {
        return nil
      }
      octets = withUnsafeBytes(of: address.sin_addr) { Array($0) }
      port = Int(UInt16(bigEndian: address.sin_port))
    case AF_INET6:
      guard let address = UnsafeRawPointer(socket)?.loadUnaligned(as: sockaddr_in6.self) else {
        return nil
      }
      octets = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
      port = Int(UInt16(bigEndian: address.sin6_port))
    default: return nil
    }
  }
}

/// Opens the sockets of one request, to allowed addresses only.
///
/// libcurl asks it for a socket before each connection (https://curl.se/libcurl/c/CURLOPT_OPENSOCKETFUNCTION.html), and
/// tries a name's next address when it gets none.
final class SocketGate {
  private let isAllowed: (ServerAddress) -> Bool
  private var allowedCount = 0
  private var refusedCount = 0

  init(_ isAllowed: @escaping (ServerAddress) -> Bool) { self.isAllowed = isAllowed }

  /// Returns a new socket for an address, not yet connected, or `CURL_SOCKET_BAD`.
  func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    guard let server = ServerAddress(address), isAllowed(server) else {
      refusedCount += 1
      return CURL_SOCKET_BAD
    }
    allowedCount += 1
    let address = address.pointee
    // Programs that this process starts must not inherit it. libcurl makes it non-blocking.
    return socket(
      address.family, address.socktype | CInt(SOCK_CLOEXEC.rawValue), address.`protocol`)
  }

  /// The failure of a request that was refused all its addresses; nil when it had an allowed one, or none at all.
  var refusal: HTTPFailure? {
    guard refusedCount > 0, allowedCount == 0 else { return nil }
    return HTTPFailure(code: .notAllowed, message: "the address is not public")
  }
}
