package import DiaryModel
internal import GRDB

/// The owner of `mood`.
package struct MoodTable: ContentTable {
  static let (kind, name) = (EntryKind.mood, "mood")
  let database: Database

  func contents(of entries: RowList) throws -> [Int64: EntryContent] {
    try contents("SELECT * FROM mood WHERE entryID", of: entries) {
      .mood(try Mood(stored: $0["mood"]))
    }
  }

  func set(_ mood: Mood, ofEntry row: Int64) throws {
    try replace(["entryID": row, "mood": mood.rawValue])
  }

  /// How many days of a span have each mood.
  package func counts(from first: LocalDay?, to last: LocalDay?) throws -> [Mood: Int] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT m.mood, count(*) FROM entry e JOIN mood m ON m.entryID = e.id
        WHERE e.kind = 'mood' AND e.deletedAt IS NULL AND e.localDay BETWEEN ? AND ?
        GROUP BY m.mood
        """,
      arguments: [first?.description ?? "0000-00-00", last?.description ?? "9999-99-99"])
    return try rows.reduce(into: [:]) { try $0[Mood(stored: $1[0])] = $1[1] }
  }
}
