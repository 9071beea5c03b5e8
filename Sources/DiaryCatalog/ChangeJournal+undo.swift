package import DiaryModel
internal import Foundation
internal import GRDB

/// Taking changes back.
extension Catalog {
  /// Takes back the last change of a kind: every row that it touched is as it was before.
  ///
  /// - Returns: the entries it had touched, as they are again. Nil when there is no such change.
  /// - Throws: `CatalogError` with code `conflict` when something of it was changed since.
  package func undo(_ kind: ChangeKind) throws -> [Entry]? {
    try write { database in
      guard
        let change = try Row.fetchOne(
          database,
          sql: "SELECT id, madeAt FROM change WHERE kind = ? ORDER BY id DESC LIMIT 1",
          arguments: [kind.rawValue])
      else { return nil }
      let id: Int64 = change["id"]
      try Self.checkUntouched(since: change, database)
      try Self.checkNotDone(madeBy: id, database)
      do {
        for sql in Self.restoring { try database.execute(sql: sql, arguments: [id]) }
        try Self.restoreContents(id, database)
        try Self.restoreTags(id, database)
        try Self.settleActivities(changedBy: id, database)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        let (code, obstacle) = Self.obstacle(error)
        throw CatalogError(
          code, "The last `\(kind.rawValue)` cannot be undone: \(obstacle). Nothing was undone.")
      }
      let entries = try database.entries(
        EntrySelection.sql
          + " JOIN changedEntry c ON c.entryID = e.id AND c.changeID = ? ORDER BY e.occurredAt, e.seq",
        [id])
      try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [id])
      return entries
    }
  }

  /// What of the other kinds is not in the row of the entry.
  private static func restoreContents(_ change: Int64, _ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT entryID, content FROM changedEntry WHERE changeID = ? AND content IS NOT NULL",
      arguments: [change])
    for row in rows {
      let text: String = row["content"]
      let content = try JSONDecoder().decode(ContentText.self, from: Data(text.utf8)).content
      let entry: Int64 = row["entryID"]
      let former: Int64? = try Int64.fetchOne(
        database, sql: "SELECT updatedAt FROM entry WHERE id = ?", arguments: [entry])
      try database.store(content, entry, now: Timestamp(milliseconds: former ?? 0))
      // An activity may be called otherwise by now than when its completion was kept.
      try database.setWords(database.content(of: content.kind, entry).searchWords, of: entry)
    }
    try database.forgetUnusedQuotes()
  }

  private static func restoreTags(_ change: Int64, _ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT e.id, c.tags FROM changedEntry c JOIN entry e ON e.id = c.entryID
        WHERE c.changeID = ? AND c.tags IS NOT e.tags
        """, arguments: [change])
    for row in rows {
      try database.setTags((row["tags"] as String?).map(TagText.tags) ?? [], of: row["id"])
    }
  }

  /// What is in the way of rows as they were.
  static func obstacle(_ error: DatabaseError) -> (CatalogError.Code, String) {
    let message = error.message ?? ""
    for noun in ["plant", "activity"] where message.contains("\(noun).foldedName") {
      return (.nameTaken, "another \(noun) has the name by now; rename that one first")
    }
    if message.contains("FOREIGN KEY") { return (.conflict, "it is in use by now") }
    if message.contains("entry.localDay") { return (.conflict, "its day has another one by now") }
    if message.contains("completion.day") {
      return (.conflict, "it was done again on the same day by now")
    }
    return (.conflict, message)
  }

  private static let restoring = [
    "DELETE FROM entry WHERE id IN (SELECT entryID FROM madeEntry WHERE changeID = ?)",
    """
    DELETE FROM activity WHERE id IN
      (SELECT activityID FROM changedActivity WHERE changeID = ? AND before IS NULL)
    """,
    "DELETE FROM dayQuote WHERE day IN (SELECT day FROM madeDayQuote WHERE changeID = ?)",
    "DELETE FROM quote WHERE id IN (SELECT quoteID FROM madeQuote WHERE changeID = ?)",
    "DELETE FROM plant WHERE id IN (SELECT plantID FROM madePlant WHERE changeID = ?)",
    // One that was set to something else since is somebody's wish.
    """
    DELETE FROM setting
    WHERE (key, value) IN (SELECT key, value FROM madeSetting WHERE changeID = ?)
    """,
    """
    UPDATE activity SET name = c.before ->> 'name', foldedName = c.before ->> 'foldedName',
      emoji = c.before ->> 'emoji', category = c.before ->> 'category',
      startFrom = c.before ->> 'startFrom', plantID = c.before ->> 'plantID',
      notes = c.before ->> 'notes', everyDays = c.before ->> 'everyDays',
      weeklyGoal = c.before ->> 'weeklyGoal', monthlyGoal = c.before ->> 'monthlyGoal',
      iconName = c.before ->> 'iconName', rank = c.before ->> 'rank',
      updatedAt = c.before ->> 'updatedAt', deletedAt = c.before ->> 'deletedAt'
    FROM changedActivity c WHERE c.changeID = ? AND c.activityID = activity.id
    """,
    """
    UPDATE entry SET occurredAt = c.occurredAt, utcOffset = c.utcOffset, timeBasis = c.timeBasis,
      localDay = c.localDay, plantID = c.plantID, notes = c.notes, isFavourite = c.isFavourite,
      updatedAt = c.updatedAt, deletedAt = c.deletedAt
    FROM changedEntry c WHERE c.changeID = ? AND c.entryID = entry.id
    """,
    """
    UPDATE photo SET captureSource = c.captureSource
    FROM changedEntry c WHERE c.changeID = ? AND c.entryID = photo.entryID
    """,
    """
    UPDATE plant SET name = c.name, foldedName = c.foldedName, scientificName = c.scientificName,
      location = c.location, notes = c.notes, updatedAt = c.updatedAt, deletedAt = c.deletedAt
    FROM changedPlant c WHERE c.changeID = ? AND c.plantID = plant.id
    """,
  ]

  private static func checkUntouched(since change: Row, _ database: Database) throws {
    let (id, madeAt): (Int64, Int64) = (change["id"], change["madeAt"])
    let touched = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM (
          SELECT 1 FROM changedEntry c JOIN entry e ON e.id = c.entryID
            WHERE c.changeID = ?1 AND e.updatedAt <> ?2
          UNION ALL SELECT 1 FROM madeEntry c JOIN entry e ON e.id = c.entryID
            WHERE c.changeID = ?1 AND e.updatedAt <> ?2
          UNION ALL SELECT 1 FROM changedPlant c JOIN plant p ON p.id = c.plantID
            WHERE c.changeID = ?1 AND p.updatedAt <> ?2
          UNION ALL SELECT 1 FROM madePlant c JOIN plant p ON p.id = c.plantID
            WHERE c.changeID = ?1 AND p.updatedAt <> ?2
          UNION ALL SELECT 1 FROM changedActivity c JOIN activity a ON a.id = c.activityID
            WHERE c.changeID = ?1 AND a.updatedAt <> ?2
          -- They would come back to a plant that is gone.
          UNION ALL SELECT 1 FROM changedEntry c JOIN plant p ON p.id = c.plantID
            WHERE c.changeID = ?1 AND c.deletedAt IS NULL AND p.deletedAt IS NOT NULL
              AND p.id NOT IN (SELECT plantID FROM changedPlant WHERE changeID = ?1))
        """, arguments: [id, madeAt])
    guard let touched, touched > 0 else { return }
    let later = try String.fetchOne(
      database,
      sql: """
        SELECT kind FROM change WHERE id > ?1 AND id IN (
          SELECT changeID FROM changedEntry WHERE entryID IN
            (SELECT entryID FROM changedEntry WHERE changeID = ?1
              UNION SELECT entryID FROM madeEntry WHERE changeID = ?1)
          UNION SELECT changeID FROM changedPlant WHERE plantID IN
            (SELECT plantID FROM changedPlant WHERE changeID = ?1
              UNION SELECT plantID FROM madePlant WHERE changeID = ?1
              UNION SELECT plantID FROM changedEntry WHERE changeID = ?1)
          UNION SELECT changeID FROM changedActivity WHERE activityID IN
            (SELECT activityID FROM changedActivity WHERE changeID = ?1))
        ORDER BY id DESC LIMIT 1
        """, arguments: [id])
    let what = later.map { "by `\($0)`; undo that first" } ?? "by an import"
    throw CatalogError(
      .conflict, "What this change touched was changed again later, \(what). Nothing was undone."
    )
  }
}
