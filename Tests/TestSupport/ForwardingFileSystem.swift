package import BlobStorage
internal import Glibc
package import SystemPackage

/// A file system that forwards to the real one, for types that replace single operations.
package protocol ForwardingFileSystem: FileSystem {
  var real: POSIXFileSystem { get }
}

extension ForwardingFileSystem {
  package func makeDirectory(_ path: FilePath) throws(Errno) { try real.makeDirectory(path) }
  package func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    try real.createFile(path)
  }
  package func openToAppend(_ path: FilePath) throws(Errno) -> FileDescriptor {
    try real.openToAppend(path)
  }
  package func write(
    _ bytes: UnsafeRawBufferPointer, to file: FileDescriptor
  ) throws(Errno) -> Int {
    try real.write(bytes, to: file)
  }
  package func sync(_ file: FileDescriptor) throws(Errno) { try real.sync(file) }
  package func rename(_ path: FilePath, to target: FilePath) throws(Errno) {
    try real.rename(path, to: target)
  }
  package func link(_ path: FilePath, to target: FilePath) throws(Errno) {
    try real.link(path, to: target)
  }
  package func syncDirectory(_ path: FilePath) throws(Errno) { try real.syncDirectory(path) }
  package func unlink(_ path: FilePath) throws(Errno) { try real.unlink(path) }
}

/// A file system without modes, such as exFAT, which shows each file as open to all.
package struct OpenFileSystem: ForwardingFileSystem {
  package let real = POSIXFileSystem()

  package init() {}

  package func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let file = try real.createFile(path)
    guard fchmod(file.rawValue, 0o644) == 0 else { throw Errno(rawValue: errno) }
    return file
  }
}
