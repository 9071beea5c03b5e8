/// The contents of a library and a backup, compared before a restore.
public struct RestoreSurvey: Sendable, Hashable {
  /// The contents of a catalog, without the trash.
  public struct Contents: Sendable, Hashable {
    public let photoCount: Int
    public let plantCount: Int
    /// Entries other than photos.
    public let entryCount: Int
  }

  /// The library at the destination.
  public enum Present: Sendable, Hashable {
    /// There is no library.
    case nothing
    /// A library whose catalog cannot be read, with the reason.
    case unreadable(String)
    case library(Contents)
  }

  /// The library at the destination.
  public let present: Present
  /// The contents of the backup, at the moment to restore.
  public let backup: Contents
  /// Photos that are in the library but not in the backup; their blobs stay.
  public let lacking: [EntryID]
  /// Other entries that are in the library but not in the backup.
  public let lackingEntryCount: Int
}

/// The report of a restore.
public struct RestoreSummary: Sendable, Hashable {
  /// Blobs that the restored catalog refers to.
  public internal(set) var blobCount = 0
  /// The total size of these blobs, in bytes.
  public internal(set) var byteCount = 0
  /// Blobs that were added to the library as hard links.
  public internal(set) var linkedCount = 0
  /// Blobs that were copied.
  public internal(set) var copiedCount = 0
  /// Blobs that are missing or damaged both in the library and in the backup.
  public internal(set) var damageCount = 0
  /// Whether the store has blobs of photos that the restored catalog does not know: `repair` brings
  /// them back, and `prune` refuses to touch them.
  public internal(set) var hasUnknownPhotos = false
  /// Whether it was cancelled, in which case the catalog is unchanged.
  public internal(set) var isInterrupted = false
  /// The time that the restore took.
  public internal(set) var duration = Duration.zero
}
