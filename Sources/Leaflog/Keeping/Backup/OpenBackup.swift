internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The location of a backup.
public enum BackupLocation: Sendable, Hashable {
  /// The path of a folder.
  case folder(String)
  /// A place in an S3-compatible store.
  case objectStore(ObjectStoreSettings)
}

/// A backup that is open for reading, in a folder or an object store.
public final class OpenBackup: Sendable {
  /// The backup as a library, for its catalog and its time zone. For a backup in an object store, it has no images.
  public let library: Library
  let blobs: any BlobStore
  /// A folder that is removed with this value.
  private let temporary: ScratchFolder?

  /// Opens a backup. The catalogs of one in an object store are downloaded, and removed with this value.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  public init(
    _ location: BackupLocation, keys: ObjectStoreKeys = ObjectStoreKeys(),
    clock: WallClock = .system
  ) throws(LeaflogError) {
    switch location {
    case .folder(let path):
      library = try Library.openBackup(at: path, clock: clock, keys: keys)
      (blobs, temporary) = (library.store.storedBlobs, nil)
    case .objectStore(let settings):
      let folder = try ScratchFolder()
      let remote = try translating { () throws -> RemoteBackup in
        let location = try S3Location(settings)
        let remote = RemoteBackup(keys.client(location), in: FilePath(folder.path))
        guard try remote.fetchNewest() != nil else {
          throw LeaflogError(.noLibrary, "There is no backup at \(settings.url).")
        }
        return remote
      }
      (blobs, temporary) = (remote.blobs, folder)
      library = try Library.openBackup(at: folder.path, clock: clock)
    }
  }

  deinit { if temporary != nil { try? library.close() } }
}

/// A library's catalog as it was at an earlier moment, made from a backup in a file that is removed with this value.
final class HistoryCatalog: Sendable {
  let catalog: Catalog
  let way: BackupHistory.Way
  private let file: CatalogFile

  /// - Parameter layout: the library that it is made for, whose `tmp/` contains the file.
  init(
    _ way: BackupHistory.Way, of past: BackupHistory, in layout: LibraryLayout,
    _ store: LocalBlobStore
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
    _ path: FilePath, _ way: BackupHistory.Way, _ past: BackupHistory, _ layout: LibraryLayout
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
