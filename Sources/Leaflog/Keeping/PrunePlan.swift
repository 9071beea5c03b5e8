internal import DiaryCatalog

/// A request to take out of the store whatever nothing refers to any more.
public struct PruneRequest: Sendable {
  /// Entries that were put into the trash longer ago than this are forgotten; nil keeps all of it. Nothing in the
  /// library tells of it any more: snapshots of the catalog are replaced by a new one.
  public var olderThan: Duration?
  /// How long a blob stays condemned before it is moved into the store's trash, and in there before
  /// it is unlinked.
  public var grace = Duration.seconds(86_400)
  /// How many of each plant's photos of each span to keep out of the trash; nil keeps all.
  public var thinning: Thinning?
  /// Prunes in a state that is suspicious, too.
  public var isForced = false

  public init() {}
}

/// The report of a prune, or of one that would be.
public struct PruneReport: Sendable, Hashable {
  /// Some blobs or files, and the bytes they take.
  public struct Share: Sendable, Hashable {
    public var count = 0
    public var byteCount = 0
  }

  /// Photos that were in the trash long enough and are forgotten.
  public internal(set) var purgedPhotoCount = 0
  /// Entries of other kinds that are forgotten with them.
  public internal(set) var purgedEntryCount = 0
  /// Plants that are forgotten with the last that belonged to them.
  public internal(set) var purgedPlantCount = 0
  /// Activities, likewise.
  public internal(set) var purgedActivityCount = 0
  /// Blobs that nothing refers to any more, from now on condemned.
  public internal(set) var condemned = Share()
  /// Condemned ones that wait for their grace to pass.
  public internal(set) var waiting = Share()
  /// Moved into the store's trash.
  public internal(set) var trashed = Share()
  /// Unlinked: what has room on the disk again.
  public internal(set) var unlinked = Share()
  /// Blobs in stores that the library was moved out of, which its store has, too.
  public internal(set) var former = Share()
  /// Previews above the cache's bound.
  public internal(set) var previews = Share()
  /// Whether it was cancelled before the end; the other counts are of what was done by then.
  public internal(set) var isInterrupted = false
}

/// All that a prune is going to do, found by reading alone. Carrying it out takes a library that is open for
/// writing; what has come into use meanwhile stays.
public struct PrunePlan: Sendable {
  /// The report of a run that meets the library as it is now.
  public internal(set) var report = PruneReport()
  /// The photos that thinning puts into the trash.
  public internal(set) var thinned: [Entry] = []

  let request: PruneRequest
  let now: Timestamp
  /// Blobs that no row tells of, and that have been there too long to be on their way into one.
  let unknown: [CataloguedBlob]
}
