internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import Logging
internal import SystemPackage

extension LibraryStore {
  private static let logger = Logger(label: "leaflog.snapshots")

  /// The copies of the catalog that are kept in the library, the newest first. They are not checked: a
  /// disk may have damaged them since.
  ///
  /// - Throws: `LeaflogError` when their folder cannot be read.
  public func snapshots() throws(LeaflogError) -> [CatalogSnapshot] {
    try translating { try CatalogSnapshots(layout, disk).all() }
  }

  /// Copies the catalog, checks the copy, and removes surplus snapshots.
  ///
  /// Imports, other long work and `close` do this by themselves when it is due. Changes do not: a program that stays
  /// open and makes changes only takes snapshots from time to time.
  ///
  /// - Throws: `LeaflogError` with code `readOnly` when the library is open for reading, `locked` when
  ///   another process is taking one, and `damaged` when the catalog is.
  @discardableResult
  public func takeSnapshot() throws(LeaflogError) -> CatalogSnapshot {
    try translating { try takeSnapshot(now: moment) }
  }

  /// Takes a snapshot if the catalog has changed since the newest one, and that is old enough or the
  /// work took long enough for the copy not to matter. As the work is already done, this never fails:
  /// errors are logged.
  ///
  /// - Parameters:
  ///   - work: how long the work that changed the catalog took.
  ///   - generation: the number of commits before the work; nil if that is not known.
  ///   - now: the present time, which tests can set; nil means the clock's.
  /// - Returns: nil when none was taken.
  @discardableResult
  package func takeSnapshotIfDue(
    afterWorkOf work: Duration = .zero, since generation: Int? = nil, now: Timestamp? = nil
  ) -> CatalogSnapshot? {
    // A backup's catalog is replaced by the next backup.
    guard library.access.allowsWriting, !catalog.isBound,
      !FileManager.default.fileExists(atPath: layout.backupNote.string)
    else { return nil }
    let now = now ?? moment
    do {
      guard try isSnapshotDue(work, since: generation, now) else { return nil }
      return try takeSnapshot(now: now)
    } catch {
      let error = LeaflogError(error)
      // Another process is taking one, or the library is closed already.
      if [.locked, .closed].contains(error.code) { return nil }
      // A full disk does not stop the work; writes that fail because of it report that themselves.
      Self.logger.log(
        level: error.code == .noSpace ? .debug : .warning,
        "no snapshot of the catalog: \(error.message)")
      return nil
    }
  }

  package func takeSnapshot(now: Timestamp) throws -> CatalogSnapshot {
    try library.checkWritable()
    let snapshot = try CatalogSnapshots(layout, disk).take(of: catalog, now: now)
    if try FrameFolder(layout, disk).isPartFull(now: now) {
      try CatalogJournal(of: catalog).beginPart()
    }
    if let journal = try library.objects?.journal(), let lineage = snapshot.lineage {
      try journal.push(snapshot, of: catalog)
      try journal.deleteCovered(lineage)
    }
    return snapshot
  }

  private func isSnapshotDue(
    _ work: Duration, since former: Int?, _ now: Timestamp
  ) throws -> Bool {
    let generation = try catalog.generation()
    if generation == former { return false }
    guard let newest = try snapshots().first else { return true }
    guard newest.generation <= generation else {
      throw LeaflogError(
        .suspicious,
        "The catalog is older than its newest snapshot, \(newest.path).", remedy: .repairOrRestore)
    }
    if newest.generation == generation { return false }
    let byteCount = try FileStatus(layout.catalog).byteCount
    let age = Duration.milliseconds(now.milliseconds - newest.takenAt.milliseconds)
    return age >= SnapshotRotation.patience(catalogByteCount: byteCount)
      || age < .zero  // the clock was set back
      || work >= SnapshotRotation.cost(catalogByteCount: byteCount) * SnapshotRotation.earnings
  }
}

/// The folder with a library's snapshots.
struct CatalogSnapshots {
  private let layout: LibraryLayout
  private let store: LocalBlobStore

  init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    (self.layout, self.store) = (layout, store)
  }

  /// The snapshots, newest first.
  func all() throws -> [CatalogSnapshot] {
    try names().compactMap { CatalogSnapshot(layout.snapshots.appending($0)) }
      .sorted { ($0.generation, $0.takenAt) > ($1.generation, $1.takenAt) }
  }

  private func names() throws -> [String] { try store.directoryNames(layout.snapshots) ?? [] }

  /// - Parameters:
  ///   - waits: whether to wait until no other process is taking one.
  ///   - floor: the number of bytes that all snapshots may always take.
  ///   - kept: the paths of snapshots that are not surplus in any case.
  func take(
    of catalog: Catalog, now: Timestamp, waits: Bool = false, floor: Int = 0,
    keeping kept: Set<String> = []
  ) throws -> CatalogSnapshot {
    try adding(
      keeping: kept,
      now: now,
      maxByteCount: max(
        floor, catalog.read { try $0.totals.blobs().byteCount } / SnapshotRotation.shareOfStore),
      keepsAll: CatalogAge(of: catalog).isOlderThanBefore(), waits: waits
    ) {
      try add(catalog, now)
    }
  }

  /// Keeps a catalog that is about to be replaced. It is copied and not linked: if the replacement does not come, SQLite
  /// would take a second name of the same file for another database.
  func keep(_ catalog: Catalog, now: Timestamp) throws {
    _ = try adding(now: now, maxByteCount: .max, keepsAll: true) { try add(catalog, now) }
  }

  private func add(_ catalog: Catalog, _ now: Timestamp) throws -> FilePath {
    let hidden = layout.snapshots.appending(Self.unfinished)
    let generation = try catalog.copy(to: hidden.string, for: .snapshot)
    let path = layout.snapshots.appending(
      CatalogSnapshot.name(takenAt: now, generation: generation))
    try store.replace(path, with: hidden)
    return path
  }

  private static let unfinished = ".unfinished.sqlite"

  /// Adds a snapshot, one process at a time, so that the leftovers of a killed one can be removed.
  private func adding(
    keeping kept: Set<String> = [], now: Timestamp, maxByteCount: Int, keepsAll: Bool = false,
    waits: Bool = false,
    _ add: () throws -> FilePath
  ) throws -> CatalogSnapshot {
    try store.makeFolder(layout.snapshots)
    guard let lock = try HeldLock(layout.snapshotLock, creates: true, waits: waits) else {
      throw LeaflogError(.locked, "Another process is taking a snapshot of the catalog.")
    }
    defer { withExtendedLifetime(lock) {} }
    try removeUnfinished()
    defer { try? removeUnfinished() }
    let path = try add()
    guard let snapshot = CatalogSnapshot(path) else {
      throw LeaflogError(.failed, "\(path) no longer exists.")
    }
    if keepsAll { return snapshot }
    let surplus = SnapshotRotation.surplus(
      of: try all(), maxByteCount: maxByteCount, now: now)
    for old in surplus where old != snapshot && !kept.contains(old.path) {
      try store.remove(FilePath(old.path))
    }
    return snapshot
  }

  private func removeUnfinished() throws {
    for name in try names() where name.hasPrefix(Self.unfinished) {
      try store.remove(layout.snapshots.appending(name))
    }
  }
}
