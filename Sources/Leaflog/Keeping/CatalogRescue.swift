package import BlobStorage
package import DiaryCatalog
package import Foundation
internal import Imaging
internal import Journal
internal import SystemPackage

/// The report of a catalog that was rebuilt or brought up to date.
public struct CatalogRescueReport: Sendable, Hashable {
  /// The catalog that the rebuild started from.
  public enum Start: Sendable, Hashable {
    /// No catalog: there were only frames, or nothing at all.
    case nothing
    /// A snapshot of the library, with the time when it was taken.
    case snapshot(Timestamp)
    /// One of the backup's catalogs, with the time when it was made.
    case backup(Timestamp)
  }

  /// Whether the catalog was lost and rebuilt; otherwise it was older than one that was here before.
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
  /// The path that the damaged catalog was moved to; nil when there was none.
  public internal(set) var quarantine: String?
}

/// Rebuilds the catalog of a library if it was lost: from its newest good snapshot and the frames of all
/// commits since, or from those of a backup if they are newer. If these do not lead to the last commit, photos
/// are restored from blobs without a row. If the catalog is merely older than one that was here before, the
/// photos that it does not know are added.
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
      // With all commits restored, a blob without a row was never a photo, or no longer is one.
      if !report.wasLost || recovered?.losses.isEmpty != true {
        report.blobPhotoCount = try adoptBlobs(into: library)
      }
      try library.catalog.beginLineage(
        after: known, replacing: replacedLines(made, report.quarantine))
      try CatalogAge(of: library.catalog).accept()
      try library.close()
      return report
    }
  }

  /// The heads of the catalogs and frames that the rebuilt catalog replaces, as far as these can be read: an ancestor
  /// that is missing is taken for a fork's later, which loses nothing.
  private func replacedLines(_ made: FilePath, _ quarantine: String?) -> ReplacedLines {
    let snapshots = CatalogSnapshot.all(in: layout).prefix(2).map(\.path)
    var lines = ReplacedLines()
    for path in [made.string] + (quarantine.map { [$0 + "/catalog.sqlite"] } ?? []) + snapshots
    where FileManager.default.fileExists(atPath: path) {
      guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else { continue }
      try? lines.add(catalog)
      try? catalog.close()
    }
    try? FrameFolder(layout, store).read { finding in
      guard case .frame(let frame) = finding, !frame.isStart else { return }
      lines.heads.append(HeadTable.Ancestor(head: frame.head, commit: frame.commit))
    }
    return lines
  }

  /// The lineage of the existing catalog, if the journal already continues from it.
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

  /// Moves the damaged catalog away and never deletes it, as its remains may still be useful.
  private func setCatalogAside() throws -> String? {
    let files = ["", "-wal", "-shm"].map { FilePath(layout.catalog.string + $0) }
      .filter { FileManager.default.fileExists(atPath: $0.string) }
    guard !files.isEmpty else { return nil }
    try store.makeFolder(layout.quarantine)
    let place = layout.quarantine.appending("catalog-\(clock.now.milliseconds)")
    try store.makeFolder(place)
    // The log goes after the catalog, so that it is never mistaken for another one's.
    for file in files {
      guard let name = file.lastComponent else { continue }
      try store.replace(place.appending(name), with: file)
    }
    return place.string
  }
}
