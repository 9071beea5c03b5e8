internal import BlobStorage
internal import DiaryCatalog
internal import Foundation

/// What to take out of the store.
public struct PruneRequest: Sendable {
  /// What was put into the trash longer ago than this is forgotten; nil keeps all of it. Nothing in the
  /// library tells of it any more: snapshots of the catalog are replaced by a new one.
  public var olderThan: Duration?
  /// How long a blob stays condemned before it is moved into the store's trash, and in there before
  /// it is unlinked.
  public var grace = Duration.seconds(86_400)
  /// Says what would be done, and does nothing.
  public var isDryRun = true
  /// Prunes in a state that is suspicious, too.
  public var isForced = false

  public init() {}
}

/// What a prune did, or would do.
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
  /// Previews above the cache's bound.
  public internal(set) var previews = Share()
  public internal(set) var isDryRun = true
}

/// Takes blobs that nothing refers to out of a library's store, in steps that can each be taken back:
/// a blob is condemned; when its grace has passed and nothing refers to it still, it is moved into the
/// store's trash; when it has been in there as long, it is unlinked. An import that meets it on the
/// way takes it back.
public struct Pruner: Sendable {
  let library: Library

  /// `library` must be open for writing, unless for dry runs.
  public init(_ library: Library) { self.library = library }

  /// - Throws: `LeaflogError` with code `suspicious` when the state of the library is such that what
  ///   looks superfluous may not be; nothing was done then.
  public func run(_ request: PruneRequest) throws(LeaflogError) -> PruneReport {
    try translating { try run(request, now: .now) }
  }

  /// By a clock that tests can set.
  package func run(_ request: PruneRequest, now: Timestamp) throws -> PruneReport {
    let catalog = library.catalog
    let store = try survey(request, now)
    if !request.isForced { try check(request, store, now) }
    var report = PruneReport()
    report.isDryRun = request.isDryRun
    let due = try catalog.condemnedBlobs(before: now - request.grace)
    let trashed = try catalog.trashedBlobs(before: now - request.grace)
    let unreferenced = try catalog.unreferencedBlobs(afterPurge: request.deletedBefore(now))
    (report.purgedPhotoCount, report.purgedEntryCount) =
      try request.deletedBefore(now).map { try catalog.entriesDeleted(before: $0) } ?? (0, 0)
    (report.purgedPlantCount, report.purgedActivityCount) =
      try request.deletedBefore(now).map { try catalog.forgettable(deletedBefore: $0) } ?? (0, 0)
    report.condemned = Self.sum([.init(unreferenced), .init(store.unknown)])
    report.trashed = .init(due.due)
    report.unlinked = .init(trashed)
    report.waiting = .init(
      count: due.all.count - due.due.count, byteCount: due.all.byteCount - report.trashed.byteCount)
    report.previews = try previewsAboveBound(isDryRun: request.isDryRun)
    guard !request.isDryRun else { return report }

    // What was in the trash before this run is unlinked, and never what this run puts there.
    report.unlinked = .init(
      try catalog.unlinkTrashed(trashed) { try library.blobs.deleteFromTrash($0) })
    report.trashed = .init(
      try catalog.trash(due.due, now: now) { try library.blobs.moveToTrash($0) })
    if let time = request.deletedBefore(now) { try catalog.purgeTrash(deletedBefore: time) }
    try catalog.condemn(unknown: store.unknown, now: now)
    // A run that was cut short may have left it to be done.
    if try catalog.isForgetting() { try library.forgetForGood() }
    return report
  }

  /// What lies in the store, beside what the catalog knows.
  private struct Survey {
    var byteCount = 0
    var count = 0
    /// Blobs that no row tells of, and that have been there too long to be on their way into one.
    var unknown: [CataloguedBlob] = []
  }

  private func survey(_ request: PruneRequest, _ now: Timestamp) throws -> Survey {
    let known = Set(try library.catalog.knownBlobs().map(\.id))
    var survey = Survey()
    try library.blobs.list { blob in
      survey.count += 1
      survey.byteCount += blob.byteCount
      guard !known.contains(blob.id), blob.storedAt <= now - request.grace else { return }
      survey.unknown.append(CataloguedBlob(id: blob.id, byteCount: blob.byteCount))
    }
    return survey
  }

  private func check(_ request: PruneRequest, _ store: Survey, _ now: Timestamp) throws {
    func refuse(_ reason: String) -> LeaflogError {
      LeaflogError(.suspicious, reason + " Nothing was pruned; --force prunes all the same.")
    }
    let catalog = library.catalog
    if store.count > 0, try catalog.isEmptyOfPhotos() {
      throw refuse("The catalog has no photos, but the store has \(store.count) blobs.")
    }
    if let latest = try catalog.latestTime(), latest.milliseconds > now.milliseconds + 60_000 {
      throw refuse(
        "The clock was set back: it says \(LocalDateTime(utc: now))Z, but the library was changed at "
          + "\(LocalDateTime(utc: latest))Z.")
    }
    if try catalog.isOlderThanBefore() {
      throw refuse(
        "The catalog is older than one that was here before; photos that came since would be lost. "
          + "`leaflog repair` brings them back.")
    }
    let condemned = try catalog.condemnedBlobs(before: now).all.byteCount
    let further = try catalog.unreferencedBlobs(afterPurge: request.deletedBefore(now)).byteCount
    let going = condemned + further + store.unknown.reduce(0) { $0 + $1.byteCount }
    if going > store.byteCount / 2, going > 0 {
      let share = Int((100 * Double(going) / Double(store.byteCount)).rounded())
      throw refuse("\(share) % of the store's bytes would go, more than half.")
    }
  }

  private func previewsAboveBound(isDryRun: Bool) throws -> PruneReport.Share {
    let surplus = try library.previewCache.surplus()
    if !isDryRun { try library.previewCache.remove(surplus) }
    return .init(count: surplus.count, byteCount: surplus.reduce(0) { $0 + $1.byteCount })
  }

  private static func sum(_ shares: [PruneReport.Share]) -> PruneReport.Share {
    shares.reduce(into: .init()) {
      $0.count += $1.count
      $0.byteCount += $1.byteCount
    }
  }
}

extension PruneRequest {
  fileprivate func deletedBefore(_ now: Timestamp) -> Timestamp? { olderThan.map { now - $0 } }
}

extension PruneReport.Share {
  fileprivate init(_ share: BlobShare) {
    self.init(count: share.count, byteCount: share.byteCount)
  }

  fileprivate init(_ blobs: [CataloguedBlob]) {
    self.init(count: blobs.count, byteCount: blobs.reduce(0) { $0 + $1.byteCount })
  }
}

extension Timestamp {
  static func - (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds.subtractingSaturated(span.saturatedMilliseconds))
  }
}
