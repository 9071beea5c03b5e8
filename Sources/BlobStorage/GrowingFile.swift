package import DiaryModel
internal import Glibc
internal import Hashing
internal import Synchronization
package import SystemPackage

/// A file that is written piece by piece, such as one received over a network. While an instance lives, no other
/// instance and no other process can extend the file.
package final class GrowingFile: @unchecked Sendable {  // the mutex guards its variables
  package let path: FilePath
  private let descriptor: FileDescriptor
  private let files: any FileSystem
  private let writing = Mutex<Void>(())
  private var written: Int
  /// The hash of all bytes; nil unless this instance wrote all of them.
  private var hash: SHA256?

  /// Creates the file, accessible to its owner only.
  package init(creating path: FilePath, _ files: any FileSystem) throws(BlobStoreError) {
    (self.path, self.files) = (path, files)
    descriptor = try attempt("make", path) { () throws(Errno) in try files.createFile(path) }
    written = 0
    hash = SHA256()
    flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
  }

  /// Opens an existing file to extend it.
  ///
  /// - Throws: `BlobStoreError` with code `locked` while another instance or process is extending it.
  package init(extending path: FilePath, _ files: any FileSystem) throws(BlobStoreError) {
    let file = try attempt("write", path) { () throws(Errno) in try files.openToAppend(path) }
    do throws(BlobStoreError) {
      let isFree = try attempt("lock", path) { () throws(Errno) in try lock(file.rawValue) }
      guard isFree else {
        throw BlobStoreError(
          code: .locked, message: "Another request is sending this file.", path: path.string)
      }
    } catch {
      close(file.rawValue)
      throw error
    }
    let byteCount = lseek(file.rawValue, 0, SEEK_END)
    guard byteCount >= 0 else {
      let error = Errno(rawValue: errno)
      close(file.rawValue)
      throw BlobStoreError(error, "look at", path)
    }
    (self.path, self.files, descriptor) = (path, files, file)
    written = Int(byteCount)
    hash = nil
  }

  deinit {
    release()
    close(descriptor.rawValue)
  }

  /// Lets others extend the file now, rather than when the last reference to this instance goes away. Nothing may be
  /// appended afterwards.
  package func release() {
    // Closing is not enough: a child process just forked to run a program has the file open as well.
    flock(descriptor.rawValue, LOCK_UN)
  }

  /// The size so far.
  package var byteCount: Int { writing.withLock { _ in written } }

  /// Appends bytes. After an error, `byteCount` tells how many of them were written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(BlobStoreError) {
    try writing.withLock { _ throws(BlobStoreError) in
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = try attempt("write", path) { () throws(Errno) in
          try files.write(piece, to: descriptor)
        }
        hash?.update(UnsafeRawBufferPointer(rebasing: piece.prefix(count)))
        written += count
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Makes everything written so far survive a power cut.
  package func sync() throws(BlobStoreError) {
    try attempt("write to the disk", path) { () throws(Errno) in try files.sync(descriptor) }
  }

  /// The SHA-256 of the whole file. No bytes may be appended afterwards.
  package func finish() throws(BlobStoreError) -> BlobID {
    if let hash = writing.withLock({ _ in hash.take() }) { return BlobID(finishing: hash) }
    return try attempt("read", path) { () throws(Errno) in try FileReader(path).hash() }
  }
}
