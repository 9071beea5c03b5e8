internal import Glibc
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix

/// The Unix socket on which a proxy reaches the service.
enum ProxySocket {
  /// Removes the socket of a service that was killed.
  ///
  /// - Throws: `LeaflogError` with code `failed` when a service listens there, or something else has that path.
  static func makeRoom(at path: String) async throws(LeaflogError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw LeaflogError(.failed, "\(path) exists and is not a socket. Choose another path.")
    }
    guard await !isListening(at: path) else {
      throw LeaflogError(.failed, "Another program listens on \(path).")
    }
    remove(path)
  }

  private static func isListening(at path: String) async -> Bool {
    do {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(2)).connect(unixDomainSocketPath: path).get()
      try await channel.close()
      return true
    } catch {
      return false
    }
  }

  /// Lets the owner and the group of the socket use it, and nobody else.
  static func protect(_ path: String) { chmod(path, 0o660) }

  static func remove(_ path: String) { unlink(path) }
}

extension ServerOptions {
  var bindAddress: BindAddress {
    socket.map { .unixDomainSocket(path: $0) } ?? .hostname("\(address)", port: port)
  }
}
