package import DiaryModel
internal import GRDB

/// What a library is set to.
package enum SettingKey: String, Sendable {
  /// An IANA name, e.g. `Europe/Berlin`.
  case timeZone
  /// A storage policy's name.
  case policy
  /// The labels that severities can be said in, as `SeverityScales` writes them.
  case severityScales
  /// Where the quote of the day comes from: `bundled` or `zenquotes`.
  case quoteSource
  /// Files larger than this are not imported: `512 MB`.
  case maxImportFileSize
  /// When to be reminded at the end of the day: `20:00`.
  case reminderTime
  /// Whether to be reminded: `on` or `off`.
  case reminder
  /// The parts to be reminded of, as `ReminderPart.text` writes it.
  case reminderParts
  /// Whose the diary is, for reports.
  case reportName
  /// Whether somebody has seen that the diary is no medical advice: `acknowledged` or `unread`.
  case disclaimer
  /// The line of commits that the catalog belongs to: a UUID, another one after each restore and repair.
  case lineage
  /// There when a newer catalog was in this one's place before.
  case isOlderThanBefore
  /// The id in the library's marker, so that a lost marker can be made again.
  case libraryID
  /// There while words that were forgotten for good may still be in files of the library.
  case isForgetting
  /// In a backup's catalog: when its latest change was made. Nowhere else.
  case backedUp
}

extension Catalog {
  package func setting(_ key: SettingKey) throws -> String? {
    try readOnce {
      try String.fetchOne(
        $0, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key.rawValue])
    }
  }

  /// Sets what Leaflog notes for itself.
  package func set(_ settings: [SettingKey: String]) throws {
    try write { database in
      for (key, value) in settings { try Self.set(key, value, database) }
    }
  }

  /// Sets what somebody wants, which can be undone.
  package func change(_ settings: [SettingKey: String], now: Timestamp) throws {
    try change(.settings, now: now) { database, _ in
      for (key, value) in settings { try Self.set(key, value, database) }
    }
  }

  static func set(_ key: SettingKey, _ value: String, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO setting (key, value) VALUES (?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """, arguments: [key.rawValue, value])
  }
}
