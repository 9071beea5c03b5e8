internal import DiaryModel
internal import Glibc
package import SystemPackage

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
