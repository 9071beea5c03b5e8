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
  package var generation: Int {
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

/// The key of a row of `setting`.
package enum SettingKey: String, Sendable {
  /// An IANA name, e.g. `Europe/Berlin`.
  case timeZone
  /// Present while the zone is the machine's because nobody has chosen one.
  case isTimeZoneGuess
  /// A storage policy's name.
  case policy
  /// The labels for severities, as `SeverityScales` writes them.
  case severityScales
  /// Where the quote of the day comes from: `bundled` or `zenquotes`.
  case quoteSource
  /// Files larger than this are not imported: `512 MB`.
  case maxImportFileSize
  /// The time of the reminder at the end of the day: `20:00`.
  case reminderTime
  /// Whether the reminder is `on` or `off`.
  case reminder
  /// The parts of the reminder, as `ReminderPart.text` writes them.
  case reminderParts
  /// Whether messages to devices name what is left for the day: `on` or `off`.
  case reminderNames
  /// The address that push services are given: `mailto:` or `https:`; may be empty.
  case pushContact
  /// The name of the diary's owner, for reports.
  case reportName
  /// Whether the notice that the diary is not medical advice is `acknowledged` or `unread`.
  case disclaimer
  /// The language of the pages: `auto`, `en` or `de`.
  case language
  /// How many hours after midnight a day ends: `0` to `6`.
  case dayEnd
  /// The day on which weeks begin: `auto`, `monday`, `saturday` or `sunday`.
  case weekStart
  /// The id in the library's marker, so that a lost marker can be recreated.
  case libraryID
  /// The commit up to which words were permanently removed, and when: backups keep nothing from before.
  case forgottenUpTo
}

extension SettingKey {
  /// The settings that users choose. The others are Leaflog's own notes.
  static let chosen: [SettingKey] = [
    .timeZone, .policy, .severityScales, .quoteSource, .maxImportFileSize, .reminderTime,
    .reminder, .reminderParts, .reportName, .disclaimer, .language, .dayEnd, .weekStart,
    .reminderNames, .pushContact,
  ]
}

/// The key of a row of `place`.
package enum PlaceKey: String, Sendable {
  /// The lineage of the catalog's commits: a UUID, a new one after each restore and repair.
  case lineage
  /// Present when a newer catalog was in this one's place before.
  case isOlderThanBefore
  /// Present while permanently removed words may still be in files of the library.
  case isForgetting
  /// The `BackupState` of a backup's catalog; only there.
  case backedUp
}

/// The owner of `place`: notes about the place in which the catalog is. They are in no changeset, and not part of the
/// diary.
package struct PlaceTable: CatalogTable {
  let database: Database

  package subscript(key: PlaceKey) -> String? {
    get throws {
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT value FROM place WHERE key = ?"),
        arguments: [key.rawValue])
    }
  }

  package func set(_ key: PlaceKey, _ value: String) throws {
    try database.execute(
      sql: """
        INSERT INTO place (key, value, digest) VALUES (?1, ?2, rowDigest('place', ?1, ?2))
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, digest = excluded.digest
        """, arguments: [key.rawValue, value])
  }

  package func remove(_ key: PlaceKey) throws {
    try database.execute(sql: "DELETE FROM place WHERE key = ?", arguments: [key.rawValue])
  }

  /// The lineage of the catalog's commits; nil before the first commit.
  package var lineage: UUID? {
    get throws { try self[.lineage].flatMap(UUID.init(uuidString:)) }
  }

  /// The state of a backup's catalog when it was made; nil unless the catalog is a backup's.
  package var backupState: BackupState? {
    get throws { try self[.backedUp].flatMap(BackupState.init) }
  }
}
