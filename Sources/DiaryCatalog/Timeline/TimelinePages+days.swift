package import DiaryModel
internal import GRDB

/// The photos of a day.
package struct DayPhotos: Sendable {
  package let day: LocalDay
  package let count: Int
  /// The last few of them, latest first.
  package let latest: [Entry]
}

/// The entries of single days. Each query uses the index by day; the plus keeps the planner from
/// scanning the index by time for the sake of the order.
extension TimelinePages {
  /// The entries of a day except its photos, latest first.
  package func diaryEntries(on day: LocalDay) throws -> [Entry] {
    try tables.entries.fetch(
      EntrySelection.sql + """
         WHERE e.localDay = ? AND e.kind IN (\(Self.diaryKinds)) AND e.deletedAt IS NULL
        ORDER BY +e.occurredAt DESC, e.seq DESC
        """, [day.description])
  }

  private static let diaryKinds = EntryKind.allCases.filter { $0 != .photo }
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// The number of a day's photos, and the last few of them.
  package func photos(on day: LocalDay, limit: Int) throws -> DayPhotos {
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM entry
        WHERE localDay = ? AND kind = 'photo' AND deletedAt IS NULL
        """, arguments: [day.description])
    let latest = try tables.entries.fetch(
      EntrySelection.sql + """
         WHERE e.localDay = ? AND e.kind = 'photo' AND e.deletedAt IS NULL
        ORDER BY +e.occurredAt DESC, e.seq DESC LIMIT ?
        """, [day.description, limit])
    return DayPhotos(day: day, count: count ?? 0, latest: latest)
  }

  /// The first day that has an entry; nil without entries.
  package func firstDay() throws -> LocalDay? {
    try String.fetchOne(
      database, sql: "SELECT min(localDay) FROM entry WHERE deletedAt IS NULL"
    ).map(LocalDay.init(stored:))
  }
}
