internal import Glibc
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The Unix socket on which a proxy reaches the service.
final class ProxySocket: Sendable {
  /// The identity of a file while it exists.
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
  private var firstPath: String {
    (path.split(separator: "/", omittingEmptySubsequences: false).dropLast() + [".\(getpid())"])
      .joined(separator: "/")
  }
  /// The largest size of a path (`sun_path`, less than which NIO accepts), in bytes.
  private static let maxByteCount = 103
  /// The socket of this service, once it listens.
  private let own = Mutex<FileID?>(nil)
  private let fault = Mutex<LeaflogError?>(nil)

  init(_ path: String) { self.path = path }

  /// Removes the socket of a service that was killed.
  ///
  /// - Throws: `LeaflogError` with code `failed` when a service listens there, or something else has that path.
  func makeRoom() async throws(LeaflogError) {
    guard max(path.utf8.count, firstPath.utf8.count) <= Self.maxByteCount else {
      throw LeaflogError(
        .failed,
        "The path of a socket has at most \(Self.maxByteCount) bytes. Choose a shorter one.")
    }
    // One of a process with the same number that was killed.
    if try Self.isSocket(firstPath) { unlink(firstPath) }
    guard try Self.isSocket(path) else { return }
    guard try await !isListening() else {
      throw LeaflogError(.failed, "Another program listens on \(path).")
    }
    unlink(path)
  }

  /// - Returns: false when there is nothing.
  /// - Throws: `LeaflogError` with code `failed` when something else is there.
  private static func isSocket(_ path: String) throws(LeaflogError) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw LeaflogError(.failed, "\(path) exists and is not a socket. Choose another path.")
    }
    return true
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
  /// - Returns: whether it has the name; otherwise `failure` says why not.
  func take() -> Bool {
    chmod(firstPath, 0o660)
    let made = FileID(firstPath)
    // Unlike a renaming, it never takes the place of another service that was quicker.
    guard link(firstPath, path) == 0 else {
      let reason = String(cString: strerror(errno))
      fault.withLock { $0 = LeaflogError(.failed, "\(path) could not be made: \(reason).") }
      return false
    }
    unlink(firstPath)
    own.withLock { $0 = made }
    return true
  }

  /// The reason why the socket did not get its name; nil if it did.
  var failure: LeaflogError? { fault.withLock { $0 } }

  /// Removes the socket, unless another service has put its own there.
  func remove() {
    if let own = own.withLock({ $0 }), own == FileID(path) { unlink(path) }
  }
}
