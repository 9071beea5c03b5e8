internal import DiaryModel
internal import GRDB

/// Rows and columns derived from others: the rows of tags, which are in no changeset, and the words of
/// completions, which are those of their activity.
struct DerivedRows {
  let tables: CatalogTables

  /// Rebuilds the rows of tags for the entries that a changeset has touched.
  func retag(_ changeset: Changeset, isInverted: Bool = false) throws {
    let column = try Self.column("tags", tables.database)
    let find = try tables.database.cachedStatement(sql: "SELECT tags FROM entry WHERE id = ?")
    try changeset.forEach(isInverted: isInverted) { row in
      guard row.operation != .delete, row.table == "entry", let id = row.key.values.first?.integer,
        let tags = row.new(column), row.operation == .update || tags != .null,
        let present = try Row.fetchOne(find, arguments: [id])
      else { return }
      try tables.tags.set((present[0] as String?).map(TagText.tags) ?? [], of: id)
    }
  }

  /// Updates the words of completions from their activities, where a changeset has touched either. Frames do
  /// not need it: they have the words of each commit.
  func reword(_ changeset: Changeset, isInverted: Bool = false) throws {
    let activity = try Self.column("activityID", of: "completion", tables.database)
    var activities: Set<Int64> = []
    try changeset.forEach(isInverted: isInverted) { row in
      guard row.operation != .delete else { return }
      if row.table == "activity", let id = row.key.values.first?.integer { activities.insert(id) }
      if row.table == "completion", let id = row.new(activity)?.integer { activities.insert(id) }
    }
    for activity in activities { try tables.completions.reword(ofActivity: activity) }
  }

  /// Whether a conflicting row may be overruled: it is a completion's entry, of which nothing has changed since
  /// but the words, as its activity was renamed.
  static func isOnlyReworded(_ database: Database) throws -> (Changeset.RowChange) -> Bool {
    let (words, kind) = (try column("words", database), try column("kind", database))
    return { row in
      row.table == "entry" && row.present(kind) == .text(EntryKind.completion.rawValue)
        && row.isUntouched(butFor: words)
    }
  }

  private static func column(
    _ name: String, of table: String = "entry", _ database: Database
  ) throws -> Int {
    guard let column = try database.columns(in: table).firstIndex(where: { $0.name == name }) else {
      throw CatalogError(.damaged, "The catalog's table \(table) has no \(name).")
    }
    return column
  }
}
