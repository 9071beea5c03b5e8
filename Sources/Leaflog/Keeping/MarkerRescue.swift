internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// Recreates the marker of a library, without which it is not recognised as one.
enum MarkerRescue {
  /// Whether a folder has the files of a library, but no marker, or a damaged one.
  static func isNeeded(at path: String) -> Bool { isNeeded(LibraryLayout(FilePath(path))) }

  private static func isNeeded(_ layout: LibraryLayout) -> Bool {
    if layout.lacksMarker { return true }
    do throws(LeaflogError) {
      _ = try LibraryMarker.read(layout.marker)
      return false
    } catch { return error.code == .damaged }
  }

  /// - Returns: the library's id, and whether it is the former one. Backups are matched by the id, so with a
  ///   new one the library needs new backups.
  static func run(at path: String) throws(LeaflogError) -> (id: String, isFormer: Bool) {
    try translating {
      let layout = LibraryLayout(try FilePath(path).resolved())
      guard isNeeded(layout) else {
        throw LeaflogError.invalid("Nothing at \(path) lacks a marker.")
      }
      let store = LocalBlobStore(root: layout.root)
      try store.createFolders()
      let former = formerID(layout)
      let marker = LibraryMarker(id: former ?? UUID().uuidString)
      try marker.write(to: layout, store)
      return (marker.id, former != nil)
    }
  }

  /// The id in a backup's note, the catalog or one of its snapshots. Unreadable files are skipped, as the
  /// catalog is repaired only after this.
  private static func formerID(_ layout: LibraryLayout) -> String? {
    if let data = FileManager.default.contents(atPath: layout.backupNote.string),
      let note = SealedJSON.decode(BackupNote.self, from: data)
    {
      return note.library
    }
    let catalogs = [layout.catalog.string] + CatalogSnapshot.all(in: layout).map(\.path)
    return catalogs.lazy.compactMap { path -> String? in
      guard FileManager.default.fileExists(atPath: path),
        let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion)
      else { return nil }
      defer { try? catalog.close() }
      return (try? catalog.read { try $0.settings[.libraryID] }) ?? nil
    }.first
  }
}
