internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Glibc
internal import SystemPackage

/// Where everything is in a library's folder. Storage/README.md describes it for people.
struct LibraryLayout: Sendable {
  let root: FilePath

  init(_ root: FilePath) { self.root = root }

  /// Says that the folder is a library, of which format.
  var marker: FilePath { root.appending("leaflog.json") }
  var catalog: FilePath { root.appending("catalog.sqlite") }
  var lock: FilePath { root.appending("lock") }
  /// Frames of the commits since the older of the two newest snapshots.
  var journal: FilePath { root.appending("journal") }
  /// Damaged blobs that could not be mended, and damaged catalogs.
  var quarantine: FilePath { root.appending("quarantine") }
  /// Copies of the catalog as it was at different times.
  var snapshots: FilePath { root.appending("snapshots") }
  /// Says that the folder is a backup, of which library.
  var backupNote: FilePath { root.appending("backup.json") }
  var previews: FilePath { root.appending("cache").appending("previews") }

  var exists: Bool { FileManager.default.fileExists(atPath: marker.string) }

  /// Whether its marker alone is missing of a library. What an interrupted making leaves is none, nor
  /// is a backup that was never finished.
  var lacksMarker: Bool {
    guard !exists, access(root.string, R_OK | X_OK) == 0 else { return false }
    let hasCatalog = ((try? FileStatus(catalog))?.byteCount ?? 0) > 0
    if !hasCatalog, FileManager.default.fileExists(atPath: backupNote.string) { return false }
    let folders = try? LocalBlobStore(root: root).directoryNames(root.appending("blobs"))
    if folders?.contains(where: { $0.utf8.count == 2 }) ?? false { return true }
    guard hasCatalog else { return false }
    // One that cannot be read was a catalog: nobody but a library has such a file.
    let found = try? Catalog(path: catalog.string, access: .readOnlyOfAnyVersion)
    defer { try? found?.close() }
    return (try? found?.isPristine()) != true
  }

  /// Whether photos in it are a library's own and nobody's to import: a library, one whose marker is
  /// missing, or a backup that was never finished.
  var looksLikeLibrary: Bool {
    func isThere(_ path: FilePath) -> Bool { FileManager.default.fileExists(atPath: path.string) }
    return exists
      || (isThere(catalog) || isThere(backupNote)) && isThere(root.appending("blobs"))
  }

  /// Whether a name in the library's folder is that of something of its own.
  static func isOwn(_ name: String) -> Bool {
    ownNames.contains(name) || name.hasPrefix("catalog.sqlite")
  }

  private static let ownNames: Set = [
    "leaflog.json", "lock", "blobs", "tmp", "trash", "cache", "snapshots", "quarantine",
    "journal", "backup.json",
  ]
}
