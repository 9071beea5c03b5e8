package import DiaryModel
internal import GRDB

extension CatalogTables {
  /// The blobs that the catalog knows and whose digests begin with a byte: those that have not been removed, and those
  /// in the trash.
  package func knownBlobs(beginningWith byte: UInt8) throws -> Set<BlobID> {
    let (condition, arguments) = BlobTable.beginning(with: byte)
    let select = "SELECT digest, byteCount FROM"
    return try Set(
      blobs.blobs(
        "\(select) blob WHERE \(condition) UNION ALL \(select) trashedBlob WHERE \(condition)",
        arguments + arguments
      ).map(\.id))
  }

  /// Lets grace periods that begin in the future begin now, as the clock was wrong when they began.
  package func restartGraces(now: Timestamp) throws {
    try blobs.restartGraces(now: now)
    try trashedBlobs.restartGraces(now: now)
  }

  /// Whether the catalog contains nothing but settings, or not even tables, as when the creation of a
  /// library was interrupted.
  package var isPristine: Bool {
    get throws {
      guard try database.tableExists("entry") else { return true }
      for table in ["entry", "plant", "activity", "quote", "factor"]
      where try database.tableExists(table) {
        if try Int.fetchOne(database, sql: "SELECT 1 FROM \(table) LIMIT 1") != nil { return false }
      }
      return true
    }
  }

  /// The latest time that a change gives evidence of; nil before the first one. A change that is later than those
  /// after it counts until these span a month: from then on, the clock was wrong when it was made.
  package var latestChangeTime: Timestamp? {
    get throws {
      try Int64.fetchOne(
        database,
        sql: """
          SELECT max(madeAt) FROM change WHERE id >= coalesce(
            (SELECT max(id) FROM change
              WHERE madeAt < (SELECT madeAt FROM change ORDER BY id DESC LIMIT 1) - 2592000000), 0)
          """
      ).map { Timestamp(milliseconds: $0) }
    }
  }

  /// The last of the changes and of the undos, whatever their times.
  var workDone: BackupState.Work {
    get throws {
      BackupState.Work(
        change: try history.nextID() - 1,
        undo: try Int64.fetchOne(database, sql: "SELECT max(undoneBy) FROM change") ?? 0)
    }
  }

  /// Whether changes were made in a backup's catalog since the backup, or undone. Verifying it is a commit, but not a
  /// change.
  package var wasWorkedInSinceBackup: Bool {
    get throws { try place.backupState?.work != workDone }
  }
}
