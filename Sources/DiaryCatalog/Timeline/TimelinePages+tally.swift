package import DiaryModel
internal import GRDB

/// Counting entries by day, and reading stacks and the entries outside them.
extension TimelinePages {
  /// The number of entries per day, newest day first.
  package func tally(_ query: TimelineQuery) throws -> [DayTally] {
    let filter = TimelineFilter(query)
    let sql = """
      SELECT e.localDay, e.isPhoto, p.publicID, sum(e.count) FROM (
        SELECT e.localDay, e.kind = 'photo' AS isPhoto,
          CASE e.kind WHEN 'photo' THEN e.plantID END AS plantID, count(*) AS count
        FROM \(filter.source) WHERE \(filter.condition) GROUP BY e.localDay, e.kind, e.plantID
      ) e LEFT JOIN plant p ON p.id = e.plantID
      GROUP BY e.localDay, e.isPhoto, e.plantID ORDER BY e.localDay DESC, e.isPhoto, p.publicID
      """
    return try Row.fetchAll(database, sql: sql, arguments: filter.arguments).map { row in
      DayTally(
        day: try LocalDay(stored: row[0]), plant: (row[2] as String?).map(PlantID.init(stored:)),
        isPhoto: row[1], count: row[3])
    }
  }

  /// The entries of a query that are in none of these stacks, newest first, at most `limit`.
  package func entries(
    _ query: TimelineQuery, outside stacks: [PhotoStack], limit: Int
  ) throws -> [Entry] {
    let values = stacks.map { _ in "(?, (SELECT id FROM plant WHERE publicID = ?))" }
    let condition =
      stacks.isEmpty
      ? nil
      : "NOT (e.kind = 'photo' AND e.plantID IS NOT NULL AND (e.localDay, e.plantID) IN "
        + "(VALUES \(values.joined(separator: ", "))))"
    let arguments = stacks.flatMap { [$0.day.description, $0.plant.description] }
    return try page(
      query, at: .start, limit: limit, where: condition, StatementArguments(arguments)
    ).elements
  }

  /// The latest photo of each stack that has one.
  package func latest(of stacks: [PhotoStack]) throws -> [PhotoStack: Entry] {
    var latest: [PhotoStack: Entry] = [:]
    for stack in stacks {
      let query = TimelineQuery(
        plant: stack.plant, kinds: [.photo], firstDay: stack.day, lastDay: stack.day)
      latest[stack] = try page(query, at: .start, limit: 1).elements.first
    }
    return latest
  }
}
