internal import BlobStorage
internal import Synchronization
package import SystemPackage

/// The real file system, with a log of what was done, and able to fail any one operation.
package final class RecordingFileSystem: FileSystem {
  package enum Operation: Equatable, Sendable {
    case makeDirectory(FilePath)
    case createFile(FilePath)
    case write(FilePath)
    case sync(FilePath)
    case rename(FilePath, FilePath)
    case link(FilePath, FilePath)
    case syncDirectory(FilePath)
    case unlink(FilePath)
  }

  private struct State {
    var log: [Operation] = []
    var names: [CInt: FilePath] = [:]
    var failure: (position: Int, error: Errno)?
    var alwaysFail: Errno?
  }

  private let real = POSIXFileSystem()
  private let state = Mutex(State())

  package init() {}

  package var log: [Operation] { state.withLock { $0.log } }

  /// Which operation fails, counted from the start of the log, and how. Unlinking never does.
  package var failure: (position: Int, error: Errno)? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// Makes every operation but unlinking fail, as on a full disk.
  package var alwaysFail: Errno? {
    get { state.withLock { $0.alwaysFail } }
    set { state.withLock { $0.alwaysFail = newValue } }
  }

  package func forget() { state.withLock { $0.log = [] } }

  private func note(_ operation: Operation) throws(Errno) {
    let error = state.withLock { state -> Errno? in
      state.log.append(operation)
      let isHit = state.failure?.position == state.log.count - 1
      return state.alwaysFail ?? (isHit ? state.failure?.error : nil)
    }
    if let error { throw error }
  }

  private func name(_ file: FileDescriptor) -> FilePath {
    state.withLock { $0.names[file.rawValue] ?? "?" }
  }

  package func makeDirectory(_ path: FilePath) throws(Errno) {
    try note(.makeDirectory(path))
    try real.makeDirectory(path)
  }

  package func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    try note(.createFile(path))
    let file = try real.createFile(path)
    state.withLock { $0.names[file.rawValue] = path }
    return file
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor) throws(Errno) -> Int
  {
    try note(.write(name(file)))
    return try real.write(bytes, to: file)
  }

  package func sync(_ file: FileDescriptor) throws(Errno) {
    try note(.sync(name(file)))
    try real.sync(file)
  }

  package func rename(_ path: FilePath, to target: FilePath) throws(Errno) {
    try note(.rename(path, target))
    try real.rename(path, to: target)
  }

  package func link(_ path: FilePath, to target: FilePath) throws(Errno) {
    try note(.link(path, target))
    try real.link(path, to: target)
  }

  package func syncDirectory(_ path: FilePath) throws(Errno) {
    try note(.syncDirectory(path))
    try real.syncDirectory(path)
  }

  package func unlink(_ path: FilePath) throws(Errno) {
    try real.unlink(path)
  }
}
