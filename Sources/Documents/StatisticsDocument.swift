package import Leaflog

/// The size of a library in JSON.
package struct StatisticsDocument: Encodable {
  struct Share: Encodable {
    let count: Int
    let byteCount: Int

    init(_ share: LibraryStatistics.Share) {
      count = share.count
      byteCount = share.byteCount
    }
  }

  struct Cache: Encodable {
    let byteCount: Int
    let limit: Int
  }

  let photos: Int
  let plants: Int
  let entries: [String: Int]
  let sourceByteCount: Int
  let storedByteCount: Int
  let renditions: [String: Share]
  let unreferenced: Share
  let cache: Cache
  /// The address of the object store with the photos; absent when they are in the library's folder.
  let store: String?
  /// The number of commits of this machine that the object store lacks.
  let unsentCommits: Int?

  package init(_ statistics: LibraryStatistics, address: String? = nil) {
    store = address
    unsentCommits = statistics.unsentCommitCount
    photos = statistics.entryCounts[.photo] ?? 0
    plants = statistics.plantCount
    entries = Dictionary(
      uniqueKeysWithValues: EntryKind.allCases.map {
        ($0.rawValue, statistics.entryCounts[$0] ?? 0)
      })
    sourceByteCount = statistics.sourceByteCount
    storedByteCount = statistics.storedByteCount
    renditions = Dictionary(
      uniqueKeysWithValues: statistics.renditions.map { ($0.key.rawValue, Share($0.value)) })
    unreferenced = Share(statistics.unreferenced)
    cache = Cache(
      byteCount: statistics.previewCache.byteCount, limit: statistics.previewCacheLimit)
  }
}
