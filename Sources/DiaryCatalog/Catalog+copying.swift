package import DiaryModel
internal import Foundation
internal import GRDB

/// What a copy of the catalog is for.
package enum CatalogCopyPurpose: Sendable {
  /// As it is.
  case snapshot
  /// Notes in it when the latest change was made and how many commits there were, which tells later
  /// whether anybody has worked in the backup itself.
  case backup
  /// To be the catalog of a library in which commits up to `generation` were counted, and the first of
  /// a new lineage. What prune was about to take out starts to wait anew: it may be in use since.
  case restoring(after: Int?, now: Timestamp)
}

/// A backup's catalog as it was when it was made. `verify` counts as a commit and not as a change.
package struct BackupState: Sendable, Hashable {
  /// Milliseconds since 1970.
  package let latestChange: Int64
  /// How many commits the library's catalog had seen.
  package let generation: Int

  fileprivate init(latestChange: Int64, generation: Int) {
    (self.latestChange, self.generation) = (latestChange, generation)
  }

  fileprivate init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let latest = Int64(parts[0]), let generation = Int(parts[1]) else {
      return nil
    }
    self.init(latestChange: latest, generation: generation)
  }

  fileprivate var text: String { "\(latestChange) \(generation)" }
}

/// Copies of a catalog, made while others read and write it.
extension Catalog {
  /// How many commits the catalog has seen.
  package func generation() throws -> Int {
    try readOnce { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
  }

  /// Copies the catalog as it is at one moment into a new file, which has no log and was checked, but
  /// is not synced yet.
  ///
  /// - Returns: how many commits the copy has seen.
  @discardableResult
  package func copy(to path: String, for purpose: CatalogCopyPurpose) throws -> Int {
    let latest = try latestTime()
    return try Self.translating {
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
        try Self.adapt(database, to: purpose, latest: latest)
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

  private static func adapt(
    _ database: Database, to purpose: CatalogCopyPurpose, latest: Timestamp?
  ) throws {
    let forget = "DELETE FROM setting WHERE key = '\(SettingKey.backedUp.rawValue)'"
    switch purpose {
    case .snapshot: break
    case .backup:
      let generation = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      let note = BackupState(latestChange: latest?.milliseconds ?? 0, generation: generation)
      try database.execute(
        sql: forget + "; INSERT INTO setting (key, value) VALUES (?, ?)",
        arguments: [SettingKey.backedUp.rawValue, note.text])
    case .restoring(let generation, let now):
      try database.execute(sql: forget)
      try database.execute(
        sql: "UPDATE blob SET condemnedAt = ? WHERE condemnedAt IS NOT NULL",
        arguments: [now.milliseconds])
      try database.execute(
        sql: "UPDATE trashedBlob SET trashedAt = ?", arguments: [now.milliseconds])
      try set(.lineage, UUID().uuidString, database)
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

  /// What a backup's catalog was when it was made; nil for one that is no backup's.
  package func backupState() throws -> BackupState? {
    try setting(.backedUp).flatMap(BackupState.init)
  }

  /// The public ids of all photos, those in the trash too.
  package func photoIDs() throws -> Set<String> {
    try readOnce {
      try String.fetchSet($0, sql: "SELECT publicID FROM entry WHERE kind = 'photo'")
    }
  }

  /// The bytes of all blobs that the catalog has a row for.
  package func knownByteCount() throws -> Int {
    try readOnce { try Int.fetchOne($0, sql: "SELECT coalesce(sum(byteCount), 0) FROM blob") ?? 0 }
  }
}
