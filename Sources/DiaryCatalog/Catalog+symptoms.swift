package import DiaryModel
internal import GRDB

extension Catalog {
  /// The names of symptoms on the timeline that begin so, the most likely first: each time counts for
  /// half as much every thirty days.
  package func symptomNames(
    startingWith prefix: String, today: LocalDay
  ) throws -> [(name: String, count: Int, lastDay: LocalDay)] {
    try readOnce { database in
      let folded = foldedName(prefix)
      let rows = try Row.fetchAll(
        database,
        // The name is that of the row which has the last day (sqlite.org/lang_select.html, bare columns).
        sql: """
          SELECT s.name, count(*) AS count, max(e.localDay) AS lastDay,
            sum(pow(0.5, (julianday(?) - julianday(e.localDay)) / 30)) AS weight
          FROM symptom s JOIN entry e ON e.id = s.entryID
          WHERE e.deletedAt IS NULL AND substr(s.foldedName, 1, length(?)) = ?
          GROUP BY s.foldedName ORDER BY weight DESC, s.foldedName
          """, arguments: [today.description, folded, folded])
      return try rows.map { ($0["name"], $0["count"], try database.day($0["lastDay"])) }
    }
  }

  /// A page of the symptoms of one name, whatever its case.
  package func symptoms(
    named name: String, _ query: TimelineQuery, at position: TimelinePosition, limit: Int
  ) throws -> Page<Entry> {
    try page(
      query, at: position, limit: limit,
      where: "e.id IN (SELECT entryID FROM symptom WHERE foldedName = ?)", [foldedName(name)])
  }
}
