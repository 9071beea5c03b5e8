internal import BlobStorage
internal import DiaryCatalog

/// The files of a library: their size, snapshots of the catalog, and resetting.
public struct LibraryStore: LibraryFace {
  let library: Library
}

extension LibraryStore {
  /// Every blob in the store, and whether the catalog has a row for it. The ids of one of the store's 256
  /// folders are in memory at a time.
  func forEachStoredBlob(_ body: (StoredBlob, _ isKnown: Bool) throws -> Void) throws {
    for byte in UInt8.min...UInt8.max {
      let known = try catalog.read { try $0.blobs.all(beginningWith: byte) }
      try blobs.list(beginningWith: byte) { try body($0, known.contains($0.id)) }
    }
  }
}
