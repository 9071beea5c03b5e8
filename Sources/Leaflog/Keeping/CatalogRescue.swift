package import BlobStorage
package import DiaryCatalog
package import Foundation
internal import Imaging
internal import SystemPackage

/// The report of a catalog that was made again or brought up to date.
public struct CatalogRescueReport: Sendable, Hashable {
  /// The catalog that it began with.
  public enum Start: Sendable, Hashable {
    /// None: frames alone, or nothing at all.
    case nothing
    /// A snapshot of the library, taken then.
    case snapshot(Timestamp)
    /// One of the backup's catalogs, made then.
    case backup(Timestamp)
  }

  /// Whether the catalog was lost and made again; else it was older than one that was here before.
  public internal(set) var wasLost = false
  public internal(set) var start = Start.nothing
  /// How many commits came after it, from the library's journal and the backup's.
  public internal(set) var commitCount = 0
  /// How many of them the backup had.
  public internal(set) var backupCommitCount = 0
  /// Commits that neither snapshots nor the journal nor the backup have any more.
  public internal(set) var losses: [JournalLoss] = []
  /// Photos that snapshots and the journal have and the catalog that was there did not, with all that
  /// was known of them.
  public internal(set) var snapshotPhotoCount = 0
  /// Photos of which there were blobs alone: they have the date that their EXIF tells, and no plant.
  public internal(set) var blobPhotoCount = 0
  /// Where the damaged catalog lies now; nil when there was none.
  public internal(set) var quarantine: String?
}

/// Makes the catalog of a library again when it was lost: from its newest good snapshot and the frames of
/// all commits since, or from those of a backup where they are newer. Where those do not lead to the last
/// commit, photos are brought back from blobs that nobody knows. Into a catalog that is older than another that
/// was here before, the photos that it does not know are brought back.
package struct CatalogRescue: Sendable {
  let layout: LibraryLayout
  private let clock: WallClock
  private let marker: LibraryMarker
  private let store: LocalBlobStore
  private let probe: CatalogProbe

  /// Whether a library's catalog is missing, so damaged that it cannot be used, or older than one that was
  /// here before.
  package static func isNeeded(at path: String) -> Bool {
    let layout = LibraryLayout(FilePath(path))
    guard layout.exists else { return false }
    if isLost(layout) { return true }
    let catalog = try? Catalog(path: layout.catalog.string, access: .readOnly)
    return (try? catalog.map { try CatalogAge(of: $0).isOlderThanBefore() }) ?? false
  }

  private static func isLost(_ layout: LibraryLayout) -> Bool {
    guard FileManager.default.fileExists(atPath: layout.catalog.string) else { return true }
    do {
      return try !Catalog(path: layout.catalog.string, access: .readOnly).read { try $0.isSound }
    } catch {
      return (error as? CatalogError)?.code == .damaged
    }
  }

  /// - Throws: `LeaflogError` with code `noLibrary` when the folder is none.
  package init(at path: String, clock: WallClock = .system) throws(LeaflogError) {
    try self.init(at: path, files: POSIXFileSystem(), clock: clock)
  }

  /// On a file system and with a catalog that tests can let fail.
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

  /// A catalog that is sound stays; it may get photos that it does not know.
  ///
  /// - Parameters:
  ///   - backup: the folder of a backup of the library; one of anything else tells nothing.
  ///   - keys: finds the access key of an object store.
  ///   - timeZone: for a library of which no snapshot is left.
  package func run(
    from backup: String? = nil, timeZone: TimeZone = .current,
    keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> CatalogRescueReport {
    try translating {
      var report = CatalogRescueReport()
      report.wasLost = Self.isLost(layout)
      let made = layout.root.appending("tmp").appending("rescued.sqlite")
      try store.createFolders()
      try CatalogFile(made, store).removeAll()
      defer { try? CatalogFile(made, store).removeAll() }
      let present = report.wasLost ? nil : try presentLineage()
      let recovered = try JournalRecovery(
        layout: layout, store: store,
        backup: report.wasLost ? backup.flatMap { BackupPast(of: marker, in: $0) } : nil
      ).make(at: made, besides: present)
      let known = GenerationNote(ofCatalogAt: layout.catalog.string).generation
      if report.wasLost {
        report.quarantine = try setCatalogAside()
        if let recovered { try take(made, recovered, &report) }
      }
      let library = try Library.reopen(layout, store, keys, clock, probe)
      if try library.read({ try $0.settings[.timeZone] }) == nil {
        try library.write {
          try $0.settings.set([.timeZone: timeZone.identifier, .libraryID: marker.id])
        }
      }
      if !report.wasLost { report.snapshotPhotoCount = try addFormer(made, to: library) }
      // With all commits back, a blob that nobody knows was never a photo, or is one no longer.
      if !report.wasLost || recovered?.losses.isEmpty != true {
        report.blobPhotoCount = try adoptBlobs(into: library)
      }
      try library.catalog.beginLineage(after: known)
      try CatalogAge(of: library.catalog).accept()
      try library.close()
      return report
    }
  }

  /// That of the catalog that is there, once the journal has gone over to it.
  private func presentLineage() throws -> UUID? {
    let catalog = try Catalog(path: layout.catalog.string, access: .readOnly)
    defer { try? catalog.close() }
    guard let last = try FrameFolder(layout, store).last(),
      try last.commit == catalog.generation()
    else { return nil }
    return last.lineage
  }

  private func take(
    _ made: FilePath, _ recovered: JournalRecovery.Result, _ report: inout CatalogRescueReport
  ) throws {
    _ = try WriteAheadLog(ofCatalogAt: made.string).fold()
    try store.replace(layout.catalog, with: made)
    report.start =
      recovered.start.map { $0.isOfBackup ? .backup($0.madeAt) : .snapshot($0.madeAt) } ?? .nothing
    report.commitCount = recovered.frameCount
    report.backupCommitCount = recovered.backupFrameCount
    report.losses = recovered.losses
  }

  /// The rest of a catalog may still be of use to somebody: it is moved, never deleted.
  private func setCatalogAside() throws -> String? {
    let files = ["", "-wal", "-shm"].map { FilePath(layout.catalog.string + $0) }
      .filter { FileManager.default.fileExists(atPath: $0.string) }
    guard !files.isEmpty else { return nil }
    try store.makeFolder(layout.quarantine)
    let place = layout.quarantine.appending("catalog-\(clock.now.milliseconds)")
    try store.makeFolder(place)
    // The log last: without the catalog nobody takes it for another one's.
    for file in files {
      guard let name = file.lastComponent else { continue }
      try store.replace(place.appending(name), with: file)
    }
    return place.string
  }
}
