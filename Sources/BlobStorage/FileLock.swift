internal import DiaryModel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A library's lock file: flock(2), which the kernel releases when its holder dies.
///
/// Held for each write transaction and each checkpoint, never longer: SQLite 3.40.1 can corrupt a
/// database when a write meets another connection's checkpoint (the WAL-reset bug of
/// sqlite.org/wal.html).
package final class FileLock: ExclusiveLock {
  private let path: FilePath
  private let descriptor: CInt
  private let patience: Duration
  /// flock belongs to the open file, so threads of one process need a lock of their own.
  private let threads = Mutex<Void>(())
  /// The thread of this process that holds each lock file. One that asked for it again would wait for itself.
  private static let holders = Mutex<[FilePath: pthread_t]>([:])

  /// - Parameter patience: how long to wait for another process.
  package init(_ path: FilePath, patience: Duration = .seconds(30)) throws(BlobStoreError) {
    self.path = path
    self.patience = patience
    descriptor = try attempt("open the lock", path) { () throws(Errno) in
      try openForLocking(path, creates: true, needsWriting: true)
    }
  }

  deinit { close(descriptor) }

  /// - Throws: `BlobStoreError` with code `invalid` when the current thread holds the lock already, and `locked` when
  ///   another process keeps it.
  package func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = pthread_self()
    guard Self.holders.withLock({ $0[path] }) != thread else {
      throw BlobStoreError(
        code: .invalid,
        message:
          "The library cannot be changed from within another of its calls. Make one after the other.",
        path: path.string)
    }
    return try threads.withLock { _ in
      try acquire()
      Self.holders.withLock { $0[path] = thread }
      defer {
        Self.holders.withLock { $0[path] = nil }
        flock(descriptor, LOCK_UN)
      }
      return try body()
    }
  }

  private func acquire() throws {
    let deadline = ContinuousClock.now + patience
    while try !attempt("lock", path, { () throws(Errno) in try lock(descriptor) }) {
      guard ContinuousClock.now < deadline else {
        throw BlobStoreError(
          code: .locked,
          message: "Another process has been writing to the library for \(patience). "
            + "Wait until it is done, or end it, and try again.",
          path: path.string)
      }
      usleep(2000)
    }
  }
}
