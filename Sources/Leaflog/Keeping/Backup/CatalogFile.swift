internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// A catalog's file, with those that SQLite keeps beside it.
struct CatalogFile {
  private let path: FilePath
  private let store: LocalBlobStore

  init(_ path: FilePath, _ store: LocalBlobStore) { (self.path, self.store) = (path, store) }

  private func beside(_ suffix: String) -> FilePath { FilePath(path.string + suffix) }

  private func exists(_ suffix: String = "") -> Bool {
    FileManager.default.fileExists(atPath: beside(suffix).string)
  }

  /// Removes all of them, for copies that are no longer needed.
  func removeAll() throws {
    for suffix in ["", "-wal", "-shm", "-journal"] { try store.remove(beside(suffix)) }
  }

  /// Replaces the catalog with a finished one, in a single operation.
  ///
  /// SQLite would apply a log left behind to the new catalog, and damage it. So the log is folded in first, and
  /// nothing is replaced while another process has the catalog open with its log.
  ///
  /// - Parameters:
  ///   - now: the time used in the name of a present catalog that cannot be read.
  ///   - keep: receives the present catalog and may keep its file. It is not called if there is none, or if it cannot
  ///     be read; an unreadable one is kept among the snapshots.
  func replace(
    with finished: FilePath, _ layout: LibraryLayout, now: Timestamp, keep: (Catalog) throws -> Void
  ) throws {
    try FileLock(layout.lock).withLock {
      if let present = try openAlone(layout) {
        try keep(present)
        try present.close()
        // If the removal of its journal were lost in a power cut, SQLite would apply that to the new catalog.
        try store.syncFolder(of: path)
      } else {
        try setAside(layout, now)
      }
      try store.replace(path, with: finished)
    }
  }

  /// Opens the present catalog while nobody else uses it; nil if there is none that can be read.
  private func openAlone(_ layout: LibraryLayout) throws -> Catalog? {
    guard exists() else { return nil }
    do {
      guard try WriteAheadLog(ofCatalogAt: path.string).fold() else { throw inUse(layout) }
      return try Catalog(path: path.string, access: .readOnlyOfAnyVersion)
    } catch let error as CatalogError where error.code == .damaged {
      return nil
    }
  }

  private func inUse(_ layout: LibraryLayout) -> LeaflogError {
    LeaflogError(
      .locked,
      "Another process is using the library in \(layout.root). End it, and try again."
    )
  }

  static let unreadablePrefix = "unreadable-"

  /// Moves a catalog that cannot be read to the snapshots, under a name that is not a snapshot's.
  private func setAside(_ layout: LibraryLayout, _ now: Timestamp) throws {
    guard exists() || exists("-wal") else { return }
    try store.makeFolder(layout.snapshots)
    let time = LocalDateTime(utc: now).description.replacing(":", with: "")
    let name = Self.unreadablePrefix + time + ".sqlite"
    for suffix in ["-wal", ""] where exists(suffix) {
      try store.replace(layout.snapshots.appending(name + suffix), with: beside(suffix))
    }
    try store.remove(beside("-shm"))
  }
}
