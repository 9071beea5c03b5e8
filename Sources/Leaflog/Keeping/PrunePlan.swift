internal import DiaryCatalog
internal import Imaging

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

/// The number of photos of each plant to keep per span of time.
public struct Thinning: Sendable, Hashable {
  /// At least 1.
  public let count: Int
  /// The span of time.
  public let unit: BucketUnit

  /// Keeps `count` photos per span, but at least 1.
  public init(count: Int, per unit: BucketUnit) {
    self.count = max(1, count)
    self.unit = unit
  }
}

extension Pruner {
  /// The photos that thinning would put into the trash: for each plant and span, all but the sharpest,
  /// oldest first. Photos without a plant stay, as do those with notes or tags, favourites, those whose
  /// thumbnail is lost, and those that lie in no span.
  ///
  /// - Returns: also how many photos lie in no span: their dates are not known well enough, or may be by a clock that
  ///   was never set.
  ///
  /// Sharpness is the variance of the thumbnail's Laplacian (Pech-Pacheco et al., "Diatom autofocusing in
  /// brightfield microscopy", 2000).
  func photosToThin(_ thinning: Thinning) throws -> (thinned: [Entry], unthinnableCount: Int) {
    var (thinned, count): ([Entry], Int) = ([], 0)
    for plant in try library.catalog.read({ try $0.plants.all() }) {
      thinned += try photosToThin(plant.id, thinning, &count)
    }
    return (thinned, count)
  }

  private func photosToThin(
    _ plant: PlantID, _ thinning: Thinning, _ unthinnableCount: inout Int
  ) throws -> [Entry] {
    let measured = try library.catalog.read { try $0.photos.sharpness(of: plant) }
    var spans: [String: [Entry]] = [:]
    var order: [String] = []
    let query = TimelineQuery(plant: plant, kinds: [.photo])
    for entry in try library.catalog.read({ try $0.entries.all(.matching(query)) }) {
      guard thinning.unit.contains(entry.time.precision), !entry.mayBeByUnsetClock else {
        unthinnableCount += 1
        continue
      }
      let span = thinning.unit.bucketName(of: entry.time.localDay)
      if spans[span] == nil { order.append(span) }
      spans[span, default: []].append(entry)
    }
    return try order.flatMap { span -> [Entry] in
      let entries = spans[span] ?? []
      guard entries.count > thinning.count else { return [] }
      let ranked = try entries.map { ($0, try rank($0, measured[$0.id])) }.sorted { $0.1 > $1.1 }
      let kept = Set(ranked.prefix(thinning.count).map(\.0.id))
      return ranked.filter { !kept.contains($0.0.id) && $0.1 < .infinity }.map(\.0)
        .sorted { $0.time.instant < $1.time.instant }
    }
  }

  /// The sharpness of a photo; infinite for one with notes or tags and for a favourite, which are never thinned.
  ///
  /// - Parameter measured: what the import has measured.
  private func rank(
    _ entry: Entry, _ measured: (value: Double, thumbnail: BlobID)?
  ) throws -> Double {
    guard entry.notes == nil, entry.tags.isEmpty, entry.photo?.isFavourite != true else {
      return .infinity
    }
    if let measured {
      return try library.blobs.byteCount(of: measured.thumbnail) == nil ? .infinity : measured.value
    }
    let photo = try library.catalog.read { try $0.photos.find(entry.id.description) }
    guard let thumbnail = photo.renditions.first(where: { $0.role == .thumbnail }),
      let file = try? library.photos.file(thumbnail)
    else { return .infinity }
    return try withImagingThread {
      try PhotoFile(bytes: file.bytes, format: file.format).decode().sharpness()
    }
  }
}

extension Entry {
  /// Whether its date may be by a clock that was never set.
  fileprivate var mayBeByUnsetClock: Bool {
    guard let source = photo?.captureSource else { return false }
    return UnsetClock.mayShow(time.localDay) && !UnsetClock.statedSources.contains(source)
  }
}
