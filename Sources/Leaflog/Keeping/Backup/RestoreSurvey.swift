/// The plan of a restore.
public struct RestoreSurvey: Sendable, Hashable {
  public struct Contents: Sendable, Hashable {
    public let photoCount: Int
    public let plantCount: Int
  }

  /// The library that is in the way.
  public enum Present: Sendable, Hashable {
    /// No library is there.
    case nothing
    /// One without a catalog that can be read, and why.
    case unreadable(String)
    case library(Contents)
  }

  public let present: Present
  public let backup: Contents
  /// Photos that are in the library and not in the backup; their blobs stay.
  public let lacking: [EntryID]
}

/// The report of a restore.
public struct RestoreSummary: Sendable, Hashable {
  /// Blobs that the restored catalog refers to.
  public internal(set) var blobCount = 0
  /// The bytes that they take together.
  public internal(set) var byteCount = 0
  public internal(set) var linkedCount = 0
  public internal(set) var copiedCount = 0
  /// Blobs that are neither here nor in the backup as they should be.
  public internal(set) var damageCount = 0
  /// Whether the store has blobs of photos that the restored catalog does not know: `repair` brings
  /// them back, and `prune` refuses to touch them.
  public internal(set) var hasUnknownPhotos = false
  /// Whether it was ended before it was done; the catalog is what it was before then.
  public internal(set) var isInterrupted = false
  public internal(set) var duration = Duration.zero
}
