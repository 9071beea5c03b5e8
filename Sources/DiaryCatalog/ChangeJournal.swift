package import DiaryModel
internal import GRDB

/// Keeps rows as they were before a change, so that it can be taken back.
///
/// A change is one transaction. Everything that it touches gets its time as `updatedAt`, and no two
/// changes have the same time: what has another one was touched again since, and the change cannot be
/// taken back before that.
struct ChangeJournal {
  let kind: ChangeKind
  /// What changed rows are stamped with.
  let madeAt: Timestamp
  private let database: Database
  private var id: Int64?

  init(_ kind: ChangeKind, now: Timestamp, _ database: Database) throws {
    self.kind = kind
    self.database = database
    let last = try Int64.fetchOne(database, sql: "SELECT max(madeAt) FROM change")
    madeAt = max(now, Timestamp(milliseconds: (last ?? .min) &+ (last == nil ? 0 : 1)))
  }

  /// Keeps the entry's row as it is now.
  mutating func keep(entry row: Int64) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO changedEntry (changeID, entryID, occurredAt, utcOffset, timeBasis,
          localDay, plantID, notes, updatedAt, deletedAt, captureSource)
        SELECT ?, e.id, e.occurredAt, e.utcOffset, e.timeBasis, e.localDay, e.plantID, e.notes,
          e.updatedAt, e.deletedAt, p.captureSource
        FROM entry e LEFT JOIN photo p ON p.entryID = e.id WHERE e.id = ?
        """
    ).execute(arguments: [begin(), row])
  }

  /// Keeps the plant's row as it is now.
  mutating func keep(plant row: Int64) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO changedPlant (changeID, plantID, name, foldedName, scientificName,
          location, notes, updatedAt, deletedAt)
        SELECT ?, id, name, foldedName, scientificName, location, notes, updatedAt, deletedAt
        FROM plant WHERE id = ?
        """
    ).execute(arguments: [begin(), row])
  }

  /// A change that changes nothing is none.
  private mutating func begin() throws -> Int64 {
    if let id { return id }
    try database.execute(
      sql: "INSERT INTO change (kind, madeAt) VALUES (?, ?)",
      arguments: [kind.rawValue, madeAt.milliseconds])
    let made = database.lastInsertedRowID
    id = made
    return made
  }
}

extension Catalog {
  /// One transaction whose changes can be taken back.
  func change<Value>(
    _ kind: ChangeKind, now: Timestamp, _ body: (Database, inout ChangeJournal) throws -> Value
  ) throws -> Value {
    try write { database in
      var journal = try ChangeJournal(kind, now: now, database)
      return try body(database, &journal)
    }
  }

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
      do {
        for sql in Self.restoring { try database.execute(sql: sql, arguments: [id]) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw CatalogError(
          .nameTaken,
          "The last `\(kind.rawValue)` cannot be undone: another plant has the name by now. Rename "
            + "that one first.")
      }
      let entries = try database.entries(
        EntrySelection.sql
          + " JOIN changedEntry c ON c.entryID = e.id AND c.changeID = ? ORDER BY e.occurredAt, e.seq",
        [id])
      try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [id])
      return entries
    }
  }

  private static let restoring = [
    """
    UPDATE entry SET occurredAt = c.occurredAt, utcOffset = c.utcOffset, timeBasis = c.timeBasis,
      localDay = c.localDay, plantID = c.plantID, notes = c.notes, updatedAt = c.updatedAt,
      deletedAt = c.deletedAt
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
          UNION ALL SELECT 1 FROM changedPlant c JOIN plant p ON p.id = c.plantID
            WHERE c.changeID = ?1 AND p.updatedAt <> ?2)
        """, arguments: [id, madeAt])
    guard let touched, touched > 0 else { return }
    let later = try String.fetchOne(
      database,
      sql: """
        SELECT kind FROM change WHERE id > ?1 AND id IN (
          SELECT changeID FROM changedEntry WHERE entryID IN
            (SELECT entryID FROM changedEntry WHERE changeID = ?1)
          UNION SELECT changeID FROM changedPlant WHERE plantID IN
            (SELECT plantID FROM changedPlant WHERE changeID = ?1))
        ORDER BY id DESC LIMIT 1
        """, arguments: [id])
    let what = later.map { "by `\($0)`; undo that first" } ?? "by an import"
    throw CatalogError(
      .conflict, "Some of what it had changed was changed again since, \(what). Nothing was undone."
    )
  }
}
