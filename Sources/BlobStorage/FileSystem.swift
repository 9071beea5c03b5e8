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
