internal import GRDB

extension Catalog {
  /// What a reset takes out of the catalog.
  package enum ResetScope: Sendable {
    /// All entries but photos, activities, quotes, and what could be undone.
    case diary
    /// Everything but the settings.
    case everything
  }

  /// Takes it out, for good: the file is written anew, so that nothing can be read from its free pages.
  ///
  /// - Parameter afterwards: runs under the library's lock once it is durable.
  package func reset(_ scope: ResetScope, afterwards: () throws -> Void) throws {
    try commit { database, _ in
      try HistoryTable(database: database).drop()
      let tables =
        ["completion", "favouriteQuote", "dayQuote", "quote", "activity"]
        + (scope == .everything
          ? ["rendition", "blob", "trashedBlob", "entry", "plant"] : [])
      if scope == .diary { try database.execute(sql: "DELETE FROM entry WHERE kind <> 'photo'") }
      for table in tables { try database.execute(sql: "DELETE FROM \(table)") }
      for index in ["entryText", "plantText"] {
        try database.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('rebuild')")
      }
      return ((), { _ in Frame.Label(dropsHistory: true) })
    }
    try compact(afterwards: afterwards)
  }
}
