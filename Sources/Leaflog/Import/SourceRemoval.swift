internal import BlobStorage
internal import DiaryCatalog
internal import SystemPackage

/// Deletes source files whose photos are in the library, for imports that move.
struct SourceRemoval {
  private let library: Library

  init(_ library: Library) { self.library = library }

  /// Deletes the file, but only if its exact bytes can be restored from the store and it has not changed
  /// since it was read.
  ///
  /// - Returns: whether it was deleted.
  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool {
    let id =
      switch outcome {
      case .added(let id), .duplicate(let id), .restored(let id), .inTrash(let id): id
      }
    let photo = try library.catalog.read { try $0.photos.find(id.description) }
    // A blob that this import has written was synced just now; the disk may have damaged an older one.
    let isNew = if case .added = outcome { true } else { false }
    let isSafe = try photo.renditions.contains {
      guard $0.role == .original || $0.role == .packed else { return false }
      return isNew
        ? try library.blobs.byteCount(of: $0.blob) == $0.byteCount
        : try library.blobs.faultInBytes(of: $0.blob, byteCount: $0.byteCount) == nil
    }
    let status = try FileStatus(file.path)
    let isUnchanged =
      status.byteCount == file.fingerprint.byteCount
      && status.modifiedAt == file.fingerprint.modifiedAt
      && status.inode == file.fingerprint.inode
    guard isSafe, isUnchanged else { return false }
    try library.store.sendJournal()
    do throws(Errno) { try library.disk.files.unlink(file.path) } catch {
      throw LeaflogError(
        .failed,
        "The photo is in the library, but \(file.displayPath) could not be removed: \(error).")
    }
    return true
  }
}
