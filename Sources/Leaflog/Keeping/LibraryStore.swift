internal import BlobStorage
internal import DiaryCatalog
internal import Journal

/// The files of a library: their size, snapshots of the catalog, and resetting.
public struct LibraryStore: LibrarySection {
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

/// Counts and sizes of a library's contents. Byte counts are the files' lengths, not the disk blocks
/// they occupy.
public struct LibraryStatistics: Sendable {
  /// The number and total size of some files.
  public struct Share: Sendable, Hashable {
    /// The number of files.
    public var count = 0
    /// The total size in bytes.
    public var byteCount = 0
  }

  /// Plants, with photos or without.
  public let plantCount: Int
  /// Entries on the timeline; kinds without any are absent.
  public let entryCounts: [EntryKind: Int]
  /// The size of the imported files of the photos on the timeline, in bytes.
  public let sourceByteCount: Int
  /// The size of the blobs of the photos on the timeline, in bytes.
  public let storedByteCount: Int
  /// The renditions of these photos by role; a shared blob is counted once for each of them.
  public let renditions: [RenditionRole: Share]
  /// The photos in the trash, with the size of the blobs that no photo on the timeline has.
  public let trash: Share
  /// Blobs that nothing refers to any longer. The store may have others, left by an interrupted import, which `Pruner`
  /// finds.
  public let unreferenced: Share
  /// The previews in the cache.
  public let previewCache: Share
  /// The limit for all previews, in bytes.
  public let previewCacheLimit: Int
  /// The number of commits of this machine that the object store lacks; nil for a replica, and if photos are in the
  /// library's folder.
  public let unsentCommitCount: Int?
  /// Where the library was backed up to from this machine, the latest first.
  public let backups: [BackupRecord]
}

extension LibraryStore {
  /// The number of entries of each kind on the timeline.
  package func entryCounts() throws(LeaflogError) -> [EntryKind: Int] {
    try read { tables in
      let totals = try tables.totals.entries()
      return Dictionary(
        uniqueKeysWithValues: EntryKind.allCases.map { ($0, totals[$0]?.count ?? 0) })
    }
  }

  /// The number of photos on the timeline, and the size of all files that the catalog refers to, in bytes. Looks at no
  /// file.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func extent() throws(LeaflogError) -> LibraryExtent {
    try read { tables in
      LibraryExtent(
        photoCount: try tables.totals.entries()[.photo]?.count ?? 0,
        byteCount: try tables.totals.referencedBlobs().byteCount)
    }
  }

  private func unsentCommitCount() throws -> Int? {
    guard let objects = library.objects, !isReplica else { return nil }
    return try objects.journal().lag(
      behind: catalog.generation(), of: catalog.read { try $0.place.lineage })
  }

  /// Counts and sizes, from the totals that the catalog keeps. Looks at no files except previews.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func statistics() throws(LeaflogError) -> LibraryStatistics {
    try translating {
      let cached = try library.photos.previewCache.contents()
      let unsentCommitCount = try unsentCommitCount()
      let backups = backups()
      return try catalog.read { tables in
        let entries = try tables.totals.entries()
        let blobs = try tables.totals.blobs()
        let referenced = try tables.totals.referencedBlobs()
        let (trash, trashed) = try tables.totals.trashedPhotos()
        let renditions = try tables.totals.renditions().map { role, share in
          let gone = trashed[role] ?? BlobShare()
          return (
            role,
            LibraryStatistics.Share(
              count: share.count - gone.count, byteCount: share.byteCount - gone.byteCount)
          )
        }.filter { $0.1.count > 0 }
        return LibraryStatistics(
          plantCount: try tables.plants.count(), entryCounts: entries.mapValues(\.count),
          sourceByteCount: entries[.photo]?.byteCount ?? 0,
          storedByteCount: referenced.byteCount - trash.byteCount,
          renditions: Dictionary(uniqueKeysWithValues: renditions),
          trash: .init(count: trash.count, byteCount: trash.byteCount),
          unreferenced: .init(
            count: blobs.count - referenced.count,
            byteCount: blobs.byteCount - referenced.byteCount),
          previewCache: .init(
            count: cached.count, byteCount: cached.reduce(0) { $0 + $1.byteCount }),
          previewCacheLimit: library.photos.previewCache.limit,
          unsentCommitCount: unsentCommitCount, backups: backups)
      }
    }
  }
}

/// The extent of a library.
public struct LibraryExtent: Sendable, Hashable {
  /// The number of photos on the timeline.
  public let photoCount: Int
  /// The size of all files that the catalog refers to, in bytes.
  public let byteCount: Int
}
