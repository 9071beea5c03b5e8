internal import BlobStorage
internal import DiaryCatalog

/// How much of everything a library holds. Byte counts are what files have, not what disks round
/// them up to.
public struct LibraryStatistics: Sendable {
  /// Some files, and what they take together.
  public struct Share: Sendable, Hashable {
    public var count = 0
    /// Bytes.
    public var byteCount = 0
  }

  /// Plants, with photos or without.
  public let plantCount: Int
  /// Entries on the timeline; kinds without any are absent.
  public let entryCounts: [EntryKind: Int]
  /// What the photos on the timeline took before they were imported.
  public let sourceByteCount: Int
  /// What the blobs that something refers to take.
  public let storedByteCount: Int
  /// Every rendition in the catalog by role; those that share a blob count it each.
  public let renditions: [RenditionRole: Share]
  /// Blobs that nothing refers to, as an import that was cut short leaves them.
  public let unreferenced: Share
  /// The previews that are there.
  public let previewCache: Share
  /// How many bytes previews may take together.
  public let previewCacheLimit: Int
}

extension Library {
  /// Counts the catalog and lists the store.
  public func statistics() throws(LeaflogError) -> LibraryStatistics {
    try translating {
      let catalogued = try catalog.statistics()
      let referenced = try catalog.referencedBlobs()
      var unreferenced = LibraryStatistics.Share()
      try blobs.list { blob in
        guard !referenced.contains(blob.id) else { return }
        unreferenced.count += 1
        unreferenced.byteCount += blob.byteCount
      }
      let cached = try previewCache.contents()
      return LibraryStatistics(
        plantCount: catalogued.plantCount, entryCounts: catalogued.entryCounts,
        sourceByteCount: catalogued.sourceByteCount, storedByteCount: catalogued.storedByteCount,
        renditions: catalogued.renditions.mapValues {
          LibraryStatistics.Share(count: $0.count, byteCount: $0.byteCount)
        },
        unreferenced: unreferenced,
        previewCache: .init(count: cached.count, byteCount: cached.reduce(0) { $0 + $1.byteCount }),
        previewCacheLimit: previewCache.limit)
    }
  }
}
