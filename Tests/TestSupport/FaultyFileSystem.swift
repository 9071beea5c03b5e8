internal import BlobStorage
internal import Glibc
package import SystemPackage

/// The real file system with a log of operations. It can make any one of them fail, and revert unsynced changes at a
/// power cut.
package final class FaultyFileSystem: FileSystem, @unchecked Sendable {  // the injector locks
  package enum Operation: Equatable, Sendable {
    case makeDirectory(FilePath)
    case createFile(FilePath)
    case openToAppend(FilePath)
    case write(FilePath)
    case sync(FilePath)
    case rename(FilePath, FilePath)
    case link(FilePath, FilePath)
    case syncDirectory(FilePath)
    case unlink(FilePath)

    fileprivate var kind: FaultInjector.Operation {
      switch self {
      case .makeDirectory: .folder
      case .createFile: .creation
      case .openToAppend: .opening
      case .write: .write
      case .sync: .sync
      case .rename, .link: .naming
      case .syncDirectory: .folderSync
      case .unlink: .removal
      }
    }
  }

  private let real = POSIXFileSystem()
  private let injector: FaultInjector
  private var operations: [Operation] = []
  private var names: [CInt: FilePath] = [:]
  private var unsynced: UnsyncedFiles?
  private let didSyncFolder: (FilePath) -> Void

  /// `limbo` is a folder in the same file system that keeps replaced and removed files until a sync, as a power cut
  /// would bring them back. `didSyncFolder` is called with the injector's lock held.
  package init(
    _ injector: FaultInjector = FaultInjector(), limbo: FilePath? = nil,
    didSyncFolder: @escaping (FilePath) -> Void = { _ in }
  ) {
    (self.injector, self.didSyncFolder) = (injector, didSyncFolder)
    guard let limbo else { return }
    unsynced = UnsyncedFiles(limbo: limbo)
    injector.onLoss(of: .files) { [unowned self] in unsynced?.drop() }
  }

  package var log: [Operation] { injector.withLock { operations } }

  /// Empties the log, and restarts the count at 0.
  package func arm(_ plan: FaultPlan? = nil) {
    injector.withLock { operations = [] }
    injector.arm(plan)
  }

  private func perform<Result>(
    _ operation: Operation, _ body: (_ isShortened: Bool) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let verdict = injector.enter(operation.kind)
    defer { injector.leave() }
    operations.append(operation)
    if case .fail(let error) = verdict { throw error }
    return try body(verdict == .shorten)
  }

  package func makeDirectory(_ path: FilePath) throws(Errno) {
    try perform(.makeDirectory(path)) { _ throws(Errno) in
      try real.makeDirectory(path)
      unsynced?.didAdd(path)
    }
  }

  package func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    try perform(.createFile(path)) { _ throws(Errno) in
      let file = try real.createFile(path)
      names[file.rawValue] = path
      unsynced?.didAdd(path)
      unsynced?.didCreate(file)
      return file
    }
  }

  package func openToAppend(_ path: FilePath) throws(Errno) -> FileDescriptor {
    try perform(.openToAppend(path)) { _ throws(Errno) in
      let file = try real.openToAppend(path)
      names[file.rawValue] = path
      unsynced?.didOpen(file)
      return file
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor) throws(Errno) -> Int
  {
    let name = injector.withLock { names[file.rawValue] ?? "?" }
    return try perform(.write(name)) { isShortened throws(Errno) in
      let share = isShortened ? (bytes.count + 1) / 2 : bytes.count
      return try real.write(UnsafeRawBufferPointer(rebasing: bytes[..<share]), to: file)
    }
  }

  package func sync(_ file: FileDescriptor) throws(Errno) {
    let name = injector.withLock { names[file.rawValue] ?? "?" }
    try perform(.sync(name)) { _ throws(Errno) in
      // When power cuts are simulated, nothing needs to survive a real one.
      if unsynced == nil { try real.sync(file) }
      unsynced?.didSync(file)
    }
  }

  package func rename(_ path: FilePath, to target: FilePath) throws(Errno) {
    try perform(.rename(path, target)) { _ throws(Errno) in
      // Two folders change, and each is synced separately.
      unsynced?.willRemove(target)
      unsynced?.willRemove(path, newFolder: target.removingLastComponent())
      do throws(Errno) { try real.rename(path, to: target) } catch {
        unsynced?.forgetLast(2)
        throw error
      }
    }
  }

  package func link(_ path: FilePath, to target: FilePath) throws(Errno) {
    try perform(.link(path, target)) { _ throws(Errno) in
      try real.link(path, to: target)
      unsynced?.didAdd(target)
    }
  }

  package func syncDirectory(_ path: FilePath) throws(Errno) {
    try perform(.syncDirectory(path)) { _ throws(Errno) in
      if unsynced == nil { try real.syncDirectory(path) }
      unsynced?.didSync(directory: path)
      didSyncFolder(path)
    }
  }

  package func unlink(_ path: FilePath) throws(Errno) {
    try perform(.unlink(path)) { _ throws(Errno) in
      unsynced?.willRemove(path)
      do throws(Errno) { try real.unlink(path) } catch {
        unsynced?.forgetLast(1)
        throw error
      }
    }
  }
}
