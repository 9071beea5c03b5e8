package import Foundation
internal import GRDB

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
