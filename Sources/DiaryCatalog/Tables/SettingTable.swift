package import Foundation
internal import GRDB

/// The owner of `setting`: what a library is set to, and what Leaflog notes for itself.
package struct SettingTable: CatalogTable {
  let database: Database

  package subscript(key: SettingKey) -> String? {
    get throws {
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT value FROM setting WHERE key = ?"),
        arguments: [key.rawValue])
    }
  }

  package func set(_ key: SettingKey, _ value: String) throws {
    try database.execute(
      sql: """
        INSERT INTO setting (key, value) VALUES (?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """, arguments: [key.rawValue, value])
  }

  package func set(_ settings: [SettingKey: String]) throws {
    for (key, value) in settings { try set(key, value) }
  }

  package func remove(_ key: SettingKey) throws {
    try database.execute(sql: "DELETE FROM setting WHERE key = ?", arguments: [key.rawValue])
  }

  /// The line of commits that the catalog belongs to; nil before the first commit.
  package var lineage: UUID? {
    get throws { try self[.lineage].flatMap(UUID.init(uuidString:)) }
  }

  /// How many commits the catalog has seen; in the file's header.
  var generation: Int {
    get throws {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    }
  }

  func setGeneration(_ generation: Int) throws {
    try database.execute(sql: "PRAGMA user_version = \(generation)")
  }

  /// The state of a backup's catalog when it was made; nil for one that is no backup's.
  package var backupState: BackupState? {
    get throws { try self[.backedUp].flatMap(BackupState.init) }
  }

  /// Sets the library's zone, and places every entry anew of whose time that zone is a part.
  package func setTimeZone(_ zone: TimeZone) throws {
    try tables.entries.move(to: zone)
    try set(.timeZone, zone.identifier)
  }
}
