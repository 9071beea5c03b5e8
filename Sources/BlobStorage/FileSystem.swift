internal import DiaryModel
internal import Foundation
internal import Glibc
package import SystemPackage

/// The operations by which a store changes a file system, one system call each, so that tests can
/// make any single one of them fail.
package protocol FileSystem: Sendable {
  func makeDirectory(_ path: FilePath) throws(Errno)
  func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor
  /// Opens an existing file for appending.
  func openToAppend(_ path: FilePath) throws(Errno) -> FileDescriptor
  func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor) throws(Errno) -> Int
  func sync(_ file: FileDescriptor) throws(Errno)
  func rename(_ path: FilePath, to target: FilePath) throws(Errno)
  func link(_ path: FilePath, to target: FilePath) throws(Errno)
  func syncDirectory(_ path: FilePath) throws(Errno)
  func unlink(_ path: FilePath) throws(Errno)
}

/// The system's own file system. Files and folders it creates are accessible to their owner only,
/// whatever the umask.
package struct POSIXFileSystem: FileSystem {
  package init() {}

  package func makeDirectory(_ path: FilePath) throws(Errno) {
    try check(path.withPlatformString { mkdir($0, 0o700) })
  }

  package func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
    return FileDescriptor(rawValue: try check(path.withPlatformString { open($0, flags, 0o600) }))
  }

  package func openToAppend(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let flags = O_APPEND | O_WRONLY | O_CLOEXEC
    return FileDescriptor(rawValue: try check(path.withPlatformString { open($0, flags) }))
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor) throws(Errno) -> Int
  {
    try check(Glibc.write(file.rawValue, bytes.baseAddress, bytes.count))
  }

  package func sync(_ file: FileDescriptor) throws(Errno) {
    try check(fsync(file.rawValue))
  }

  package func rename(_ path: FilePath, to target: FilePath) throws(Errno) {
    try check(
      path.withPlatformString { old in target.withPlatformString { Glibc.rename(old, $0) } })
  }

  package func link(_ path: FilePath, to target: FilePath) throws(Errno) {
    try check(path.withPlatformString { old in target.withPlatformString { Glibc.link(old, $0) } })
  }

  package func syncDirectory(_ path: FilePath) throws(Errno) {
    let directory = try check(
      path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    defer { close(directory) }
    try check(fsync(directory))
  }

  package func unlink(_ path: FilePath) throws(Errno) {
    try check(path.withPlatformString { Glibc.unlink($0) })
  }
}

/// Turns -1 into the error that errno names.
@discardableResult
func check<Value: SignedInteger>(_ result: Value) throws(Errno) -> Value {
  guard result != -1 else { throw Errno(rawValue: errno) }
  return result
}

/// Folders, and files that need no sync.
extension FileSystem {
  /// Makes a folder that is accessible to its owner only, unless it exists. Missing parents are made
  /// with ordinary permissions.
  package func makeFolder(_ path: FilePath) throws(BlobStoreError) {
    try makeFoldersAbove(path)
    try makeIfMissing(path) { () throws(Errno) in try makeDirectory(path) }
  }

  private func makeFoldersAbove(_ path: FilePath) throws(BlobStoreError) {
    let above = path.removingLastComponent()
    guard path.lastComponent != nil, !above.isEmpty, !isThere(above) else { return }
    try makeFoldersAbove(above)
    try makeIfMissing(above) { () throws(Errno) in
      _ = try check(above.withPlatformString { mkdir($0, 0o777) })
    }
  }

  private func makeIfMissing(
    _ path: FilePath, _ make: () throws(Errno) -> Void
  ) throws(BlobStoreError) {
    do throws(Errno) {
      if !isThere(path) { try make() }
    } catch {
      guard error == .fileExists else {
        let failure = BlobStoreError(error, "make the folder", path)
        // Nothing was lost: there is no place for it.
        throw failure.code != .notFound
          ? failure : BlobStoreError(code: .invalid, message: failure.message, path: failure.path)
      }
    }
  }

  /// Makes the name of a folder survive a power loss. A parent that this process may not read cannot be synced and is
  /// skipped; that happens only to a folder that existed before.
  package func makeNameDurable(of folder: FilePath) throws(BlobStoreError) {
    let parent = folder.removingLastComponent()
    do throws(Errno) { try syncDirectory(parent) } catch {
      guard error == .permissionDenied else {
        throw BlobStoreError(error, "write the folder to the disk", parent)
      }
    }
  }

  private func isThere(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  /// Writes a file atomically, replacing an existing one.
  package func writeUnsynced(
    _ bytes: some Collection<UInt8>, to path: FilePath
  ) throws(BlobStoreError) {
    let unfinished = path.removingLastComponent()
      .appending(".unfinished-\(UInt64.random(in: .min ... .max))")
    let buffer = ByteBuffer(copying: bytes)
    defer { Glibc.unlink(unfinished.string) }  // already gone after the rename
    try attempt("write", path) { () throws(Errno) in
      let file = try createFile(unfinished)
      defer { Glibc.close(file.rawValue) }
      try buffer.withUnsafeBytes { bytes throws(Errno) in
        var rest = bytes[...]
        while !rest.isEmpty {
          rest = rest.dropFirst(try write(UnsafeRawBufferPointer(rebasing: rest), to: file))
        }
      }
      try rename(unfinished, to: path)
    }
  }
}

/// An entry of a folder.
package struct DirectoryItem: Sendable {
  /// The bytes of its name, NUL-terminated.
  package let name: [CChar]
  /// Its type, such as `DT_LNK` (readdir(3)).
  package let type: Int

  /// The name, repaired where it is not valid UTF-8.
  package var text: String {
    String(decoding: name.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// All entries of a folder, without `.` and `..`, in no particular order.
  package static func list(_ folder: FilePath) throws(Errno) -> [DirectoryItem] {
    guard let directory = folder.withPlatformString({ opendir($0) }) else {
      throw Errno(rawValue: errno)
    }
    defer { closedir(directory) }
    var items: [DirectoryItem] = []
    while true {
      errno = 0
      guard let item = readdir(directory) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return items
      }
      let name = name(of: item)
      if name != [46, 0], name != [46, 46, 0] {
        items.append(DirectoryItem(name: name, type: Int(item.pointee.d_type)))
      }
    }
  }

  /// A `dirent` is only as long as its name: `d_name`, declared with 256 bytes, may extend past the end of the
  /// system's buffer, so it must never be read as a whole.
  private static func name(of item: UnsafeMutablePointer<dirent>) -> [CChar] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("a stored property has an offset")
    }
    let start = UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
  }
}
