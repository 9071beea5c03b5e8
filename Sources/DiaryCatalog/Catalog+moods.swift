package import DiaryModel
internal import GRDB

extension Catalog {
  /// How many days of a span have each mood.
  package func moodCounts(from first: LocalDay?, to last: LocalDay?) throws -> [Mood: Int] {
    try readOnce { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT m.mood, count(*) FROM entry e JOIN mood m ON m.entryID = e.id
          WHERE e.kind = 'mood' AND e.deletedAt IS NULL AND e.localDay BETWEEN ? AND ?
          GROUP BY m.mood
          """,
        arguments: [
          first?.description ?? "0000-00-00", last?.description ?? "9999-99-99",
        ])
      return try rows.reduce(into: [:]) { $0[try database.known($1[0])] = $1[1] }
    }
  }
}
