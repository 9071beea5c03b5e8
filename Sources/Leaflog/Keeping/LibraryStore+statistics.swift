internal import BlobStorage
internal import DiaryCatalog

/// Counts and sizes of a library's contents. Byte counts are the files' lengths, not the disk blocks
/// they occupy.
public struct LibraryStatistics: Sendable {
  /// The number and total size of some files.
  public struct Share: Sendable, Hashable {
    public var count = 0
    /// Bytes.
    public var byteCount = 0
  }

  /// Plants, with photos or without.
  public let plantCount: Int
  /// Entries on the timeline; kinds without any are absent.
  public let entryCounts: [EntryKind: Int]
  /// The size of the imported files of the photos on the timeline, in bytes.
  public let sourceByteCount: Int
  /// The size of all referenced blobs, in bytes.
  public let storedByteCount: Int
  /// Every rendition in the catalog by role; those that share a blob count it each.
  public let renditions: [RenditionRole: Share]
  /// Unreferenced blobs, such as an interrupted import leaves; nil when the object store did not list them.
  public let unreferenced: Share?
  /// The reason why the object store did not list its blobs.
  public let storeFault: LeaflogError?
  /// The previews that are there.
  public let previewCache: Share
  /// The limit for all previews, in bytes.
  public let previewCacheLimit: Int
  /// How many commits of this machine its object store lacks; nil for a replica, and where photos are in the library's
  /// folder.
  public let unsentCommitCount: Int?
}

extension LibraryStore {
  /// How many photos are on the timeline, and the size of all files that the catalog refers to, in bytes. Looks at no
  /// file.
  public func extent() throws(LeaflogError) -> (photoCount: Int, byteCount: Int) {
    let catalogued = try read { try $0.statistics() }
    return (catalogued.entryCounts[.photo] ?? 0, catalogued.storedByteCount)
  }

  private func unsentCommitCount() throws -> Int? {
    guard let objects = library.objects, !isReplica else { return nil }
    return try objects.journal().lag(
      behind: catalog.generation(), of: catalog.read { try $0.settings.lineage })
  }

  private func unreferenced() throws -> LibraryStatistics.Share {
    var share = LibraryStatistics.Share()
    let referenced = { (blobs: BlobTable, byte: UInt8) in
      Set(try blobs.referenced(beginningWith: byte).map(\.id))
    }
    try forEachStoredBlob(in: referenced) { blob, isKnown in
      guard !isKnown else { return }
      share.count += 1
      share.byteCount += blob.byteCount
    }
    return share
  }

  /// Counts the catalog and lists the store. An object store that does not answer takes nothing from what the catalog
  /// tells.
  public func statistics() throws(LeaflogError) -> LibraryStatistics {
    try translating {
      let catalogued = try catalog.read { try $0.statistics() }
      let unreferenced: LibraryStatistics.Share?
      var storeFault: LeaflogError?
      do { unreferenced = try self.unreferenced() } catch let error as BlobStoreError
        where library.objects != nil
      {
        (unreferenced, storeFault) = (nil, LeaflogError(error))
      }
      let cached = try library.photos.previewCache.contents()
      return LibraryStatistics(
        plantCount: catalogued.plantCount, entryCounts: catalogued.entryCounts,
        sourceByteCount: catalogued.sourceByteCount, storedByteCount: catalogued.storedByteCount,
        renditions: catalogued.renditions.mapValues {
          LibraryStatistics.Share(count: $0.count, byteCount: $0.byteCount)
        },
        unreferenced: unreferenced, storeFault: storeFault,
        previewCache: .init(count: cached.count, byteCount: cached.reduce(0) { $0 + $1.byteCount }),
        previewCacheLimit: library.photos.previewCache.limit,
        unsentCommitCount: try unsentCommitCount())
    }
  }
}
