internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Glibc
internal import SystemPackage

/// The paths in a library's folder, as Storage/README.md describes them.
struct LibraryLayout: Sendable {
  let root: FilePath

  init(_ root: FilePath) { self.root = root }

  /// The marker of a library, with its format.
  var marker: FilePath { root.appending("leaflog.json") }
  var catalog: FilePath { root.appending("catalog.sqlite") }
  var lock: FilePath { root.appending("lock") }
  /// Locked by the service that has the library's jobs, and by the process that takes a snapshot.
  var serviceLock: FilePath { root.appending("service.lock") }
  var snapshotLock: FilePath { root.appending("snapshots.lock") }
  /// Frames of commits, at least of those since the older of the two newest snapshots.
  var journal: FilePath { root.appending("journal") }
  /// Damaged blobs that could not be repaired, and damaged catalogs.
  var quarantine: FilePath { root.appending("quarantine") }
  /// Copies of the catalog as it was at different times.
  var snapshots: FilePath { root.appending("snapshots") }
  /// The marker of a backup, with its library.
  var backupNote: FilePath { root.appending("backup.json") }
  /// Photos that are being uploaded.
  var uploads: FilePath { root.appending("uploads") }
  /// Access tokens and sessions of the service.
  var accessFile: FilePath { root.appending("access.json") }
  var previews: FilePath { root.appending("cache").appending("previews") }
  /// The service's jobs.
  var jobs: FilePath { root.appending("jobs.json") }
  /// Files that are the results of jobs.
  var jobResults: FilePath { root.appending("cache").appending("jobs") }
  /// When a prune was delayed.
  var pruneNote: FilePath { root.appending("prune.json") }
  /// Where the library was backed up to from this machine.
  var backupRecords: FilePath { root.appending("backups.json") }
  /// How verifications of the library on this machine ended.
  var verificationRecords: FilePath { root.appending("verified.json") }
  /// Settings of the service on this machine.
  var service: FilePath { root.appending("service.json") }

  /// The address of the service while it runs.
  var serviceAddress: FilePath { root.appending("server.json") }
  /// The authority that signs the service's own certificate, and the certificate; each with its key.
  var tlsAuthority: FilePath { root.appending("tls-authority.pem") }
  var tlsFormerAuthority: FilePath { root.appending("tls-former-authority.pem") }
  var tlsServer: FilePath { root.appending("tls-server.pem") }

  /// The settings of the object store with the blobs, if they are in one.
  var objectStore: FilePath { root.appending("store.json") }
  /// How much of the journal that store has.
  var pushed: FilePath { root.appending("pushed.json") }
  /// The stores that the blobs were in before they were moved.
  var formerStores: FilePath { root.appending("former-stores.json") }
  /// Cached copies of blobs in the object store.
  var blobCache: FilePath { root.appending("cache").appending("blobs") }

  /// A local copy of the files of a backup in an object store.
  ///
  /// Its lock is beside it.
  func backupFiles(of url: String) -> FilePath {
    let name = Data(url.utf8).withUnsafeBytes { BlobID(hashing: $0) }.hex
    return root.appending("cache").appending("backups").appending(name)
  }

  var exists: Bool { FileManager.default.fileExists(atPath: marker.string) }

  /// Whether it is a library that lacks only its marker. The remains of an interrupted creation are not
  /// one, nor is a backup that was never finished.
  var lacksMarker: Bool {
    guard !exists, access(root.string, R_OK | X_OK) == 0 else { return false }
    let hasCatalog = ((try? FileStatus(catalog))?.byteCount ?? 0) > 0
    if !hasCatalog, FileManager.default.fileExists(atPath: backupNote.string) { return false }
    let folders = try? LocalBlobStore(root: root).directoryNames(root.appending("blobs"))
    if folders?.contains(where: { $0.utf8.count == 2 }) ?? false { return true }
    guard hasCatalog else { return false }
    // A file that cannot be read was a catalog: only a library has a file of this name.
    let found = try? Catalog(path: catalog.string, access: .readOnlyOfAnyVersion)
    defer { try? found?.close() }
    return (try? found?.read { try $0.isPristine }) != true
  }

  /// Whether photos in it belong to a library and are not to be imported: it is a library, one whose marker
  /// is missing, or a backup that was never finished.
  var looksLikeLibrary: Bool {
    func isThere(_ path: FilePath) -> Bool { FileManager.default.fileExists(atPath: path.string) }
    return exists
      || (isThere(catalog) || isThere(backupNote)) && isThere(root.appending("blobs"))
  }

  /// Whether others than its owner may read one of its files, as on a file system without modes.
  func isOpenToOthers(_ file: FilePath) -> Bool {
    func allows(_ path: FilePath, _ bits: mode_t) -> Bool {
      var status = stat()
      return stat(path.string, &status) == 0 && status.st_mode & bits != 0
    }
    return allows(file, 0o044) && allows(root, 0o011)
  }

  /// Whether a name in the library's folder is that of one of the library's own files.
  static func isOwn(_ name: String) -> Bool {
    ownNames.contains(name) || name.hasPrefix("catalog.sqlite")
  }

  private static let ownNames: Set = [
    "leaflog.json", "lock", "service.lock", "snapshots.lock", "blobs", "tmp", "trash", "cache",
    "snapshots", "quarantine",
    "journal", "backup.json", "uploads", "access.json", "jobs.json", "service.json",
    "tls-authority.pem", "tls-former-authority.pem", "tls-server.pem", "server.json", "store.json",
    "pushed.json",
    "former-stores.json", "prune.json", "backups.json", "verified.json",
  ]
}

/// The contents of `leaflog.json`.
struct LibraryMarker: Codable {
  static let currentFormat = 1

  var format = currentFormat
  /// A UUID that stays with the library wherever it is moved.
  var id: String

  static func read(_ path: FilePath) throws(LeaflogError) -> LibraryMarker {
    let folder = path.removingLastComponent()
    guard let data = FileManager.default.contents(atPath: path.string) else {
      throw failure(toRead: path, in: folder)
    }
    return try LibraryMarker(data, of: path.string)
  }

  init(id: String) { self.id = id }

  /// - Parameter place: where the data is from, for messages.
  init(_ data: Data, of place: String) throws(LeaflogError) {
    guard let marker = SealedJSON.decode(LibraryMarker.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(place), the marker of a Leaflog library, is damaged.", remedy: .repair)
    }
    guard marker.format <= Self.currentFormat else {
      throw LeaflogError(
        .tooNew,
        "A newer version of Leaflog made this library (format \(marker.format)). Update "
          + "Leaflog to open it.")
    }
    self = marker
  }

  private static func failure(toRead path: FilePath, in folder: FilePath) -> LeaflogError {
    if access(path.string, R_OK) != 0, errno == EACCES {
      return LeaflogError(
        .readOnly, "\(folder) may not be looked into: \(Errno.permissionDenied). Check who owns it."
      )
    }
    return LibraryLayout(folder).lacksMarker
      ? missing(in: folder)
      : LeaflogError(
        .noLibrary, "There is no Leaflog library at \(folder).", remedy: .createLibrary)
  }

  static func missing(in folder: FilePath) -> LeaflogError {
    LeaflogError(
      .markerMissing,
      "\(folder) has the files of a Leaflog library, but its marker, leaflog.json, is missing. "
        + "Repairing the library makes it again.")
  }

  func write(to layout: LibraryLayout, _ store: LocalBlobStore) throws {
    try store.write(SealedJSON.encode(self), to: layout.marker)
  }
}
