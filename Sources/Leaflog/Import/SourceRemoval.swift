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
    // Its new keywords are nowhere else.
    if outcome.notice != nil { return false }
    let photo = try library.catalog.read { try $0.photos.find(outcome.photo.description) }
    // A blob that this import has written was synced just now; the disk may have damaged an older one.
    let isNew = if case .added = outcome { true } else { false }
    guard try isNew || file.isKnown(by: library) else { return false }
    let isSafe = try photo.renditions.contains {
      guard $0.role == .original || $0.role == .packed else { return false }
      return isNew
        ? try library.blobs.byteCount(of: $0.blob) == $0.byteCount
        : try library.blobs.faultInBytes(of: $0.blob, byteCount: $0.byteCount) == nil
    }
    guard isSafe, try file.isUnchanged else { return false }
    try library.store.sendJournal()
    try file.remove(by: library.disk.files)
    return true
  }
}

extension ScannedFile {
  /// Whether it has not changed since it was found.
  var isUnchanged: Bool {
    get throws {
      let status = try FileStatus(path)
      return status.byteCount == fingerprint.byteCount
        && status.modifiedAt == fingerprint.modifiedAt
        && status.changedAt == fingerprint.changedAt && status.inode == fingerprint.inode
    }
  }

  /// Whether the library has a photo from a file with its bytes.
  fileprivate func isKnown(by library: Library) throws -> Bool {
    let digest = try FileReader(path).hash()
    return try library.catalog.read { try $0.photos.known(withDigest: digest) } != nil
  }

  func remove(by files: any FileSystem) throws(LeaflogError) {
    do throws(Errno) { try files.unlink(path) } catch {
      throw LeaflogError(
        .failed, "The photo is in the library, but \(displayPath) could not be removed: \(error).")
    }
  }
}

extension RecordOutcome {
  /// The photo's id.
  var photo: EntryID {
    switch self {
    case .added(let id), .duplicate(let id), .restored(let id), .inTrash(let id),
      .updated(let id), .outdated(let id, _):
      id
    }
  }

  /// The warning about new facts of the file that were not taken over.
  var notice: ImportWarning? {
    if case .outdated(_, let notice) = self { notice } else { nil }
  }
}
