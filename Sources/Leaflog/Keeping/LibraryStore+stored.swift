internal import BlobStorage
internal import DiaryCatalog

/// The files of a library: their size, snapshots of the catalog, and resetting.
public struct LibraryStore: LibraryFace {
  let library: Library
}

extension LibraryStore {
  /// The address of the object store with the library's photos; nil when they are in its folder.
  public var address: String? { library.objects?.client.location.url }

  /// Whether it follows a library that another machine writes.
  public var isReplica: Bool { library.objects.map { $0.note.owner == nil } ?? false }

  /// Every blob in the store, and whether the catalog has a row for it. Of the catalog's ids those with the same first
  /// byte are in memory at a time.
  func forEachStoredBlob(_ body: (StoredBlob, _ isKnown: Bool) throws -> Void) throws {
    var known: (byte: UInt8, ids: Set<BlobID>)?
    try blobs.list { blob in
      let byte = blob.id.firstByte
      if known?.byte != byte {
        known = (byte, try catalog.read { try $0.blobs.all(beginningWith: byte) })
      }
      try body(blob, known?.ids.contains(blob.id) ?? false)
    }
  }
}
