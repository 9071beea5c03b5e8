internal import DiaryCatalog

/// A request to remove from the store whatever nothing refers to any longer.
public struct PruneRequest: Sendable {
  /// Entries that were put into the trash longer ago than this are forgotten; nil keeps all of them. No trace of them
  /// remains in the library: snapshots of the catalog are replaced by a new one.
  public var olderThan: Duration?
  /// How long a blob stays condemned before it is moved into the store's trash, and how long it stays
  /// there before it is unlinked.
  public var grace = Duration.seconds(86_400)
  /// How many photos of each plant to keep per span; the others are put into the trash. Nil keeps all.
  public var thinning: Thinning?
  /// The time of day and the light of the photos that thinning keeps, as long as there are enough of them in a span.
  public var hours = PhotoHours()
  /// The reasons for which a prune would remove nothing that are waived.
  public var waived: Set<PruneGuard> = []

  /// Creates a request with default options.
  public init() {}
}

/// The report of a prune, planned or done.
public struct PruneReport: Sendable, Hashable {
  /// The number of some blobs or files, and their total size in bytes.
  public struct Share: Sendable, Hashable {
    /// The number of blobs or files.
    public var count = 0
    /// The total size in bytes.
    public var byteCount = 0
  }

  /// Photos that were in the trash long enough and are forgotten.
  public internal(set) var purgedPhotoCount = 0
  /// Entries of other kinds that are forgotten with them.
  public internal(set) var purgedEntryCount = 0
  /// Plants that are forgotten with the last entries that belonged to them.
  public internal(set) var purgedPlantCount = 0
  /// Activities, likewise.
  public internal(set) var purgedActivityCount = 0
  /// Blobs that nothing refers to any longer, and that are condemned from now on.
  public internal(set) var condemned = Share()
  /// Condemned blobs whose grace period has not passed yet.
  public internal(set) var waiting = Share()
  /// Blobs that were moved into the store's trash.
  public internal(set) var trashed = Share()
  /// Blobs that were unlinked, which frees their space on the disk.
  public internal(set) var unlinked = Share()
  /// Blobs in stores that the library was moved out of, and that its present store has as well.
  public internal(set) var former = Share()
  /// Photos that thinning does not count, as their dates are too imprecise for its span or may be by a clock that was
  /// never set.
  public internal(set) var unthinnableCount = 0
  /// Previews above the cache's limit.
  public internal(set) var previews = Share()
  /// When something may be removed by another run, in a library that has not been changed for a month, in case the clock
  /// is ahead; nil if this one removes it.
  public internal(set) var delayedUntil: Timestamp?
  /// Whether it was cancelled before the end; the other counts tell what was done by then.
  public internal(set) var isInterrupted = false
}

/// Everything that a prune is going to do, found by reading alone. Carrying it out requires a library that is
/// open for writing; blobs that have come into use meanwhile are kept.
public struct PrunePlan: Sendable {
  /// The report of a run, if the library stays as it is now.
  public internal(set) var report = PruneReport()
  /// The photos that thinning puts into the trash.
  public internal(set) var thinned: [Entry] = []

  let request: PruneRequest
  let now: Timestamp
  /// Blobs without a row, which have been there too long to be part of an import in progress.
  let unknown: [CataloguedBlob]
}
