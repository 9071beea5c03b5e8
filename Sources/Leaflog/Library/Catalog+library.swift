internal import BlobStorage
internal import DiaryCatalog
internal import Foundation

extension Catalog {
  /// Opens the catalog of a library for writing, with its journal, and creates it if it is missing. A backup has no
  /// journal, as the next one replaces its catalog.
  convenience init(
    writable layout: LibraryLayout, _ disk: LocalBlobStore, _ objects: ObjectStore?,
    _ clock: WallClock, _ origin: String? = nil, _ probe: CatalogProbe = CatalogProbe(),
    connections: Connections = .pool
  ) throws {
    let isBackup = FileManager.default.fileExists(atPath: layout.backupNote.string)
    let journal: (any FrameLog)? =
      isBackup ? nil : try objects.map { try $0.journal() } ?? FrameFolder(layout, disk)
    try self.init(
      path: layout.catalog.string,
      access: .readWrite(lock: FileLock(layout.lock), journal: journal, connections: connections),
      origin: origin, probe: probe, clock: { clock.now })
  }
}
