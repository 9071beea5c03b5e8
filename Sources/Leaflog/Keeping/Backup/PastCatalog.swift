internal import BlobStorage
internal import DiaryCatalog
internal import Journal
internal import SystemPackage

/// A library's catalog as it was at an earlier moment, made from a backup in a file that is removed with this value.
final class PastCatalog: Sendable {
  let catalog: Catalog
  let way: BackupPast.Way
  private let file: CatalogFile

  /// - Parameter layout: the library that it is made for, whose `tmp/` contains the file.
  init(
    _ way: BackupPast.Way, of past: BackupPast, in layout: LibraryLayout, _ store: LocalBlobStore
  ) throws {
    try store.files.makeFolder(layout.root)
    try store.createFolders()
    let path = store.temporaryPath("past")
    let file = CatalogFile(path, store)
    do {
      try Self.make(path, way, past, layout)
      catalog = try Catalog(path: path.string, access: .readOnlyOfAnyVersion)
    } catch {
      try? file.removeAll()
      throw error
    }
    (self.file, self.way) = (file, way)
  }

  deinit {
    try? catalog.close()
    // A file that remains is swept along with anything else left in `tmp/`.
    try? file.removeAll()
  }

  private static func make(
    _ path: FilePath, _ way: BackupPast.Way, _ past: BackupPast, _ layout: LibraryLayout
  ) throws {
    let start = try Catalog(path: way.start.path, access: .readOnlyOfAnyVersion)
    defer { try? start.close() }
    try start.copy(to: path.string, for: .recovery)
    let catalog = try Catalog(
      path: path.string, access: .replaying(lock: FileLock(layout.lock)))
    defer { try? catalog.close() }
    if way.last.commit > way.start.generation {
      try past.frames(of: way.start.lineage)
        .read(way.start.lineage, (way.start.generation + 1)...way.last.commit) {
          try catalog.apply($0)
        }
    }
    try catalog.close()
    _ = try WriteAheadLog(ofCatalogAt: path.string).fold()
  }
}
