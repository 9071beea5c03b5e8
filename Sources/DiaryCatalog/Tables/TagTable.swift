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

  /// Whether the index has the tags of all entries, and no others. Both are read once, in their own order, and compared by
  /// the sum of what their rows say.
  var isComplete: Bool {
    get throws {
      var (wanted, present) = (0, 0)
      var folded: [String: String] = [:]
      let entries = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, seq, occurredAt, localDay, deletedAt IS NOT NULL, tags FROM entry WHERE tags IS NOT NULL
          """)
      while let entry = try entries.next() {
        for tag in TagText.tags(entry[5]) {
          let name = folded[tag] ?? foldedName(tag)
          folded[tag] = name
          wanted &+= Self.hash(entry, tag, name)
        }
      }
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT entryID, seq, occurredAt, localDay, isDeleted, tag, foldedTag FROM entryTag")
      while let row = try rows.next() {
        present &+= Self.hash(row, row[5] as String? ?? "", row[6] as String? ?? "")
      }
      return wanted == present
    }
  }

  private static func hash(_ row: Row, _ tag: String, _ foldedTag: String) -> Int {
    var hasher = Hasher()
    // In a damaged row, a value may have any type.
    for column in 0..<5 { hasher.combine(row[column] as DatabaseValue) }
    for var text in [tag, foldedTag] {
      // By their bytes, as strings that are canonically equivalent are equal in Swift.
      hasher.combine(text.utf8.count)
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
    return hasher.finalize()
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
