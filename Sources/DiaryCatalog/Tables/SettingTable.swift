package import Foundation
internal import GRDB

/// The owner of `setting`: the settings of a library, and Leaflog's own notes.
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

  /// The hour at which a day ends.
  package var dayEnd: Int {
    get throws { try self[.dayEnd].flatMap { Int($0) } ?? 0 }
  }

  /// The zone in which times without one are sorted: UTC if its name is not known, and that of the machine if there is
  /// none.
  package var zone: TimeZone {
    get throws { try self[.timeZone].map { TimeZone(identifier: $0) ?? .gmt } ?? .current }
  }

  /// The number of commits that the catalog has seen, stored in the file's header.
  var generation: Int {
    get throws {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    }
  }

  /// The number of commits that the catalog has seen.
  package var commitCount: Int { get throws { try generation } }

  func setGeneration(_ generation: Int) throws {
    try database.execute(sql: "PRAGMA user_version = \(generation)")
  }

  /// Sets the library's zone, and recomputes the times of all entries that depend on it.
  package func setTimeZone(_ zone: TimeZone) throws {
    try tables.entries.move(to: zone)
    try set(.timeZone, zone.identifier)
    try remove(.isTimeZoneGuess)
  }
}
