internal import Foundation

/// A socket that accepts connections for as long as this object lives.
package final class LoopbackListener: Sendable {
  package let port: Int
  private let socket: CInt

  package init() throws { (socket, port) = try LoopbackSocket.listen() }

  deinit { shutdown(socket, CInt(SHUT_RDWR)) }

  /// - Parameter body: called with each connection, all on one thread.
  package func serve(_ body: @escaping @Sendable (CInt) -> Void) {
    Thread.detachNewThread { [socket] in
      // Closed only here: otherwise, the thread could accept the connections of the next socket with the same number.
      defer { close(socket) }
      while true {
        let connection = accept(socket, nil, nil)
        if connection >= 0 {
          body(connection)
        } else if errno == EINVAL {  // The socket was shut down.
          return
        }
      }
    }
  }
}
