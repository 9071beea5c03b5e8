internal import Foundation
internal import Glibc

/// Waits for events in a folder (inotify(7)).
package final class FolderProbe: Sendable {
  package struct NothingHappened: Error { let folder: String }

  private let folder: String
  private let descriptor: CInt

  /// Starts watching.
  package init(_ folder: String) throws {
    self.folder = folder
    descriptor = inotify_init1(CInt(IN_CLOEXEC))
    let mask = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_CLOSE_WRITE
    guard descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(mask)) >= 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  deinit { close(descriptor) }

  /// Returns when the condition holds; it is checked now and after every change.
  ///
  /// - Throws: `NothingHappened` after two minutes without a change.
  package func wait(until condition: () throws -> Bool) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while try !condition() {
      var change = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&change, 1, 120_000)
      if count < 0, errno == EINTR { continue }
      guard count > 0, read(descriptor, &buffer, buffer.count) > 0 else {
        throw NothingHappened(folder: folder)
      }
    }
  }
}
