internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal

/// Removes blobs that nothing refers to from a library's store, in steps: a blob is condemned; if nothing
/// refers to it when its grace period has passed, it is moved into the store's trash; after another grace
/// period, it is unlinked. Until then, an import that needs the blob takes it back.
public struct Pruner: Sendable {
  let library: Library

  /// Creates a pruner. `library` must be open for writing, except to make plans.
  public init(_ library: Library) { self.library = library }

  /// Plans a prune, and changes nothing.
  ///
  /// - Throws: `LeaflogError` with code `suspicious` when the state of the library suggests that blobs which
  ///   look superfluous are not.
  public func plan(_ request: PruneRequest) throws(LeaflogError) -> PrunePlan {
    try translating { try plan(request, now: now) }
  }

  /// Carries out a plan. Cancelling the task ends it between two transactions; another run completes an
  /// interrupted one.
  ///
  /// - Parameter progress: receives the number of files moved or unlinked so far.
  /// - Throws: `LeaflogError` when the library or its store cannot be written.
  public func run(
    _ plan: PrunePlan, progress: (_ fileCount: Int) -> Void = { _ in }
  ) throws(LeaflogError) -> PruneReport {
    try library.checkAlone()
    return try translating { try execute(plan, progress) }
  }

  /// The store's time where blobs are objects, as this machine's clock may be wrong.
  private var now: Timestamp {
    get throws { try library.objects?.client.time() ?? library.clock.now }
  }

  /// Plans and runs at a time that tests can set.
  @discardableResult
  package func run(_ request: PruneRequest, now: Timestamp? = nil) throws -> PruneReport {
    try execute(plan(request, now: now ?? self.now))
  }

  /// Plans a prune at a time that tests can set.
  package func plan(_ request: PruneRequest, now: Timestamp) throws -> PrunePlan {
    let store = try survey(request, now)
    try check(request, store, now)
    var plan = PrunePlan(request: request, now: now, unknown: store.unknown)
    try library.catalog.read { tables in
      if let time = request.deletedBefore(now) {
        (plan.report.purgedPhotoCount, plan.report.purgedEntryCount) =
          try tables.entriesDeleted(before: time)
        (plan.report.purgedPlantCount, plan.report.purgedActivityCount) =
          try tables.purgeable(deletedBefore: time)
      }
      let due = try tables.blobs.dueShare(before: now - request.grace)
      let condemned = try tables.blobs.condemned()
      plan.report.condemned = Self.sum([
        .init(try tables.blobs.unreferenced(afterPurge: request.deletedBefore(now))),
        .init(store.unknown),
      ])
      plan.report.trashed = .init(due)
      plan.report.unlinked = .init(try tables.trashedBlobs.share(before: now - request.grace))
      plan.report.waiting = .init(
        count: condemned.count - due.count, byteCount: condemned.byteCount - due.byteCount)
    }
    plan.report.previews = .init(try library.photos.previewCache.surplus())
    plan.report.former = try formerStores.share(of: library)
    if let thinning = request.thinning {
      (plan.thinned, plan.report.unthinnableCount) = try photosToThin(thinning, request.hours)
    }
    if !request.waived.contains(.clock), plan.removes {
      plan.report.delayedUntil = try PruneDelay(library, now: now).end(grace: request.grace)
    }
    return plan
  }

  private func execute(
    _ plan: PrunePlan, _ progress: (Int) -> Void = { _ in }
  ) throws -> PruneReport {
    let (catalog, request, now) = (library.catalog, plan.request, plan.now)
    let (before, delay) = (now - request.grace, PruneDelay(library, now: now))
    var report = PruneReport()
    report.waiting = plan.report.waiting
    report.unthinnableCount = plan.report.unthinnableCount
    if let end = plan.report.delayedUntil {
      try delay.begin()
      report.delayedUntil = end
      return report
    }
    try settleForks(isWaived: request.waived.contains(.otherLines))
    try catalog.write { tables in
      try tables.restartGraces(now: now)
      if request.olderThan != nil { try tables.restartTrash(now: now) }
    }
    // Only blobs that were in the trash before this run are unlinked, never those that this run puts there.
    report.unlinked = .init(
      try inBatches(progress) { limit in
        try catalog.write { tables in
          let blobs = try tables.trashedBlobs.all(before: before, limit: limit)
          if library.objects != nil { return try tables.trashedBlobs.retire(blobs) }
          return try tables.trashedBlobs.unlink(blobs) { try library.disk.deleteFromTrash($0) }
        }
      })
    try deleteRetired()
    report.trashed = .init(
      try inBatches({ progress(report.unlinked.count + $0) }) { limit in
        try catalog.write { tables in
          let blobs = try tables.blobs.due(before: before, limit: limit)
          return try tables.blobs.trash(blobs, now: now) { try library.blobs.moveToTrash($0) }
        }
      })
    guard !Task.isCancelled else {
      report.isInterrupted = true
      return report
    }
    if let time = request.deletedBefore(now) { try catalog.purge(deletedBefore: time) }
    report.takePurged(from: plan.report)
    try condemn(plan.unknown, now)
    report.condemned = plan.report.condemned
    let previews = try library.photos.previewCache.surplus()
    try library.photos.previewCache.remove(previews)
    report.previews = .init(previews)
    report.former = try formerStores.delete(from: library)
    if !plan.thinned.isEmpty { try library.photos.delete(.photos(plan.thinned.map(\.id))) }
    // An interrupted run may have left this to be done.
    if try catalog.read({ try $0.place[.isForgetting] }) != nil {
      try library.store.forgetForGood()
    }
    try delay.finish()
    return report
  }

  private var formerStores: FormerStores { FormerStores(library.layout, library.disk) }

  /// The number of blobs per transaction. Others can write between two transactions.
  private static let batchCount = 1000

  /// - Parameter progress: receives the count so far.
  private func inBatches(
    _ progress: (Int) -> Void, _ body: (_ limit: Int) throws -> BlobShare
  ) throws -> BlobShare {
    var sum = BlobShare()
    while !Task.isCancelled {
      let done = try body(Self.batchCount)
      if done.count == 0 { break }
      sum.count += done.count
      sum.byteCount += done.byteCount
      progress(sum.count)
    }
    return sum
  }

  /// Makes sure that no other line of the library may need what is deleted from the object store.
  ///
  /// - Parameter isWaived: whether to give up what other lines have there.
  private func settleForks(isWaived: Bool) throws {
    guard let journal = try library.objects?.journal() else { return }
    if isWaived { return try journal.dropForks { _ in true } }
    do { try journal.refuseUnresolved() } catch {
      let refusal = LeaflogError(error)
      guard refusal.remedy == .resolveFork else { throw refusal }
      throw LeaflogError(
        refusal.code, refusal.message, remedy: .resolveForkOrWaive(.otherLines))
    }
  }

  /// Deletes the objects whose keys were retired, in this run or in an interrupted one.
  private func deleteRetired() throws {
    guard let store = library.objects else { return }
    // A machine that starts from the store has to find there that they are retired.
    try library.store.sendJournal()
    let objects = store.objects(library.catalog)
    while !Task.isCancelled {
      let retired = try library.catalog.read {
        try $0.retiredKeys.deleting(limit: Self.batchCount)
      }
      if retired.isEmpty { return }
      try objects.forEach(retired) { blob throws(BlobStoreError) in
        store.cache.remove(blob.id)
        try objects.deleteRetired(blob.id, before: blob.generation)
      }
      try library.catalog.write { try $0.retiredKeys.setDeleted(retired) }
    }
  }

  private func condemn(_ unknown: [CataloguedBlob], _ now: Timestamp) throws {
    let last = try library.catalog.read { try $0.blobs.lastRow() }
    let step: Int64 = 50_000
    for first in stride(from: 1, through: last, by: Int64.Stride(step)) {
      try library.catalog.write {
        try $0.blobs.condemn(in: first...(first + step - 1), now: now)
      }
    }
    try library.catalog.write { try $0.blobs.condemn(unknown: unknown, now: now) }
  }

  /// The contents of the store, compared with the catalog.
  private struct Survey {
    var byteCount = 0
    var count = 0
    /// As in `PrunePlan`.
    var unknown: [CataloguedBlob] = []
  }

  private func survey(_ request: PruneRequest, _ now: Timestamp) throws -> Survey {
    var survey = Survey()
    try library.store.forEachStoredBlob { blob, isKnown in
      survey.count += 1
      survey.byteCount += blob.byteCount
      // A file from the future was stored under a wrong clock. As it is only condemned, its grace begins.
      guard !isKnown, blob.storedAt <= now - request.grace || blob.storedAt > now else { return }
      survey.unknown.append(CataloguedBlob(id: blob.id, byteCount: blob.byteCount))
    }
    return survey
  }

  private func check(_ request: PruneRequest, _ store: Survey, _ now: Timestamp) throws {
    func refuse(_ reason: String, _ remedy: Remedy) -> LeaflogError {
      LeaflogError(.suspicious, reason + " Nothing was pruned.", remedy: remedy)
    }
    let (catalog, waived) = (library.catalog, request.waived)
    if !waived.contains(.emptyCatalog), store.count > 0, try catalog.read({ try $0.photos.isEmpty })
    {
      throw refuse(
        "The catalog has no photos, but the store has \(store.count) blobs.", .waive(.emptyCatalog))
    }
    if !waived.contains(.olderCatalog), try CatalogAge(of: catalog).isOlderThanBefore() {
      throw refuse(
        "The catalog is older than one that was here before; photos that came since would be lost.",
        .repairOrWaive(.olderCatalog))
    }
    guard !waived.contains(.halfStore) else { return }
    // Blobs that this catalog itself has replaced do not suggest that it has lost rows.
    let doubtful = try catalog.read { tables in
      try tables.blobs.condemnedUnknown().byteCount
        + tables.blobs.unreferenced(afterPurge: request.deletedBefore(now)).byteCount
    }
    let going = doubtful + store.unknown.reduce(0) { $0 + $1.byteCount }
    if going > store.byteCount / 2, going > 0 {
      let share = Int((100 * Double(going) / Double(store.byteCount)).rounded())
      throw refuse(
        "\(share) % of the store's bytes would go, more than half, although no change has replaced them.",
        .waive(.halfStore))
    }
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

extension PrunePlan {
  /// Whether it goes on with anything that cannot be made again.
  fileprivate var removes: Bool {
    let shares = [report.condemned, report.trashed, report.unlinked, report.former]
    return shares.contains { $0.count > 0 } || report.forgetsAny || !thinned.isEmpty
  }
}

extension PruneReport {
  fileprivate var forgetsAny: Bool {
    [purgedPhotoCount, purgedEntryCount, purgedPlantCount, purgedActivityCount].contains { $0 > 0 }
  }

  fileprivate mutating func takePurged(from plan: PruneReport) {
    purgedPhotoCount = plan.purgedPhotoCount
    purgedEntryCount = plan.purgedEntryCount
    purgedPlantCount = plan.purgedPlantCount
    purgedActivityCount = plan.purgedActivityCount
  }
}

extension PruneReport.Share {
  fileprivate init(_ share: BlobShare) {
    self.init(count: share.count, byteCount: share.byteCount)
  }

  fileprivate init(_ previews: [PreviewCache.Item]) {
    self.init(count: previews.count, byteCount: previews.reduce(0) { $0 + $1.byteCount })
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

/// The delay of a prune in a library without commits for a month, in case the clock is ahead: then every grace period
/// seems to be over. The first run leaves a note of the time, which is not a commit, and the run that finds the note at
/// least one grace period old removes something. A clock that was ahead for a moment removes nothing.
private struct PruneDelay {
  /// The contents of `prune.json`.
  private struct Note: Codable {
    /// When the first run noticed it, in milliseconds since 1970.
    let noticedAt: Int64
  }

  private let library: Library
  private let now: Timestamp

  init(_ library: Library, now: Timestamp) { (self.library, self.now) = (library, now) }

  /// The age of the newest commit from which a prune is delayed.
  private static let quietSpan = Duration.seconds(30 * 86_400)

  /// When something may be removed; nil if now.
  ///
  /// - Parameter grace: how long the note has to be there.
  func end(grace: Duration) throws -> Timestamp? {
    guard try isQuiet else { return nil }
    let start = noticedAt ?? now
    let end = start.advanced(byMilliseconds: grace.saturatedMilliseconds)
    return noticedAt == nil || end > now ? end : nil
  }

  /// Whether the newest commit was made long ago, or at an unknown time.
  private var isQuiet: Bool {
    get throws {
      guard let newest = try FrameFolder(library.layout, library.disk).last() else { return true }
      return newest.madeAt < now - Self.quietSpan
    }
  }

  /// The time in the note; nil if there is none that can be right.
  private var noticedAt: Timestamp? {
    guard let data = FileManager.default.contents(atPath: library.layout.pruneNote.string),
      let note = SealedJSON.decode(Note.self, from: data)
    else { return nil }
    let time = Timestamp(milliseconds: note.noticedAt)
    return time <= now ? time : nil
  }

  /// Leaves the note, unless it is there.
  func begin() throws {
    guard noticedAt == nil else { return }
    let note = Note(noticedAt: now.milliseconds)
    try library.disk.write(SealedJSON.encode(note), to: library.layout.pruneNote)
  }

  /// Removes the note.
  func finish() throws {
    guard FileManager.default.fileExists(atPath: library.layout.pruneNote.string) else { return }
    try library.disk.remove(library.layout.pruneNote)
  }
}
