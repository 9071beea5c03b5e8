package import DiaryModel
internal import GRDB

extension CatalogTables {
  /// Whether the catalog contains nothing but settings, or not even tables, as when the creation of a
  /// library was interrupted.
  package var isPristine: Bool {
    get throws {
      guard try database.tableExists("entry") else { return true }
      for table in ["entry", "plant", "activity", "quote"] where try database.tableExists(table) {
        if try Int.fetchOne(database, sql: "SELECT 1 FROM \(table) LIMIT 1") != nil { return false }
      }
      return true
    }
  }

  /// The latest time at which a change was made; nil before the first one.
  package var latestChangeTime: Timestamp? {
    get throws {
      try Int64.fetchOne(database, sql: "SELECT max(madeAt) FROM change")
        .map { Timestamp(milliseconds: $0) }
    }
  }

  /// The latest time recorded in the catalog; nil while it is empty.
  package var latestTime: Timestamp? {
    get throws {
      try Int64.fetchOne(
        database,
        sql: """
          SELECT max(t) FROM (SELECT max(createdAt) AS t FROM entry
            UNION ALL SELECT max(createdAt) FROM blob UNION ALL SELECT max(condemnedAt) FROM blob
            UNION ALL SELECT max(trashedAt) FROM trashedBlob UNION ALL SELECT max(madeAt) FROM change)
          """
      ).map { Timestamp(milliseconds: $0) }
    }
  }
}
