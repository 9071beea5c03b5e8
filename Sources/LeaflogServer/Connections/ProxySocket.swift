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
    /// The number of an inode may be used again.
    let seconds: time_t
    let nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private let path: String
  /// The path at which the service begins to listen: NIO removes whatever is there when it ends.
  private var firstPath: String { "\(path).\(getpid())" }
  /// The socket of this service, once it listens.
  private let own = Mutex<FileID?>(nil)

  init(_ path: String) { self.path = path }

  /// Removes the socket of a service that was killed.
  ///
  /// - Throws: `LeaflogError` with code `failed` when a service listens there, or something else has that path.
  func makeRoom() async throws(LeaflogError) {
    var status = stat()
    unlink(firstPath)
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw LeaflogError(.failed, "\(path) exists and is not a socket. Choose another path.")
    }
    guard try await !isListening() else {
      throw LeaflogError(.failed, "Another program listens on \(path).")
    }
  }

  private func isListening() async throws(LeaflogError) -> Bool {
    do {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(2)).connect(unixDomainSocketPath: path).get()
      try await channel.close()
      return true
    } catch let error as IOError where [ECONNREFUSED, ENOENT].contains(error.errnoCode) {
      return false
    } catch let error as IOError where [EACCES, EPERM].contains(error.errnoCode) {
      throw LeaflogError(
        .failed,
        "\(path) belongs to somebody else, so that it cannot be asked whether a program listens there. "
          + "Remove it if none does.")
    } catch {
      return true
    }
  }

  var bindAddress: BindAddress { .unixDomainSocket(path: firstPath) }

  /// Gives the socket on which the service listens its name. Its owner and its group may use it, and nobody else.
  ///
  /// - Throws: `LeaflogError` with code `failed` when it cannot have that name.
  func take() throws(LeaflogError) {
    chmod(firstPath, 0o660)
    let made = FileID(firstPath)
    guard rename(firstPath, path) == 0 else {
      throw LeaflogError(.failed, "\(path) could not be made: \(String(cString: strerror(errno))).")
    }
    own.withLock { $0 = made }
  }

  /// Removes the socket, unless another service has put its own there.
  func remove() {
    if let own = own.withLock({ $0 }), own == FileID(path) { unlink(path) }
  }
}
