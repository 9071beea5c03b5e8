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
  /// Photos that snapshots have and the catalog that was there did not, with all that was known of them.
  public internal(set) var snapshotPhotoCount = 0
  /// Photos that came since, with all that was known of them.
  public internal(set) var journalPhotoCount = 0
  /// Photos of which there were blobs alone: they have the date that their EXIF tells, and no plant.
  public internal(set) var blobPhotoCount = 0
  /// Where the damaged catalog lies now; nil when there was none.
  public internal(set) var quarantine: String?
}

/// Makes the catalog of a library again when it was lost: from its newest good snapshot, from the journal
/// of photos that came since, and from blobs that neither knows. Into one that is older than another that
/// was here before, as after a restore, the photos that it does not know are brought back.
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
      let catalog = try Catalog(path: layout.catalog.string, access: .readOnly)
      return try catalog.inconsistencies().contains { $0.hasPrefix("SQLite") }
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
      if report.wasLost { try takeUpSnapshot(&report) }
      let library = try Library.reopen(layout)
      if report.wasLost, report.snapshotTakenAt == nil {
        try library.catalog.set([
          .timeZone: timeZone.identifier, .libraryID: LibraryMarker.read(layout.marker).id,
        ])
      }
      if !report.wasLost { report.snapshotPhotoCount = try addFromSnapshots(to: library) }
      report.journalPhotoCount = try replay(into: library)
      report.blobPhotoCount = try adoptBlobs(into: library)
      try library.catalog.acceptGeneration()
      try library.close()
      return report
    }
  }

  private func takeUpSnapshot(_ report: inout CatalogRescueReport) throws {
    let snapshot = newestGoodSnapshot()
    report.quarantine = try setCatalogAside()
    report.snapshotTakenAt = snapshot?.takenAt
    guard let snapshot else { return }
    let file = try OutputFile(layout.catalog, isPrivate: true)
    try Data(contentsOf: URL(fileURLWithPath: snapshot.path)).withUnsafeBytes {
      try file.write($0)
    }
    _ = try file.replace()
  }

  private func newestGoodSnapshot() -> CatalogSnapshot? {
    CatalogSnapshot.all(in: layout).first { snapshot in
      guard let catalog = try? Catalog(path: snapshot.path, access: .readOnlyOfAnyVersion) else {
        return false
      }
      defer { try? catalog.close() }
      return (try? catalog.inconsistencies().contains { $0.hasPrefix("SQLite") }) == false
    }
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
