internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

extension Catalog {
  /// Opens the catalog of a library for writing, with its journal, and creates it if it is missing. A backup has no
  /// journal, as the next one replaces its catalog.
  convenience init(
    writable layout: LibraryLayout, _ disk: LocalBlobStore, _ objects: ObjectStore?,
    _ clock: WallClock, _ origin: String? = nil, _ probe: CatalogProbe = CatalogProbe(),
    connections: Connections = .pool
  ) throws {
    let isBackup = FileManager.default.fileExists(atPath: layout.backupNote.string)
    let journal = isBackup ? nil : try LibraryKeeper(layout, disk, objects).journal
    try self.init(
      path: layout.catalog.string,
      access: .readWrite(lock: FileLock(layout.lock), journal: journal, connections: connections),
      origin: origin, probe: probe, clock: { clock.now })
  }
}

/// Keeps a library's catalog as a snapshot, and in its object store.
private struct LibraryKeeper: CatalogKeeper {
  private let layout: LibraryLayout
  private let disk: LocalBlobStore
  /// The journal in the object store; nil if photos are files.
  private let objects: ObjectJournal?

  init(_ layout: LibraryLayout, _ disk: LocalBlobStore, _ objects: ObjectStore?) throws {
    (self.layout, self.disk) = (layout, disk)
    self.objects = try objects?.journal()
  }

  var journal: Catalog.JournalAccess {
    Catalog.JournalAccess(objects ?? FrameFolder(layout, disk), keeper: self)
  }

  func keep(_ catalog: Catalog) throws {
    let snapshot = try CatalogSnapshots(layout, disk).take(
      of: catalog, now: catalog.clock(), waits: true)
    do { try objects?.push(snapshot, of: catalog) } catch { throw UnsettledFrame(cause: error) }
  }
}

extension FrameFolder {
  /// The journal in a library's folder.
  convenience init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    self.init(FrameFiles(layout.journal, store)) { lineage in
      let snapshots = try CatalogSnapshots(layout, store).all().lazy
        .filter { $0.lineage == lineage }.prefix(2)
      return snapshots.count == 2 ? snapshots.last?.generation : nil
    }
  }
}

extension ObjectJournal {
  /// Puts a snapshot of a catalog.
  func push(_ snapshot: CatalogSnapshot, of catalog: Catalog) throws {
    let copy = try Catalog(path: snapshot.path, access: .readOnlyOfAnyVersion)
    let (lineage, head) = try copy.read { try ($0.place.lineage, $0.heads.current) }
    try copy.close()
    guard let lineage, let head else {
      throw LeaflogError(.damaged, "The snapshot \(snapshot.path) does not say what it belongs to.")
    }
    try push(
      catalogAt: FilePath(snapshot.path), snapshot.generation, lineage, head,
      isKnown: { head in try catalog.read { try $0.heads.contains(head) } })
  }
}

extension CatalogSnapshot {
  /// The line of commits that its catalog belongs to; nil when it cannot be read.
  var lineage: UUID? {
    guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else { return nil }
    defer { try? catalog.close() }
    return try? catalog.read { try $0.place.lineage }
  }
}
