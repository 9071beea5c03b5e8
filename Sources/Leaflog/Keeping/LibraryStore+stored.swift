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

  /// Whether changes made here reach the object store some time after they are reported as done.
  public var sendsLater: Bool { library.objects?.note.settings.journal == .async && !isReplica }

  /// The blobs where they are stored, without a cache.
  var storedBlobs: any BlobStore { library.objects?.objects(catalog) ?? disk }

  /// Sends changes made here that the library's object store lacks.
  ///
  /// - Throws: `LeaflogError` with code `unreachable`, `refused` or `readOnly`. The changes stay on this machine, and
  ///   the next process that opens the library for writing sends them.
  public func sendJournal() throws(LeaflogError) {
    guard library.access.allowsWriting, !catalog.isClosed,
      sendsLater || catalog.reasonForUnsent != nil
    else { return }
    try translating { try CatalogJournal(of: catalog).settle() }
  }

  /// The reason why the last change, which is done and saved on this machine, is not in the library's object store yet;
  /// nil when it is. The next change sends it first.
  public var reasonForUnsent: LeaflogError? { catalog.reasonForUnsent.map { LeaflogError($0) } }

  /// Puts the catalog into the library's object store if that has no part of its journal any more.
  ///
  /// - Returns: whether it had none.
  /// - Throws: `LeaflogError` with code `suspicious` when the place does not have the library's marker, either: then it
  ///   is another place.
  func putCatalogIfLost() throws(LeaflogError) -> Bool {
    guard let objects = library.objects, !isReplica else { return false }
    do { try translating { try CatalogJournal(of: catalog).settle() } } catch
      where error
      .remedy == .repairStore
    {
      try translating {
        let id = try LibraryMarker.read(layout.marker).id
        guard try LibraryMarker(inStore: objects.client)?.id == id else { throw error }
        try disk.remove(layout.pushed)
        let snapshot = try CatalogSnapshots(layout, disk).take(
          of: catalog, now: moment, waits: true)
        try objects.putOwner()
        try objects.journal().push(snapshot, of: catalog)
      }
      return true
    }
    return false
  }

  /// Calls `body` with every blob in the store, and whether the catalog knows it. Only the catalog's ids with the same
  /// first byte are in memory at a time. Objects stay where they are while their blobs are in the trash.
  func forEachStoredBlob(_ body: (StoredBlob, _ isKnown: Bool) throws -> Void) throws {
    var known: (byte: UInt8, ids: Set<BlobID>)?
    try blobs.list { blob in
      let byte = blob.id.firstByte
      if known?.byte != byte {
        known = (byte, try catalog.read { try $0.knownBlobs(beginningWith: byte) })
      }
      try body(blob, known?.ids.contains(blob.id) ?? false)
    }
  }
}
