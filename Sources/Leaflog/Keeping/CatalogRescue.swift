package import BlobStorage
package import DiaryCatalog
package import Foundation
internal import Imaging
internal import Journal
internal import SystemPackage

/// The report of a catalog that was rebuilt or brought up to date.
public struct CatalogRescueReport: Sendable, Hashable {
  /// The catalog that the rebuild started from.
  @nonexhaustive
  public enum Start: Sendable, Hashable {
    /// No catalog: there were only frames, or nothing at all.
    case nothing
    /// A snapshot of the library, with the time when it was taken.
    case snapshot(Timestamp)
    /// One of the backup's catalogs, with the time when it was made.
    case backup(Timestamp)
  }

  /// Whether the catalog was lost, damaged or older than one that was here before, and was rebuilt; otherwise it stayed.
  public internal(set) var wasLost = false
  /// The catalog that the rebuild started from.
  public internal(set) var start = Start.nothing
  /// The number of commits applied to it, from the library's journal and the backup's.
  public internal(set) var commitCount = 0
  /// The number of these commits that came from the backup.
  public internal(set) var backupCommitCount = 0
  /// Commits that are in neither the snapshots, nor the journal, nor the backup.
  public internal(set) var losses: [JournalLoss] = []
  /// Photos that the existing catalog lacked, restored with all their details from snapshots and the
  /// journal.
  public internal(set) var snapshotPhotoCount = 0
  /// Photos restored from blobs alone: they have the date from their EXIF, and no plant.
  public internal(set) var blobPhotoCount = 0
  /// The folder that the former catalog was moved to; nil when there was none.
  public internal(set) var quarantine: String?
  /// A sentence for each damaged part of a catalog that could not be rebuilt, and was kept as it is.
  public internal(set) var acceptedDamage: [String] = []
}

/// Rebuilds the catalog of a library if it is lost, damaged or older than its journal: from its newest proved snapshot
/// and the frames of all commits since, and from those of a backup where these are missing. The rebuilt catalog takes the
/// place of the present one only if nothing that can be read there is missing in it. If the frames do not lead to the
/// last commit, photos are restored from blobs without a row.
package struct CatalogRescue: Sendable {
  let layout: LibraryLayout
  private let clock: WallClock
  private let marker: LibraryMarker
  private let store: LocalBlobStore
  private let probe: CatalogProbe

  /// The state of a library's catalog.
  private enum Condition {
    case good
    /// It is missing, or SQLite cannot use it.
    case lost
    /// SQLite can use it, but something in it is not as it was written.
    case damaged
    /// The journal leads on from it, or a newer one was in its place before.
    case older
  }

  /// Whether a library's catalog is missing, damaged, or older than one that was here before. Reads all of it.
  package static func isNeeded(at path: String) -> Bool {
    let layout = LibraryLayout(FilePath(path))
    return layout.exists && condition(of: layout) != .good
  }

  private static func condition(of layout: LibraryLayout) -> Condition {
    guard FileManager.default.fileExists(atPath: layout.catalog.string) else { return .lost }
    do {
      let catalog = try Catalog(path: layout.catalog.string, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      guard try catalog.read({ try $0.isSound }) else { return .lost }
      guard try catalog.read({ try $0.damagedParts() }).isEmpty else { return .damaged }
      let journal = FrameFolder(layout, LocalBlobStore(root: layout.root))
      let isBehind = try HistoryVerification.lead(of: journal, over: catalog) != nil
      return try isBehind || CatalogAge(of: catalog).isOlderThanBefore() ? .older : .good
    } catch {
      return (error as? CatalogError)?.code == .damaged ? .lost : .good
    }
  }

  /// - Throws: `LeaflogError` with code `noLibrary` when the folder is not a library.
  package init(at path: String, clock: WallClock = .system) throws(LeaflogError) {
    try self.init(at: path, files: POSIXFileSystem(), clock: clock)
  }

  /// Creates a rescue with a file system and a catalog that tests can make fail.
  package init(
    at path: String, files: any FileSystem, clock: WallClock = .system,
    probe: CatalogProbe = CatalogProbe()
  ) throws(LeaflogError) {
    let given = LibraryLayout(FilePath(path))
    marker = try LibraryMarker.read(given.marker)
    layout = try translating { LibraryLayout(try given.root.resolved()) }
    store = LocalBlobStore(root: layout.root, files: files)
    (self.clock, self.probe) = (clock, probe)
  }

  /// Rebuilds the catalog. A sound catalog stays, and photos that it does not know may be added.
  ///
  /// - Parameters:
  ///   - backup: the folder of a backup of the library; anything else is ignored.
  ///   - keys: finds the access key of an object store.
  ///   - timeZone: the zone of a library whose settings are lost.
  package func run(
    from backup: String? = nil, timeZone: TimeZone = .current,
    keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> CatalogRescueReport {
    try translating {
      var report = CatalogRescueReport()
      let condition = Self.condition(of: layout)
      let made = layout.root.appending("tmp").appending("rescued.sqlite")
      try store.createFolders()
      try CatalogFile(made, store).removeAll()
      defer { try? CatalogFile(made, store).removeAll() }
      let recovered = try JournalRecovery(
        layout: layout, store: store, backup: backup.flatMap { BackupHistory(of: marker, in: $0) },
        hasGoodCatalog: condition == .older
      ).make(at: made)
      if try isBetter(made, recovered, condition) {
        report.wasLost = true
        if let recovered { report.take(recovered) }
        report.quarantine = try replaceCatalog(by: made, timeZone)
      } else if condition != .good {
        report.acceptedDamage = try keepCatalog(made)
      }
      let library = try Library.reopen(layout, store, keys, clock, probe)
      if !report.wasLost { report.snapshotPhotoCount = try addFormer(made, to: library) }
      // With all commits restored, a blob without a row was never a photo, or no longer is one.
      if !report.wasLost || recovered?.losses.isEmpty != true {
        report.blobPhotoCount = try adoptBlobs(into: library)
      }
      try CatalogJournal(of: library.catalog).settle()
      try CatalogAge(of: library.catalog).accept()
      try library.close()
      return report
    }
  }

  /// Whether the rebuilt catalog takes the place of the present one: that is lost, or nothing that it has is missing in the
  /// rebuilt one, or the journal leads to the rebuilt one and not to the present.
  private func isBetter(
    _ made: FilePath, _ recovered: JournalRecovery.Result?, _ condition: Condition
  ) throws -> Bool {
    guard condition != .lost else { return true }
    guard let recovered, condition != .good else { return false }
    let present = try Catalog(path: layout.catalog.string, access: .readOnlyOfAnyVersion)
    let rebuilt = try Catalog(path: made.string, access: .readOnlyOfAnyVersion)
    defer {
      try? present.close()
      try? rebuilt.close()
    }
    // A head that the catalog does not know itself is damaged.
    let head = try present.read { tables in
      try tables.heads.current.flatMap { try tables.heads.contains($0) ? $0 : nil }
    }
    let hasAll = try rebuilt.read { tables in try head.map { try tables.heads.contains($0) } ?? true
    }
    guard condition == .older else { return hasAll && recovered.losses.isEmpty }
    let end = try FrameFolder(layout, store).last()?.head
    let (newest, leadsToEnd) = try rebuilt.read { tables in
      (try tables.heads.current, try end.map { try tables.heads.contains($0) } ?? false)
    }
    guard newest != head else { return false }
    return try hasAll
      || leadsToEnd && recovered.losses.isEmpty
        && present.read { tables in try end.map { try !tables.heads.contains($0) } ?? false }
  }

  /// Puts the rebuilt catalog in place of the present one, with a lineage of its own.
  ///
  /// - Returns: the folder that the present one was moved to; nil if there was none.
  private func replaceCatalog(by made: FilePath, _ timeZone: TimeZone) throws -> String? {
    let lines = replacedLines(made)
    let known = GenerationNote(ofCatalogAt: layout.catalog.string).generation
    // An empty one, if there was nothing to rebuild it from.
    let rebuilt = try Catalog(
      path: made.string, access: .replaying(lock: FileLock(layout.lock)), clock: { clock.now })
    defer { try? rebuilt.close() }
    if try rebuilt.read({ try $0.settings[.timeZone] }) == nil {
      try rebuilt.write {
        try $0.settings.set([.timeZone: timeZone.identifier, .libraryID: marker.id])
      }
    }
    try rebuilt.beginLineage(after: known, replacing: lines)
    try rebuilt.close()
    _ = try WriteAheadLog(ofCatalogAt: made.string).fold()
    let place = try setCatalogAside()
    try store.replace(layout.catalog, with: made)
    return place
  }

  /// Keeps a catalog that cannot be rebuilt without a loss, and continues from what can be read in it. A copy of a damaged
  /// one is in the quarantine.
  ///
  /// - Returns: a sentence for each part that is damaged.
  private func keepCatalog(_ made: FilePath) throws -> [String] {
    let catalog = try Catalog(
      path: layout.catalog.string, access: .replaying(lock: FileLock(layout.lock)),
      clock: { clock.now })
    defer { try? catalog.close() }
    let damage = try catalog.read { try $0.damagedParts() }
    if !damage.isEmpty {
      try catalog.copy(
        to: quarantineFolder().appending("catalog.sqlite").string, for: .snapshot)
      try catalog.acceptDamage()
    }
    try catalog.beginLineage(
      after: GenerationNote(ofCatalogAt: layout.catalog.string).generation,
      replacing: replacedLines(made))
    return damage
  }

  /// The heads of the catalogs and frames that the rebuilt catalog replaces, as far as these can be read: an ancestor
  /// that is missing is taken for a fork's later, which loses nothing.
  private func replacedLines(_ made: FilePath) -> ReplacedLines {
    let snapshots = CatalogSnapshot.all(in: layout).prefix(2).map(\.path)
    var lines = ReplacedLines()
    for path in [made.string, layout.catalog.string] + snapshots
    where FileManager.default.fileExists(atPath: path) {
      guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else { continue }
      try? lines.add(catalog)
      try? catalog.close()
    }
    try? lines.add(FrameFolder(layout, store))
    return lines
  }

  private func quarantineFolder() throws -> FilePath {
    try store.makeFolder(layout.quarantine)
    let place = layout.quarantine.appending("catalog-\(clock.now.milliseconds)")
    try store.makeFolder(place)
    return place
  }

  /// Moves the present catalog away and never deletes it, as its remains may still be useful.
  private func setCatalogAside() throws -> String? {
    let files = ["", "-wal", "-shm", "-journal"].map { FilePath(layout.catalog.string + $0) }
      .filter { FileManager.default.fileExists(atPath: $0.string) }
    guard !files.isEmpty else { return nil }
    let place = try quarantineFolder()
    // The log goes after the catalog, so that it is never mistaken for another one's.
    for file in files {
      guard let name = file.lastComponent else { continue }
      try store.replace(place.appending(name), with: file)
    }
    return place.string
  }
}

extension CatalogRescueReport {
  fileprivate mutating func take(_ recovered: JournalRecovery.Result) {
    start =
      recovered.start.map { $0.isOfBackup ? .backup($0.madeAt) : .snapshot($0.madeAt) } ?? .nothing
    commitCount = recovered.frameCount
    backupCommitCount = recovered.backupFrameCount
    losses = recovered.losses
  }
}

extension ReplacedLines {
  /// Adds the heads of a journal's frames.
  mutating func add(_ journal: FrameFolder) throws {
    try journal.read { finding in
      guard case .frame(let frame) = finding, !frame.isStart else { return }
      heads.append(HeadTable.Ancestor(head: frame.head, commit: frame.commit))
    }
  }
}
