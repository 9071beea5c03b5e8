internal import BlobStorage
internal import Foundation
internal import SystemPackage

/// A backup that is open for reading, in a folder or an object store.
public final class OpenBackup: Sendable {
  /// The backup as a library, for its catalog and its time zone. For a backup in an object store, it has no images.
  public let library: Library
  let blobs: any BlobStore
  /// A folder that is removed with this value.
  private let temporary: String?

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
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("leaflog-backup-\(UUID().uuidString)").path
      temporary = folder
      do {
        let remote = try translating { () throws -> RemoteBackup in
          let location = try S3Location(settings)
          let remote = RemoteBackup(keys.client(location), in: FilePath(folder))
          guard try remote.fetchNewest() != nil else {
            throw LeaflogError(.noLibrary, "There is no backup at \(settings.url).")
          }
          return remote
        }
        blobs = remote.blobs
        library = try Library.openBackup(at: folder, clock: clock)
      } catch {
        try? FileManager.default.removeItem(atPath: folder)
        throw error
      }
    }
  }

  deinit {
    guard let temporary else { return }
    try? library.close()
    try? FileManager.default.removeItem(atPath: temporary)
  }
}
