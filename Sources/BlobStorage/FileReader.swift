package import DiaryModel
internal import Glibc
internal import Hashing
package import SystemPackage

/// A regular file, open for reading.
package final class FileReader: Sendable {
  private let descriptor: CInt
  /// The file's size when it was opened.
  package let byteCount: Int

  /// Throws EISDIR or ENXIO unless it is a regular file. Never waits for a FIFO's other end.
  package init(_ path: FilePath) throws(Errno) {
    descriptor = try check(
      path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
    var status = stat()
    do throws(Errno) {
      _ = try check(fstat(descriptor, &status))
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw status.st_mode & S_IFMT == S_IFDIR ? Errno.isDirectory : .noSuchAddressOrDevice
      }
    } catch {
      close(descriptor)
      throw error
    }
    byteCount = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// The bytes of a range, fewer when the file ends within it.
  package func read(_ range: Range<Int>) throws(Errno) -> SharedBytes {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, range.count), alignment: 16)
    do {
      let count = try fill(buffer[..<range.count], from: range.lowerBound) { _ in }
      return SharedBytes(adopting: .init(rebasing: buffer[..<count])) { $0?.deallocate() }
    } catch {
      buffer.deallocate()
      throw error
    }
  }

  /// Fills a buffer with the bytes from `start` on.
  ///
  /// - Returns: the number of bytes read, less than the buffer's size at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, from start: Int
  ) throws(Errno) -> Int {
    try fill(buffer[...], from: start) { _ in }
  }

  /// The whole file and the id of its bytes, in a single pass.
  package func readAndHash() throws(Errno) -> (bytes: SharedBytes, id: BlobID) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, byteCount), alignment: 16)
    var hash = SHA256()
    do {
      let count = try fill(buffer[..<byteCount], from: 0) { hash.update($0) }
      let bytes = SharedBytes(adopting: .init(rebasing: buffer[..<count])) { $0?.deallocate() }
      return (bytes, BlobID(finishing: hash))
    } catch {
      buffer.deallocate()
      throw error
    }
  }

  /// The id of the whole file's bytes, read piece by piece.
  package func hash() throws(Errno) -> BlobID {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    var hash = SHA256()
    var start = 0
    while true {
      let count = try fill(piece[...], from: start) { hash.update($0) }
      start += count
      if count < piece.count { return BlobID(finishing: hash) }
    }
  }

  /// Reads in pieces small enough to be in the processor's cache still when `seen` gets them.
  private func fill(
    _ buffer: Slice<UnsafeMutableRawBufferPointer>, from start: Int,
    seen: (UnsafeRawBufferPointer) -> Void
  ) throws(Errno) -> Int {
    let target = UnsafeMutableRawBufferPointer(rebasing: buffer)
    var filled = 0
    while filled < target.count {
      let piece = target[filled..<min(target.count, filled + 1 << 18)]
      let count = pread(
        descriptor, UnsafeMutableRawBufferPointer(rebasing: piece).baseAddress, piece.count,
        start + filled)
      if count < 0, errno == EINTR { continue }
      if try check(count) == 0 { break }
      seen(UnsafeRawBufferPointer(rebasing: target[filled..<(filled + count)]))
      filled += count
    }
    return filled
  }
}
