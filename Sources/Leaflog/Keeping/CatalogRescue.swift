internal import BlobStorage
internal import DiaryCatalog
public import Foundation
internal import Imaging
internal import SystemPackage

/// What was brought back into a catalog.
public struct CatalogRescueReport: Sendable, Hashable {
  /// Whether the catalog was lost and made again; else it was older than one that was here before.
  public internal(set) var wasLost = false
  /// When the snapshot was taken that it began with; nil when there was none.
  public internal(set) var snapshotTakenAt: Timestamp?
  /// How many commits of the journal came after it.
  public internal(set) var commitCount = 0
  /// What neither a snapshot nor the journal has any more.
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
/// all commits since. Where those do not lead to the last commit, photos are brought back from blobs
/// that nobody knows. Into a catalog that is older than another that was here before, the photos that it
/// does not know are brought back.
public struct CatalogRescue: Sendable {
  let layout: LibraryLayout

  /// Whether a library's catalog is missing, so damaged that it cannot be used, or older than one that was
  /// here before.
  public static func isNeeded(at path: String) -> Bool {
    let layout = LibraryLayout(FilePath(path))
    guard layout.exists else { return false }
    if isLost(layout) { return true }
    let catalog = try? Catalog(path: layout.catalog.string, access: .readOnly)
    return (try? catalog?.isOlderThanBefore()) ?? false
  }

  private static func isLost(_ layout: LibraryLayout) -> Bool {
    guard FileManager.default.fileExists(atPath: layout.catalog.string) else { return true }
    do {
      return try !Catalog(path: layout.catalog.string, access: .readOnly).isSound()
    } catch {
      return (error as? CatalogError)?.code == .damaged
    }
  }

  /// - Throws: `LeaflogError` with code `noLibrary` when the folder is none.
  public init(at path: String) throws(LeaflogError) {
    let given = LibraryLayout(FilePath(path))
    _ = try LibraryMarker.read(given.marker)
    layout = try translating { LibraryLayout(try given.root.resolved()) }
  }

  /// `timeZone`: for a library of which no snapshot is left.
  public func run(timeZone: TimeZone = .current) throws(LeaflogError) -> CatalogRescueReport {
    try translating {
      var report = CatalogRescueReport()
      report.wasLost = Self.isLost(layout)
      let made = layout.root.appending("tmp").appending("rescued.sqlite")
      let store = LocalBlobStore(root: layout.root)
      try store.createFolders()
      try CatalogFile(made, store).removeAll()
      defer { try? CatalogFile(made, store).removeAll() }
      let present = report.wasLost ? nil : try presentLineage(store)
      let recovered = try JournalRecovery(layout: layout, store: store)
        .make(at: made, besides: present)
      let known = Catalog.notedGeneration(ofCatalogAt: layout.catalog.string)
      if report.wasLost {
        report.quarantine = try setCatalogAside()
        if let recovered { try take(made, recovered, store, &report) }
      }
      let library = try Library.reopen(layout)
      if try library.catalog.setting(.timeZone) == nil {
        try library.catalog.set([
          .timeZone: timeZone.identifier, .libraryID: LibraryMarker.read(layout.marker).id,
        ])
      }
      if !report.wasLost { report.snapshotPhotoCount = try addFormer(made, to: library) }
      // With all commits back, a blob that nobody knows was never a photo, or is one no longer.
      if !report.wasLost || recovered?.losses.isEmpty != true {
        report.blobPhotoCount = try adoptBlobs(into: library)
      }
      try library.catalog.beginLineage(after: known)
      try library.catalog.acceptGeneration()
      try library.close()
      return report
    }
  }

  /// That of the catalog that is there, once the journal has gone over to it.
  private func presentLineage(_ store: LocalBlobStore) throws -> UUID? {
    let catalog = try Catalog(path: layout.catalog.string, access: .readOnly)
    defer { try? catalog.close() }
    guard let last = try FrameFolder(layout, store).last(),
      try last.commit == catalog.generation()
    else { return nil }
    return last.lineage
  }

  private func take(
    _ made: FilePath, _ recovered: JournalRecovery.Result, _ store: LocalBlobStore,
    _ report: inout CatalogRescueReport
  ) throws {
    _ = try Catalog.foldLog(ofCatalogAt: made.string)
    try store.replace(layout.catalog, with: made)
    report.snapshotTakenAt = recovered.snapshot?.takenAt
    report.commitCount = recovered.frameCount
    report.losses = recovered.losses
  }

  /// What is left of the catalog may still be of use to somebody: it is moved, never deleted.
  private func setCatalogAside() throws -> String? {
    let files = ["", "-wal", "-shm"].map { layout.catalog.string + $0 }
      .filter { FileManager.default.fileExists(atPath: $0) }
    guard !files.isEmpty else { return nil }
    let store = LocalBlobStore(root: layout.root)
    try store.makeFolder(layout.quarantine)
    let place = layout.quarantine.appending("catalog-\(Timestamp.now.milliseconds)")
    try store.makeFolder(place)
    let folder = place.string
    for file in files {
      try FileManager.default.moveItem(
        atPath: file, toPath: folder + "/" + (file as NSString).lastPathComponent)
    }
    return folder
  }
}
