package import BlobStorage
package import DiaryCatalog
internal import Foundation
internal import Journal

/// The differences between two copies of a library, before the changes of one are brought over to the other.
public struct LibraryMergeSurvey: Sendable, Hashable {
  /// Whether the last state that both copies have in common is known. Otherwise, what only the other copy has is added,
  /// and nothing is changed or deleted.
  public let hasCommonState: Bool
  /// How many things are added, changed and deleted, by kind.
  public let counts: [ChangeCount]
  /// The things on which the copies do not agree. The copy that receives the changes keeps its own values.
  public let conflicts: [SideConflict]

  /// Whether there is nothing to bring over.
  public var isEmpty: Bool { counts.isEmpty }
}

/// The report of changes that were brought over.
public struct LibraryMergeSummary: Sendable, Hashable {
  /// The work that was done.
  public internal(set) var survey: LibraryMergeSurvey
  /// Blobs that were added to the library as hard links.
  public internal(set) var linkedCount = 0
  /// Blobs that were copied.
  public internal(set) var copiedCount = 0
  /// Blobs that are missing or damaged in the other copy. Their photos were not added.
  public internal(set) var damageCount = 0
  /// Whether it was cancelled. A repetition continues it.
  public internal(set) var isInterrupted = false
  /// The time that it took.
  public internal(set) var duration = Duration.zero
}

/// Brings the changes of one copy of a library over to another, after both were changed separately.
///
/// The copies are compared by public ids: photos by their files, daily logs, moods and completions by their days. The
/// differences from the last common state are made anew, as one change that can be undone. Nothing is done twice, so
/// a run that ended early can be repeated.
public struct LibraryMerge: Sendable {
  private let side: Catalog
  private let blobs: any BlobStore
  private let common: Catalog?
  private let library: Library
  /// The copies, whose catalogs are open for as long as these values exist.
  private let sources: [OpenBackup]

  /// The number of photos that are added in one transaction.
  private static let batchCount = 200

  /// Prepares to bring changes over.
  ///
  /// - Parameters:
  ///   - copy: the copy of the library whose changes are brought over, or a backup of it.
  ///   - library: the copy that receives the changes, open for writing.
  ///   - common: a backup or copy from before both were changed; nil if there is none.
  /// - Throws: `LeaflogError` with code `invalidRequest` when these are not copies of one library, or `common` has
  ///   changes that one of them lacks.
  public init(
    from copy: OpenBackup, into library: Library, since common: OpenBackup? = nil
  ) throws(LeaflogError) {
    for source in [copy, common].compactMap({ $0 }) {
      let (own, other) = (library.path, source.library.path)
      guard own != other else {
        throw LeaflogError(.invalidRequest, "\(other) is the library itself. Name its other copy.")
      }
      let ids = (
        try LibraryMarker.read(library.layout.marker).id,
        try LibraryMarker.read(source.library.layout.marker).id
      )
      guard ids.0 == ids.1 else {
        throw LeaflogError(
          .invalidRequest, "\(other) is not a copy of the library in \(own), but another library.")
      }
    }
    try self.init(
      from: copy.library.catalog, with: copy.blobs, into: library, since: common?.library.catalog,
      sources: [copy, common].compactMap { $0 })
  }

  /// Prepares to bring the changes in a catalog over.
  ///
  /// - Parameters:
  ///   - side: the catalog of the copy whose changes are brought over.
  ///   - blobs: the blobs of that copy.
  ///   - common: a catalog from before both were changed; nil if there is none.
  package init(
    from side: Catalog, with blobs: any BlobStore, into library: Library, since common: Catalog?,
    sources: [OpenBackup] = []
  ) throws(LeaflogError) {
    (self.side, self.blobs, self.common) = (side, blobs, common)
    (self.library, self.sources) = (library, sources)
    try translating {
      guard let common else { return }
      for catalog in [side, library.catalog] {
        guard try common.read({ former in try catalog.read { try $0.continues(former) } }) else {
          throw LeaflogError(
            .invalidRequest,
            "The common state has changes that one of the two copies lacks. Name an earlier one.")
        }
      }
    }
  }

  /// Compares the copies, and changes nothing.
  ///
  /// - Throws: `LeaflogError` when a catalog cannot be read.
  public func survey() throws(LeaflogError) -> LibraryMergeSurvey {
    try translating {
      try survey(bringOver(differences(), as: OpenChange(.bringOver), isDryRun: true))
    }
  }

  private func survey(_ outcome: SideMergeOutcome) -> LibraryMergeSurvey {
    LibraryMergeSurvey(
      hasCommonState: common != nil, counts: outcome.counts, conflicts: outcome.conflicts)
  }

  /// Brings the changes over. Stops when the task is cancelled.
  ///
  /// - Throws: `LeaflogError` when a catalog cannot be read, or the library cannot be written.
  public func run(
    copiesAll: Bool = false, progress: @Sendable (_ share: Double) -> Void = { _ in },
    report: (Damage) -> Void = { _ in }
  ) throws(LeaflogError) -> LibraryMergeSummary {
    try library.checkAlone()
    return try translating { try run(copiesAll, progress, report) }
  }

  private func run(
    _ copiesAll: Bool, _ progress: @Sendable (Double) -> Void, _ report: (Damage) -> Void
  ) throws -> LibraryMergeSummary {
    let started = ContinuousClock.now
    let differences = try differences()
    let change = OpenChange(.bringOver)
    var outcome = try bringOver(differences, as: change, isDryRun: true)
    var summary = LibraryMergeSummary(survey: survey(outcome))
    if Task.isCancelled {
      summary.isInterrupted = true
      return summary
    }
    let unavailable = try bringBlobs(of: outcome, copiesAll, &summary, progress, report)
    if !summary.isInterrupted {
      if !outcome.isEmpty || !unavailable.isEmpty {
        outcome = try bringOver(
          differences, as: change, isDryRun: outcome.isEmpty, unavailable: unavailable)
        summary.survey = survey(outcome)
      }
      summary.isInterrupted = try !add(outcome, as: change)
    }
    if !summary.isInterrupted, unavailable.isEmpty { try join() }
    summary.duration = ContinuousClock.now - started
    return summary
  }
}

extension LibraryMerge {
  /// Records that the library continues the other copy's commits, which are no fork's from now on.
  private func join() throws {
    try library.catalog.join(side)
    try library.objects?.journal().dropForks { head in
      try side.read { try $0.heads.contains(head) }
    }
  }

  private func differences() throws -> SideDifferences {
    try side.read { side in
      try (common ?? library.catalog).read { try SideDifferences(of: side, since: $0) }
    }
  }

  private func bringOver(
    _ differences: SideDifferences, as change: OpenChange, isDryRun: Bool,
    unavailable: Set<EntryID> = []
  ) throws -> SideMergeOutcome {
    try side.read { side in
      func run(_ common: CatalogTables?) throws -> SideMergeOutcome {
        try library.catalog.bringOver(
          DivergedSides(
            other: side, common: common, differences: differences, unavailable: unavailable),
          as: change, isDryRun: isDryRun, now: library.clock.now
        ) { if !isDryRun { try library.blobs.confirm($0) } }
      }
      guard let common else { return try run(nil) }
      return try common.read { try run($0) }
    }
  }

  /// Copies the blobs of photos, before any row refers to them.
  ///
  /// - Returns: the photos whose blobs are missing or damaged in the other copy.
  private func bringBlobs(
    of outcome: SideMergeOutcome, _ copiesAll: Bool, _ summary: inout LibraryMergeSummary,
    _ progress: (Double) -> Void, _ report: (Damage) -> Void
  ) throws -> Set<EntryID> {
    var photos: [BlobID: Set<EntryID>] = [:]
    var needed: [CataloguedBlob] = []
    try side.read { tables in
      for id in outcome.missing.map(\.id) + outcome.replaced {
        for rendition in try tables.photos.exchanged(id)?.photo.renditions ?? [] {
          if photos[rendition.blob] == nil {
            needed.append(CataloguedBlob(id: rendition.blob, byteCount: rendition.byteCount))
          }
          photos[rendition.blob, default: []].insert(id)
        }
      }
    }
    guard !needed.isEmpty else { return [] }
    let moved = try StoreTransfer(
      from: blobs, to: library.store.storedBlobs, mayLink: !copiesAll, isFull: false,
      looksAtSource: false
    ).run(needed, progress: progress)
    (summary.linkedCount, summary.copiedCount) = (moved.linkedCount, moved.copiedCount)
    (summary.isInterrupted, summary.damageCount) = (moved.isInterrupted, moved.faults.count)
    for fault in moved.faults {
      report(
        try Damage(fault.fault, of: fault.blob.id, in: side, note: "Its photo is not brought over.")
      )
    }
    return moved.faults.reduce(into: []) { $0.formUnion(photos[$1.blob.id] ?? []) }
  }

  /// Adds the missing photos, a batch at a time.
  ///
  /// - Returns: whether all were added.
  private func add(_ outcome: SideMergeOutcome, as change: OpenChange) throws -> Bool {
    var rest = outcome.missing[...]
    while !rest.isEmpty {
      if Task.isCancelled { return false }
      let batch = rest.prefix(Self.batchCount)
      rest = rest.dropFirst(batch.count)
      try side.read { side in
        try library.catalog.change(change, now: library.clock.now) { tables, now in
          let (zone, dayEnd) = (try tables.settings.zone, try tables.settings.dayEnd)
          for missing in batch {
            guard var photo = try side.photos.exchanged(missing.id) else { continue }
            photo.photo.time = photo.photo.time.moved(to: zone, dayEnd: dayEnd)
            if let plant = photo.plant { photo.plant?.id = outcome.plants[plant.id] ?? plant.id }
            photo.deletedAt = missing.deletedAt
            _ = try tables.photos.add(photo, now: now, confirm: library.blobs.confirm)
          }
        }
      }
    }
    return true
  }
}

/// Two copies of a library that have gone different ways, with the changes of each that the other lacks.
struct Fork {
  /// The changes of one side since the last common commit.
  struct Side {
    let commitCount: Int
    /// When the first of them was made; nil if their history is not kept.
    let since: Timestamp?
    /// How many things of each kind its changes have added, edited or deleted.
    let things: [(thing: ChangeCount.Thing, count: Int)]
  }

  let here: Side
  let there: Side

  /// Compares a catalog with another one.
  ///
  /// - Parameter end: the head of the other one.
  /// - Returns: nil when one of the two is an ancestor of the other.
  init?(of catalog: Catalog, from other: Catalog, at end: Head) throws {
    guard let own = try catalog.read({ try $0.heads.current }),
      try !catalog.read({ try $0.heads.contains(end) }),
      try !other.read({ try $0.heads.contains(own) })
    else { return nil }
    here = try Side(of: catalog, besides: other)
    there = try Side(of: other, besides: catalog)
  }

  /// Both sides in a sentence.
  func description(here name: String, there other: String, in zone: TimeZone) -> String {
    "\(name) has \(here.text(in: zone)) that \(other) lacks; \(other) has \(there.text(in: zone)) that are not here."
  }
}

extension Fork.Side {
  fileprivate init(of catalog: Catalog, besides other: Catalog) throws {
    let known = Set(try other.read { try $0.heads.all() }.map(\.head))
    let (count, common) = try catalog.read { try $0.heads.ahead(of: known) }
    let changes = try catalog.read { try $0.history.changes(after: common) }
    commitCount = count
    since = changes.map(\.madeAt).min()
    let counts = Dictionary(grouping: changes.flatMap(\.counts), by: \.thing)
    things = ChangeCount.Thing.allCases.compactMap { thing in
      counts[thing].map { (thing, $0.reduce(0) { $0 + $1.added + $1.changed + $1.deleted }) }
    }
  }

  fileprivate func text(in zone: TimeZone) -> String {
    var text = "\(commitCount) commit\(commitCount == 1 ? "" : "s")"
    if let since { text += " since \(since.text(in: zone))" }
    if things.isEmpty { return text }
    return text + " (" + things.map { "\($0.count) × \($0.thing.rawValue)" }.joined(separator: ", ")
      + ")"
  }
}

extension Library {
  /// Begins a line of commits of its own, so that what is kept of it is never mixed up with that of another copy of the
  /// library.
  func beginOwnLine() throws {
    try catalog.beginLineage(after: nil)
    try CatalogJournal(of: catalog).settle()
  }
}
