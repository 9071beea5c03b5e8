package import DiaryModel
internal import Foundation
internal import GRDB

/// The purpose of a copy of the catalog.
package enum CatalogCopyPurpose: Sendable {
  /// As it is.
  case snapshot
  /// To go on from: without the note that a backup's catalog has.
  case recovery
  /// Notes in it when it was made, when the latest change was made and how many commits there were, which
  /// tells later whether anybody has worked in the backup itself.
  case backup
  /// To be the catalog of a library in which commits up to `generation` were counted, and the first of
  /// a new lineage. What prune was about to take out starts to wait anew: it may be in use since. No key of an object
  /// store that the library has given up is used again.
  case restoring(after: Int?, retiredKeys: [RetiredKeyTable.Retired], now: Timestamp)
}

/// A backup's catalog as it was when it was made. `verify` counts as a commit and not as a change.
package struct BackupState: Sendable, Hashable {
  /// Milliseconds since 1970.
  package let latestChange: Int64
  /// How many commits the library's catalog had seen.
  package let generation: Int
  /// All commits that it has were made by then.
  package let madeAt: Timestamp

  fileprivate init(latestChange: Int64, generation: Int, madeAt: Timestamp) {
    (self.latestChange, self.generation, self.madeAt) = (latestChange, generation, madeAt)
  }

  fileprivate init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let latest = Int64(parts[0]), let generation = Int(parts[1]),
      let made = Int64(parts[2])
    else { return nil }
    self.init(
      latestChange: latest, generation: generation, madeAt: Timestamp(milliseconds: made))
  }

  fileprivate var text: String { "\(latestChange) \(generation) \(madeAt.milliseconds)" }
}

/// Copies of a catalog, made while others read and write it.
extension Catalog {
  /// Copies the catalog as it is at one moment into a new file, which has no log and was checked, but
  /// is not synced yet.
  ///
  /// - Returns: how many commits the copy has seen.
  @discardableResult
  package func copy(to path: String, for purpose: CatalogCopyPurpose) throws -> Int {
    try Self.translating {
      var configuration = Configuration()
      // The file is synced as a whole when it is finished, and thrown away when it is not.
      configuration.prepareDatabase {
        try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")
      }
      PrivateFile.create(at: path)
      let target = try DatabaseQueue(path: path, configuration: configuration)
      try reader.backup(to: target)
      let generation = try target.writeWithoutTransaction { database in
        // The copy says of itself that it has a write-ahead log, as its source has.
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try Self.adapt(database, to: purpose, now: clock())
        let found = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard found == "ok" else {
          throw CatalogError(.damaged, "The catalog is damaged: \(found ?? "no answer").")
        }
        return try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      }
      try target.close()
      return generation
    }
  }

  /// Replaces all that is in it with what another one has, in one transaction: readers see the one or the other.
  package func replaceContents(with other: Catalog) throws {
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    try Self.translating { try lock.withLock { try other.reader.backup(to: writer) } }
  }

  private static func adapt(
    _ database: Database, to purpose: CatalogCopyPurpose, now copied: Timestamp
  ) throws {
    let settings = SettingTable(database: database)
    switch purpose {
    case .snapshot: break
    case .recovery: try settings.remove(.backedUp)
    case .backup:
      let tables = CatalogTables(database: database)
      let note = BackupState(
        latestChange: try tables.latestTime?.milliseconds ?? 0,
        generation: try generation(database), madeAt: copied)
      try settings.set(.backedUp, note.text)
    case .restoring(let generation, let retiredKeys, let now):
      try settings.remove(.backedUp)
      try RetiredKeyTable(database: database).add(retiredKeys)
      try database.execute(
        sql: "UPDATE blob SET condemnedAt = ? WHERE condemnedAt IS NOT NULL",
        arguments: [now.milliseconds])
      try database.execute(
        sql: "UPDATE trashedBlob SET trashedAt = ?", arguments: [now.milliseconds])
      try settings.set(.lineage, UUID().uuidString)
      if let generation { try setGeneration(generation + 1, database) }
    }
  }

  /// Folds the log of a catalog into its file, which has none then, nor makes one when it is read.
  /// Only under the library's lock.
  ///
  /// - Returns: false when somebody has it open.
  package static func foldLog(ofCatalogAt path: String) throws -> Bool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    let queue = try translating { try DatabaseQueue(path: path, configuration: configuration) }
    do {
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE")
      }
      try queue.close()
      return true
    } catch let error as DatabaseError
      where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    {
      return false
    } catch let error as DatabaseError {
      throw CatalogError(error)
    }
  }

  /// The state of a backup's catalog when it was made; nil for one that is no backup's.
  package func backupState() throws -> BackupState? {
    try read { try $0.settings[.backedUp] }.flatMap(BackupState.init)
  }
}
