package import DiaryModel
internal import Glibc
package import SystemPackage

/// Blobs as files: `blobs/ab/abcdef…`, written under `tmp/` and renamed into place.
package struct LocalBlobStore: BlobStore {
  let blobs: FilePath
  let temporary: FilePath
  let trash: FilePath
  package let files: any FileSystem

  /// `root` holds the folders `blobs`, `tmp` and `trash`.
  package init(root: FilePath, files: any FileSystem = POSIXFileSystem()) {
    blobs = root.appending("blobs")
    temporary = root.appending("tmp")
    trash = root.appending("trash")
    self.files = files
  }

  /// Creates the missing folders.
  package func createFolders() throws(BlobStoreError) {
    try attempt("make the folder", blobs) { () throws(Errno) in
      var isNew = false
      for folder in [blobs, temporary] where try makeDirectoryIfMissing(folder) { isNew = true }
      if isNew { try files.syncDirectory(blobs.removingLastComponent()) }
    }
  }

  package func path(of id: BlobID) -> FilePath {
    let hex = id.hex
    return blobs.appending(String(hex.prefix(2))).appending(hex)
  }

  package func place(of id: BlobID) -> String { path(of: id).string }

  /// Durability depends on the order: bytes to temporary files, fsync of each, rename, fsync of the
  /// folders. A batch pays for each folder once, and its first fsync writes the file system's journal
  /// for the rest.
  package func put(_ blobs: [PendingBlob]) throws(BlobStoreError) {
    guard !blobs.isEmpty else { return }
    // Another writer may have made a folder in there a moment ago and not synced it yet.
    var folders: Set<FilePath> = [self.blobs]
    var written: [(file: TemporaryFile, target: FilePath)] = []
    defer { for (file, _) in written { file.discard(files) } }
    for blob in Dictionary(blobs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      .values
    {
      let target = path(of: blob.id)
      folders.insert(target.removingLastComponent())
      // Another writer may have renamed it a moment ago and not synced it yet.
      var isThere = try hasSound(blob, at: target)
      if isThere { isThere = try syncExisting(target) }
      if !isThere { written.append((try write(blob), target)) }
    }
    for (file, _) in written {
      try attempt("write to the disk", file.path) { () throws(Errno) in
        try files.sync(file.descriptor)
      }
    }
    for (file, target) in written {
      try attempt("rename into the store", target) { () throws(Errno) in
        try makeDirectoryIfMissing(target.removingLastComponent())
        try files.rename(file.path, to: target)
        file.isRenamed = true
      }
    }
    for folder in folders {
      try attempt("write the folder to the disk", folder) { () throws(Errno) in
        try files.syncDirectory(folder)
      }
    }
  }

  /// Whether the store has the blob intact. A file of the right size may have been damaged since it was written.
  private func hasSound(_ blob: PendingBlob, at path: FilePath) throws(BlobStoreError) -> Bool {
    guard try byteCount(of: blob.id) == blob.bytes.count else { return false }
    do throws(Errno) { return try FileReader(path).hash() == blob.id } catch {
      // It was moved in the meantime, or the disk has lost it.
      if [.noSuchFileOrDirectory, .ioError, .badMessage, Errno(rawValue: EUCLEAN)].contains(error) {
        return false
      }
      throw BlobStoreError(error, "read", path)
    }
  }

  package func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> SharedBytes {
    let path = path(of: id)
    return try attempt("read", path) { () throws(Errno) in
      let file = try FileReader(path)
      return try file.read(range ?? 0..<file.byteCount)
    }
  }

  package func byteCount(of id: BlobID) throws(BlobStoreError) -> Int? {
    let path = path(of: id)
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      let error = Errno(rawValue: errno)
      if error == .noSuchFileOrDirectory { return nil }
      throw BlobStoreError(error, "look at", path)
    }
    return Int(status.st_size)
  }

  package func list(_ body: (StoredBlob) throws -> Void) throws {
    for byte in UInt8.min...UInt8.max { try list(beginningWith: byte, body) }
  }

  /// The blobs whose ids begin with a byte, which are in one folder.
  package func list(beginningWith byte: UInt8, _ body: (StoredBlob) throws -> Void) throws {
    let digits = String(byte, radix: 16)
    let folder = blobs.appending(digits.count == 1 ? "0" + digits : digits)
    guard let names = try directoryNames(folder) else { return }
    for name in names {
      guard let id = BlobID(hex: name) else { continue }
      // It may have been moved since the folder was listed.
      guard let blob = stored(id, at: path(of: id)) else { continue }
      try body(blob)
    }
  }

  /// Nil when there is no such file.
  func stored(_ id: BlobID, at path: FilePath) -> StoredBlob? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    let storedAt = Timestamp(
      milliseconds: Int64(status.st_mtim.tv_sec).multipliedSaturated(by: 1000)
        .addingSaturated(Int64(status.st_mtim.tv_nsec) / 1_000_000))
    return StoredBlob(id: id, byteCount: Int(status.st_size), storedAt: storedAt)
  }

  package func delete(_ id: BlobID) throws(BlobStoreError) {
    let path = path(of: id)
    try attempt("remove", path) { () throws(Errno) in try unlinkIfThere(path) }
  }
}

extension LocalBlobStore {
  /// Removes the temporary files of killed writers. A file that a live process is writing is locked
  /// and stays.
  package func sweepTemporaryFiles() throws(BlobStoreError) {
    for name in try directoryNames(temporary) ?? [] {
      let path = temporary.appending(name)
      // Others may have removed it, or it is of somebody else.
      guard let file = try? openForLocking(path) else { continue }
      defer { close(file) }
      guard let isFree = try? lock(file), isFree else { continue }
      try attempt("remove", path) { () throws(Errno) in try unlinkIfThere(path) }
    }
  }

  private func write(_ blob: PendingBlob) throws(BlobStoreError) -> TemporaryFile {
    let name = "\(blob.id.hex.prefix(16))-\(UInt64.random(in: .min ... .max))"
    let path = temporary.appending(name)
    return try attempt("write", path) { () throws(Errno) in
      let file = TemporaryFile(path: path, descriptor: try files.createFile(path))
      flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB)  // tells the sweep that it is in use
      do throws(Errno) {
        try blob.bytes.withUnsafeBytes { bytes throws(Errno) in
          try writeAll(bytes, to: file.descriptor)
        }
      } catch {
        file.discard(files)
        throw error
      }
      return file
    }
  }

  /// False when the file no longer exists.
  private func syncExisting(_ path: FilePath) throws(BlobStoreError) -> Bool {
    try attempt("write to the disk", path) { () throws(Errno) in
      let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
      if descriptor < 0, errno == ENOENT { return false }
      let file = FileDescriptor(rawValue: try check(descriptor))
      defer { Glibc.close(file.rawValue) }
      try files.sync(file)
      return true
    }
  }

  func unlinkIfThere(_ path: FilePath) throws(Errno) {
    do throws(Errno) {
      try files.unlink(path)
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
    }
  }

  /// Whether the folder had to be made.
  @discardableResult
  func makeDirectoryIfMissing(_ path: FilePath) throws(Errno) -> Bool {
    if path.withPlatformString({ access($0, F_OK) }) == 0 { return false }
    do throws(Errno) {
      try files.makeDirectory(path)
      return true
    } catch {
      guard error == .fileExists else { throw error }
      return false
    }
  }

  /// The names in a folder, without `.` and `..`; nil when there is no such folder.
  package func directoryNames(_ path: FilePath) throws(BlobStoreError) -> [String]? {
    do throws(Errno) {
      return try DirectoryItem.list(path).map(\.text)
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw BlobStoreError(error, "list", path)
    }
  }
}

/// A file under `tmp/` until it is renamed or discarded.
private final class TemporaryFile {
  let path: FilePath
  let descriptor: FileDescriptor
  var isRenamed = false

  init(path: FilePath, descriptor: FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Ends the write. If the file cannot be unlinked here, the next import's sweep removes it.
  func discard(_ files: any FileSystem) {
    if !isRenamed { try? files.unlink(path) }
    close(descriptor.rawValue)
  }
}

/// The store's trash: blobs that nothing refers to, before they are unlinked.
extension LocalBlobStore {
  /// Moves a blob to the trash; a missing one is not an error. Must be called under the library's lock,
  /// so that no transaction refers to the blob meanwhile.
  package func moveToTrash(_ id: BlobID) throws(BlobStoreError) {
    try move(path(of: id), to: trashPath(of: id))
  }

  /// Takes a blob out of the trash.
  ///
  /// - Returns: false when it is not in the trash.
  @discardableResult
  package func takeFromTrash(_ id: BlobID) throws(BlobStoreError) -> Bool {
    try move(trashPath(of: id), to: path(of: id))
  }

  /// Checks that a rendition's blob is present, and takes it out of the trash if necessary. Must be called
  /// under the library's lock, which keeps the blob present until the transaction ends.
  package func confirm(_ rendition: Rendition) throws {
    if try byteCount(of: rendition.blob) == rendition.byteCount { return }
    guard try takeFromTrash(rendition.blob) else {
      throw BlobStoreError(.noSuchFileOrDirectory, "find", path(of: rendition.blob))
    }
  }

  /// The bytes of a blob that is in the trash; nil when it is not.
  package func bytesInTrash(_ id: BlobID) throws(BlobStoreError) -> SharedBytes? {
    let path = trashPath(of: id)
    return try attempt("read", path) { () throws(Errno) in
      do throws(Errno) {
        let file = try FileReader(path)
        return try file.read(0..<file.byteCount)
      } catch {
        guard error == .noSuchFileOrDirectory else { throw error }
        return nil
      }
    }
  }

  package func isInTrash(_ id: BlobID) -> Bool {
    trashPath(of: id).withPlatformString { access($0, F_OK) } == 0
  }

  /// Unlinks blobs in the trash, durably: nothing would know of one that reappeared after a power cut.
  package func deleteFromTrash(_ ids: [BlobID]) throws(BlobStoreError) {
    for id in ids {
      let path = trashPath(of: id)
      try attempt("remove", path) { () throws(Errno) in try unlinkIfThere(path) }
    }
    guard !ids.isEmpty, trash.withPlatformString({ access($0, F_OK) }) == 0 else { return }
    try attempt("write the folder to the disk", trash) { () throws(Errno) in
      try files.syncDirectory(trash)
    }
  }

  /// Calls `body` with every blob in the trash, its size and the time it was stored.
  package func listTrash(_ body: (StoredBlob) throws -> Void) throws {
    for name in try directoryNames(trash) ?? [] {
      guard let id = BlobID(hex: name), let blob = stored(id, at: trashPath(of: id)) else {
        continue
      }
      try body(blob)
    }
  }

  func trashPath(of id: BlobID) -> FilePath { trash.appending(id.hex) }

  @discardableResult
  private func move(_ path: FilePath, to target: FilePath) throws(BlobStoreError) -> Bool {
    try attempt("move", path) { () throws(Errno) in
      guard path.withPlatformString({ access($0, F_OK) }) == 0 else { return false }
      let folder = target.removingLastComponent()
      if try makeDirectoryIfMissing(folder) {
        try files.syncDirectory(folder.removingLastComponent())
      }
      try files.rename(path, to: target)
      try files.syncDirectory(folder)
      try files.syncDirectory(path.removingLastComponent())
      return true
    }
  }
}
