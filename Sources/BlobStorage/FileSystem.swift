internal import CFileSystem
internal import DiaryModel
internal import Foundation
internal import Glibc
internal import Synchronization
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
    try FolderPlace(of: path).makeFolder(mode: 0o700)
  }

  package func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    FileDescriptor(rawValue: try FolderPlace(of: path).createFile(O_WRONLY))
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
    guard fsync(directory) != 0 else { return }
    let error = Errno(rawValue: errno)
    // Some servers behind FUSE and SMB cannot sync folders. A name is then as durable as they make it.
    guard [.invalidArgument, .notSupported, .noFunction].contains(error) else { throw error }
    UnsyncedFolder.note(path)
  }

  package func unlink(_ path: FilePath) throws(Errno) {
    try check(path.withPlatformString { Glibc.unlink($0) })
  }
}

/// A place in a folder, for a file or a folder that does not exist yet.
///
/// Files and folders that root makes in the folder of another user belong to that folder's owner and group, as SQLite's
/// log does: the library's own service could not read them otherwise. They are made with the owner's rights
/// (setfsuid(2)), rather than given away by their names afterwards, when the owner may have put another file of root's in
/// their place.
package struct FolderPlace: ~Copyable {
  private let path: FilePath
  /// The folder and its owner, where that is another user and this process is root's.
  private let others: (folder: CInt, user: uid_t, group: gid_t)?

  package init(of path: FilePath) throws(Errno) {
    self.path = path
    others = geteuid() == 0 ? try Self.others(above: path) : nil
  }

  deinit { if let others { close(others.folder) } }

  private static func others(
    above path: FilePath
  ) throws(Errno) -> (folder: CInt, user: uid_t, group: gid_t)? {
    let above = path.removingLastComponent()
    let folder = try check(
      (above.isEmpty ? FilePath(".") : above).withPlatformString {
        open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      })
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid != 0 else {
      close(folder)
      return nil
    }
    return (folder, status.st_uid, status.st_gid)
  }

  /// Creates a file, by default one that is accessible to its owner only.
  ///
  /// - Parameter access: such as `O_WRONLY`.
  /// - Returns: the descriptor of the file.
  package func createFile(_ access: CInt, mode: UInt32 = 0o600) throws(Errno) -> CInt {
    let flags = O_CREAT | O_EXCL | O_CLOEXEC | access
    let file = try asOwner { folder, name in openat(folder, name, flags, mode) }
    // Where it could not be made as the owner. FAT has no owners, a server may not let root change them, and a container
    // may not know them: that is no failure.
    if let others { _ = fchown(file, others.user, others.group) }
    return file
  }

  /// Makes a folder.
  func makeFolder(mode: mode_t) throws(Errno) {
    _ = try asOwner { folder, name in mkdirat(folder, name, mode) }
  }

  /// - Parameter call: given a folder and a name that is relative to it.
  private func asOwner(
    _ call: (CInt, UnsafePointer<CInterop.PlatformChar>) -> CInt
  ) throws(Errno) -> CInt {
    guard let others, let name = path.lastComponent else {
      return try check(path.withPlatformString { call(AT_FDCWD, $0) })
    }
    return try check(
      name.withPlatformString { name in
        // These ids belong to the thread, and the call comes back on the same one.
        let group = setfsgid(others.group)
        let user = setfsuid(others.user)
        let made = call(others.folder, name)
        let error = errno
        setfsuid(uid_t(bitPattern: user))
        setfsgid(gid_t(bitPattern: group))
        // The owner may not write there at present, or a container does not know them.
        if made < 0, [EACCES, EPERM, EINVAL, EOVERFLOW].contains(error) {
          return call(others.folder, name)
        }
        errno = error
        return made
      })
  }
}

/// The first folder of this process that its file system could not sync (fsync(2)), which is said once.
package enum UnsyncedFolder {
  private static let state = Mutex<(first: FilePath?, report: (@Sendable (FilePath) -> Void)?)>(
    (nil, nil))

  /// - Parameter report: called once a folder could not be synced, at once if one could not be already.
  package static func whenFound(_ report: @escaping @Sendable (FilePath) -> Void) {
    let first = state.withLock { state in
      state.report = report
      return state.first
    }
    if let first { report(first) }
  }

  static func note(_ folder: FilePath) {
    let report = state.withLock { state in
      defer { state.first = state.first ?? folder }
      return state.first == nil ? state.report : nil
    }
    report?(folder)
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
      try FolderPlace(of: above).makeFolder(mode: 0o777)
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
        // Nothing was lost: there is no place for it, as in /proc, or none was named.
        throw failure.code != .notFound
          ? failure
          : BlobStoreError(
            code: path.isEmpty ? .invalid : .failed, message: failure.message, path: failure.path)
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
    let buffer = SharedBytes(copying: bytes)
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
