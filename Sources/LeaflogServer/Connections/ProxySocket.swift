internal import Glibc
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The Unix socket on which a proxy reaches the service.
final class ProxySocket: Sendable {
  /// What identifies a file while it exists.
  private struct FileID: Equatable {
    let device: dev_t
    let inode: ino_t
  }

  private let path: String
  /// The socket of this service, once it listens.
  private let own = Mutex<FileID?>(nil)

  init(_ path: String) { self.path = path }

  /// Removes the socket of a service that was killed.
  ///
  /// - Throws: `LeaflogError` with code `failed` when a service listens there, or something else has that path.
  func makeRoom() async throws(LeaflogError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw LeaflogError(.failed, "\(path) exists and is not a socket. Choose another path.")
    }
    guard await !isListening() else {
      throw LeaflogError(.failed, "Another program listens on \(path).")
    }
    unlink(path)
  }

  /// Whether a program listens, or cannot be said not to.
  private func isListening() async -> Bool {
    do {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(2)).connect(unixDomainSocketPath: path).get()
      try await channel.close()
      return true
    } catch let error as IOError {
      return ![ECONNREFUSED, ENOENT].contains(error.errnoCode)
    } catch {
      return true
    }
  }

  /// Takes the socket on which the service listens by now. Its owner and its group may use it, and nobody else.
  func take() {
    chmod(path, 0o660)
    own.withLock { $0 = present }
  }

  /// Removes the socket, unless another service has put its own there.
  func remove() {
    if let own = own.withLock({ $0 }), own == present { unlink(path) }
  }

  private var present: FileID? {
    var status = stat()
    return lstat(path, &status) == 0
      ? FileID(device: status.st_dev, inode: status.st_ino) : nil
  }
}

extension ServerOptions {
  var bindAddress: BindAddress {
    socket.map { .unixDomainSocket(path: $0) } ?? .hostname("\(address)", port: port)
  }
}
