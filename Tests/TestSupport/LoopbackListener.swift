internal import Foundation

/// A socket that takes connections for as long as this lives.
package final class LoopbackListener: Sendable {
  package let port: Int
  private let socket: CInt

  package init() throws { (socket, port) = try LoopbackSocket.listen() }

  deinit { shutdown(socket, CInt(SHUT_RDWR)) }

  /// - Parameter body: gets each connection, on a thread that takes all of them.
  package func serve(_ body: @escaping @Sendable (CInt) -> Void) {
    Thread.detachNewThread { [socket] in
      // Not before: the thread would take the connections of the next socket with the same number.
      defer { close(socket) }
      while true {
        let connection = accept(socket, nil, nil)
        if connection >= 0 {
          body(connection)
        } else if errno == EINVAL {  // It was shut down.
          return
        }
      }
    }
  }
}
