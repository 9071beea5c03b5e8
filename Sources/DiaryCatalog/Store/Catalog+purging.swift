package import DiaryModel

/// Permanent removal, which leaves nothing to undo.
extension Catalog {
  /// Parts of a catalog that a reset removes.
  package enum ResetScope: Sendable {
    /// All entries except photos, and all activities, quotes and the history.
    case diary
    /// Everything but the settings.
    case everything
  }

  /// Removes what was moved to the trash before a moment. Its words stay in the file's free pages until
  /// `compact`, and the setting `isForgetting` is present until then.
  package func purge(deletedBefore time: Timestamp) throws {
    try commit { tables, _ in
      let isDropped = try tables.purge(deletedBefore: time)
      return ((), { _ in FrameLabel(dropsHistory: isDropped ? true : nil) })
    }
  }

  /// Removes a part of the catalog and rewrites the file, so that nothing can be read from its free pages.
  ///
  /// - Parameter afterwards: runs under the library's lock once the removal is durable.
  package func reset(_ scope: ResetScope, afterwards: () throws -> Void) throws {
    try commit { tables, _ in
      try tables.reset(scope)
      return ((), { _ in FrameLabel(dropsHistory: true) })
    }
    try compact(afterwards: afterwards)
  }
}

extension CatalogTables {
  fileprivate func reset(_ scope: Catalog.ResetScope) throws {
    try history.removeAll()
    if scope == .diary { try database.execute(sql: "DELETE FROM entry WHERE kind <> 'photo'") }
    let tables =
      ["completion", "favouriteQuote", "dayQuote", "quote", "activity"]
      + (scope == .everything ? ["rendition", "blob", "trashedBlob", "entry", "plant"] : [])
    for table in tables { try database.execute(sql: "DELETE FROM \(table)") }
    try rebuildTextIndexes()
  }
}
