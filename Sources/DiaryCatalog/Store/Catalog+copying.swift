package import DiaryModel
internal import Foundation
internal import GRDB

/// The purpose of a copy of the catalog.
package enum CatalogCopyPurpose: Sendable {
  /// An unchanged copy.
  case snapshot
  /// To continue from: without the note that a backup's catalog has.
  case recovery
  /// With a note of when it was made, when the latest change was made and how many commits there were, which
  /// later shows whether the backup itself was changed.
  case backup
  /// To become the catalog of a library in which commits up to `after` were counted, with a new lineage. Blobs that
  /// prune was about to remove wait again from the start, as they may be in use since. No key of an object store that
  /// the library has retired is used again.
  case restoring(
    after: Int?, retiredKeys: [RetiredKeyTable.Retired], replaced: ReplacedLines,
    now: Timestamp)
}

/// Copies of a catalog, made while others read and write it.
extension Catalog {
  /// Copies the state of the catalog at one moment to a new file, which has no log and was checked, but
  /// is not synced yet.
  ///
  /// - Returns: how many commits the copy has seen.
  @discardableResult
  package func copy(to path: String, for purpose: CatalogCopyPurpose) throws -> Int {
    try using {
      var configuration = Configuration()
      // The file is synced as a whole once it is finished, and discarded otherwise.
      configuration.prepareDatabase {
        Catalog.register(on: $0)
        try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")
      }
      PrivateFile.create(at: path)
      let target = try DatabaseQueue(path: path, configuration: configuration)
      try reader.backup(to: target)
      let generation = try target.writeWithoutTransaction { database in
        // The copy's header says that it has a write-ahead log, like its source.
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try purpose.adapt(database, now: clock())
        let found = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard found == "ok" else {
          throw CatalogError(.damaged, "The catalog is damaged: \(found ?? "no answer").")
        }
        return try SettingTable(database: database).generation
      }
      try target.close()
      return generation
    }
  }

  /// Replaces all contents with those of another catalog, in one transaction: readers see the one or the other.
  package func replaceContents(with other: Catalog) throws {
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    try using { try other.using { try lock.withLock { try other.reader.backup(to: writer) } } }
  }
}

extension CatalogCopyPurpose {
  fileprivate func adapt(_ database: Database, now copied: Timestamp) throws {
    let tables = CatalogTables(database: database)
    let (settings, place) = (tables.settings, tables.place)
    switch self {
    case .snapshot: break
    case .recovery: try place.remove(.backedUp)
    case .backup:
      let note = BackupState(
        work: try tables.workDone, generation: try settings.generation, madeAt: copied,
        head: try tables.heads.current ?? .none)
      try place.set(.backedUp, note.text)
      try tables.blobs.forgetUpkeep()
    case .restoring(let generation, let retiredKeys, let replaced, let now):
      try place.remove(.backedUp)
      try tables.blobs.forgetUpkeep()
      _ = try tables.state.following {
        try tables.retiredKeys.add(retiredKeys)
        try database.execute(
          sql: "UPDATE trashedBlob SET trashedAt = ?", arguments: [now.milliseconds])
      }
      try tables.beginLineage(
        at: max(generation ?? 0, settings.generation) + 1, replacing: replaced, now: now)
    }
  }
}
