package import DiaryModel
internal import GRDB

/// The owner of `entryTag`, the index of entries by tag, and of the column of `entry` from which it is
/// derived.
package struct TagTable: CatalogTable {
  let database: Database

  /// The tags of entries that are not in the trash, the most frequent first.
  package func all() throws -> [Tag] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT count(*) AS count, max(t.localDay) AS lastDay,
          (SELECT x.tag FROM entryTag x WHERE x.foldedTag = t.foldedTag AND x.isDeleted = 0
            ORDER BY x.localDay DESC, x.occurredAt DESC, x.seq DESC LIMIT 1) AS tag
        FROM entryTag t WHERE t.isDeleted = 0
        GROUP BY t.foldedTag ORDER BY count DESC, t.foldedTag
        """
    ).map { row in
      Tag(name: row["tag"], count: row["count"], lastDay: try LocalDay(stored: row["lastDay"]))
    }
  }

  /// Renames a tag in all entries, including those in the trash.
  ///
  /// - Returns: the number of entries changed; nil when no entry has the tag.
  package func rename(_ tag: String, to name: String, now: Timestamp) throws -> Int? {
    let ids = try String.fetchAll(
      database,
      sql: """
        SELECT e.publicID FROM entryTag t JOIN entry e ON e.id = t.entryID WHERE t.foldedTag = ?
        """, arguments: [foldedName(tag)])
    guard !ids.isEmpty else { return nil }
    return try ids.filter { id in
      var edit = EntryEdit(EntryID(stored: id))
      edit.tags = { $0.map { foldedName($0) == foldedName(tag) ? name : $0 } }
      return try tables.entries.apply(edit, now: now)
    }.count
  }

  /// Whether the index has the tags of all entries, and no others.
  var isComplete: Bool {
    get throws {
      let find = try database.cachedStatement(
        sql: """
          SELECT t.tag FROM entryTag t JOIN entry e ON e.id = t.entryID
          WHERE t.entryID = ? AND t.foldedTag = ? AND t.isDeleted = (e.deletedAt IS NOT NULL)
            AND t.localDay = e.localDay AND t.occurredAt = e.occurredAt AND t.seq = e.seq
          """)
      var count = 0
      let entries = try Row.fetchCursor(
        database, sql: "SELECT id, tags FROM entry WHERE tags IS NOT NULL")
      while let entry = try entries.next() {
        for tag in TagText.tags(entry[1]) {
          let found = try String.fetchOne(find, arguments: [entry[0] as Int64, foldedName(tag)])
          guard found == tag else { return false }
          count += 1
        }
      }
      return try Int.fetchOne(database, sql: "SELECT count(*) FROM entryTag") == count
    }
  }

  /// Sets the tags of the entry in a row.
  func set(_ tags: [String], of row: Int64) throws {
    try database.cachedStatement(sql: "UPDATE entry SET tags = ? WHERE id = ?")
      .execute(arguments: [TagText.column(tags), row])
    try database.cachedStatement(sql: "DELETE FROM entryTag WHERE entryID = ?")
      .execute(arguments: [row])
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO entryTag (foldedTag, isDeleted, localDay, occurredAt, seq, entryID, tag)
        SELECT ?, deletedAt IS NOT NULL, localDay, occurredAt, seq, id, ? FROM entry WHERE id = ?
        """)
    for tag in tags { try insert.execute(arguments: [foldedName(tag), tag, row]) }
  }
}

/// Tags as the column of `entry` stores them: one per line.
enum TagText {
  static func tags(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// NULL without tags.
  static func column(_ tags: [String]) -> String? {
    tags.isEmpty ? nil : tags.joined(separator: "\n")
  }
}
