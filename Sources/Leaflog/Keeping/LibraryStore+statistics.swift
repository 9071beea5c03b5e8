internal import BlobStorage
internal import DiaryCatalog
internal import Journal

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
  /// The size of all referenced blobs, in bytes.
  public let storedByteCount: Int
  /// The renditions in the catalog by role; a shared blob is counted once for each of them.
  public let renditions: [RenditionRole: Share]
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
}

extension LibraryStore {
  /// The number of photos on the timeline, and the size of all files that the catalog refers to, in bytes. Looks at no
  /// file.
  public func extent() throws(LeaflogError) -> (photoCount: Int, byteCount: Int) {
    try read { tables in
      (
        try tables.totals.entries()[.photo]?.count ?? 0,
        try tables.totals.referencedBlobs().byteCount
      )
    }
  }

  private func unsentCommitCount() throws -> Int? {
    guard let objects = library.objects, !isReplica else { return nil }
    return try objects.journal().lag(
      behind: catalog.generation(), of: catalog.read { try $0.place.lineage })
  }

  /// Counts and sizes, from the totals that the catalog keeps. Looks at no files except previews.
  public func statistics() throws(LeaflogError) -> LibraryStatistics {
    try translating {
      let cached = try library.photos.previewCache.contents()
      let unsentCommitCount = try unsentCommitCount()
      return try catalog.read { tables in
        let entries = try tables.totals.entries()
        let blobs = try tables.totals.blobs()
        let referenced = try tables.totals.referencedBlobs()
        return LibraryStatistics(
          plantCount: try tables.plants.count(), entryCounts: entries.mapValues(\.count),
          sourceByteCount: entries[.photo]?.byteCount ?? 0,
          storedByteCount: referenced.byteCount,
          renditions: try tables.totals.renditions().mapValues {
            .init(count: $0.count, byteCount: $0.byteCount)
          },
          unreferenced: .init(
            count: blobs.count - referenced.count,
            byteCount: blobs.byteCount - referenced.byteCount),
          previewCache: .init(
            count: cached.count, byteCount: cached.reduce(0) { $0 + $1.byteCount }),
          previewCacheLimit: library.photos.previewCache.limit,
          unsentCommitCount: unsentCommitCount)
      }
    }
  }
}
