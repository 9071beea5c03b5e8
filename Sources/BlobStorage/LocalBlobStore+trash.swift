package import DiaryModel
internal import Glibc
internal import SystemPackage

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
