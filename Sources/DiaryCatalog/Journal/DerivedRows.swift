internal import DiaryModel
internal import GRDB

/// Rows that are made from others: those of tags, which no changeset has, and the words of completions,
/// which are those of their activity.
struct DerivedRows {
  let tables: CatalogTables

  /// Makes them again for the rows that a changeset has touched.
  func follow(_ changeset: Changeset, isInverted: Bool = false) throws {
    let column = try tables.database.columns(in: "entry").firstIndex { $0.name == "tags" } ?? 0
    let find = try tables.database.cachedStatement(sql: "SELECT tags FROM entry WHERE id = ?")
    var renamed: Set<Int64> = []
    try changeset.forEach(isInverted: isInverted) { row in
      guard row.operation != .delete, let id = row.key.values.first?.integer else { return }
      if row.table == "activity" { renamed.insert(id) }
      guard row.table == "entry", let tags = row.new(column),
        row.operation == .update || tags != .null,
        let present = try Row.fetchOne(find, arguments: [id])
      else { return }
      try tables.tags.set((present[0] as String?).map(TagText.tags) ?? [], of: id)
    }
    for activity in renamed { try tables.completions.reword(ofActivity: activity) }
  }
}
