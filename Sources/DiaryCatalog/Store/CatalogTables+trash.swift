package import DiaryModel
internal import GRDB

/// Permanent removal of entries in the trash, and of deleted plants and activities without other
/// entries.
extension CatalogTables {
  /// How many photos and how many other entries were moved to the trash before a moment.
  package func entriesDeleted(before time: Timestamp) throws -> (photos: Int, others: Int) {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) FILTER (WHERE kind = 'photo'), count(*) FILTER (WHERE kind <> 'photo')
        FROM entry WHERE deletedAt < ?
        """, arguments: [time.milliseconds])
    return (row?[0] ?? 0, row?[1] ?? 0)
  }

  /// How many plants and activities `Catalog.purge` would remove.
  package func purgeable(deletedBefore time: Timestamp) throws -> (plants: Int, activities: Int) {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT (SELECT count(*) FROM plant p WHERE \(Self.isPlantPurgeable)),
          (SELECT count(*) FROM activity a WHERE \(Self.isActivityPurgeable))
        """, arguments: [time.milliseconds])
    return (row?[0] ?? 0, row?[1] ?? 0)
  }

  /// The moments at which the things in the trash were deleted, the latest first.
  func deletionTimes() throws -> [Timestamp] {
    try Int64.fetchAll(
      database,
      sql: """
        SELECT deletedAt FROM entry WHERE deletedAt IS NOT NULL
        UNION SELECT deletedAt FROM plant WHERE deletedAt IS NOT NULL
        UNION SELECT deletedAt FROM activity WHERE deletedAt IS NOT NULL
        UNION SELECT deletedAt FROM quote WHERE deletedAt IS NOT NULL ORDER BY 1 DESC
        """
    ).map(Timestamp.init(milliseconds:))
  }

  /// - Returns: whether there was anything to remove.
  func purge(deletedBefore time: Timestamp) throws -> Bool {
    try forgetting {
      for sql in [
        "DELETE FROM entry WHERE deletedAt < ?1",
        "DELETE FROM activity AS a WHERE \(Self.isActivityPurgeable)",
        "DELETE FROM plant AS p WHERE \(Self.isPlantPurgeable)",
      ] { try database.execute(sql: sql, arguments: [time.milliseconds]) }
    }
  }

  /// Removes some of what is in the trash; a plant with everything of it, unless some of that is not in the trash.
  ///
  /// - Returns: whether there was anything to remove.
  func purge(entries: [EntryID], plants: [PlantID]) throws -> Bool {
    try forgetting {
      for entry in entries {
        try database.execute(
          sql: "DELETE FROM entry WHERE publicID = ? AND deletedAt IS NOT NULL",
          arguments: [entry.description])
      }
      for plant in plants {
        let plantID = "(SELECT id FROM plant WHERE publicID = ?2 AND deletedAt IS NOT NULL)"
        for sql in [
          """
          DELETE FROM entry WHERE deletedAt < ?1 AND (plantID = \(plantID) OR id IN (
            SELECT c.entryID FROM completion c JOIN activity a ON a.id = c.activityID
            WHERE a.plantID = \(plantID)))
          """,
          "DELETE FROM activity AS a WHERE a.plantID = \(plantID) AND \(Self.isActivityPurgeable)",
          "DELETE FROM plant AS p WHERE p.publicID = ?2 AND \(Self.isPlantPurgeable)",
        ] { try database.execute(sql: sql, arguments: [Int64.max, plant.description]) }
      }
    }
  }

  /// Removes things without a trace, and whatever has their words.
  ///
  /// - Returns: whether there was anything to remove.
  private func forgetting(_ remove: () throws -> Void) throws -> Bool {
    let before = database.totalChangesCount
    try remove()
    if database.totalChangesCount > before {
      try rebuildTextIndexes()
      try place.set(.isForgetting, "true")
      // The history has the words as well.
      try history.removeAll()
    }
    try quotes.removeUnused()
    return database.totalChangesCount > before
  }

  /// Lets what was moved to the trash in the future, when the clock was wrong, have been moved there now. What was moved
  /// there together still has one time, and the rest others.
  package func restartTrash(now: Timestamp) throws {
    let tables = ["entry", "activity", "plant"]
    let times = try Int64.fetchAll(
      database,
      sql: tables.map { "SELECT deletedAt FROM \($0) WHERE deletedAt > ?1" }
        .joined(separator: " UNION ") + " ORDER BY 1", arguments: [now.milliseconds])
    for (time, restarted) in zip(times, now.milliseconds...) where time > restarted {
      for table in tables {
        try database.execute(
          sql: "UPDATE \(table) SET deletedAt = ? WHERE deletedAt = ?",
          arguments: [restarted, time])
      }
    }
  }

  /// Rebuilds the search indexes, which keep the words of deleted rows until they happen to be merged.
  package func rebuildTextIndexes() throws {
    for index in ["entryText", "plantText"] {
      try database.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('rebuild')")
    }
  }

  /// Deleted before a moment (`?1`), with no entries except those deleted before it as well.
  private static let isActivityPurgeable = """
    a.deletedAt < ?1 AND NOT EXISTS (SELECT 1 FROM completion c JOIN entry e ON e.id = c.entryID
      WHERE c.activityID = a.id AND (e.deletedAt IS NULL OR e.deletedAt >= ?1))
    """
  private static let isPlantPurgeable = """
    p.deletedAt < ?1
      AND NOT EXISTS (SELECT 1 FROM entry e
        WHERE e.plantID = p.id AND (e.deletedAt IS NULL OR e.deletedAt >= ?1))
      AND NOT EXISTS (SELECT 1 FROM activity a
        WHERE a.plantID = p.id AND (a.deletedAt IS NULL OR NOT (\(isActivityPurgeable))))
    """
}

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
    try purge { try $0.purge(deletedBefore: time) }
  }

  /// Removes some of what is in the trash, likewise.
  package func purge(entries: [EntryID], plants: [PlantID]) throws {
    try purge { try $0.purge(entries: entries, plants: plants) }
  }

  private func purge(_ remove: (CatalogTables) throws -> Bool) throws {
    try commit { tables, _ in
      let isDropped = try remove(tables)
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
      ["completion", "favouriteQuote", "dayQuote", "quote", "activity", "factorValue", "factor"]
      + (scope == .everything ? ["rendition", "blob", "trashedBlob", "entry", "plant"] : [])
    for table in tables { try database.execute(sql: "DELETE FROM \(table)") }
    try rebuildTextIndexes()
  }
}
