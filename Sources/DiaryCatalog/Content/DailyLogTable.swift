package import DiaryModel
internal import Fields
internal import GRDB

/// The owner of `dailyLog`.
package struct DailyLogTable: ContentTable {
  static let (kind, name) = (EntryKind.dailyLog, "dailyLog")
  let database: Database

  func contents(of entries: RowList) throws -> [Int64: EntryContent] {
    let values = try tables.factorValues.values(of: entries)
    return try contents("SELECT * FROM dailyLog WHERE entryID", of: entries) { found in
      .dailyLog(try log(found, values))
    }
  }

  private func log(_ row: Row, _ values: [Int64: FactorValues]) throws -> DailyLog {
    var log = try DailyLog.fields.thing(in: row, from: .blank)
    log.factors = values[row["entryID"]] ?? FactorValues()
    return log
  }

  func set(_ log: DailyLog, ofEntry row: Int64) throws {
    try put(row, DailyLog.fields.columns(of: log))
    try tables.factorValues.set(log.factors, ofEntry: row)
  }

  /// The logs of a span by day.
  package func all(in days: ClosedRange<LocalDay>) throws -> [LocalDay: DailyLog] {
    let values = try tables.factorValues.values(in: days)
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT e.localDay, d.* FROM entry e CROSS JOIN dailyLog d ON d.entryID = e.id
          WHERE \(EntrySpan.condition)
          """), arguments: EntrySpan(kind: .dailyLog, days: days).arguments)
    var logs: [LocalDay: DailyLog] = [:]
    while let row = try rows.next() {
      logs[try LocalDay(stored: row[0])] = try log(row, values)
    }
    return logs
  }

  /// The number of consecutive days with a log up to a day or, while it has none, up to the day before.
  package func streak(upTo day: LocalDay) throws -> Int {
    let days = try String.fetchCursor(
      database,
      // The condition of the partial index on once-a-day kinds is repeated, as that index alone answers the query.
      sql: """
        SELECT localDay FROM entry
        WHERE kind = 'dailyLog' AND kind IN ('dailyLog', 'mood') AND deletedAt IS NULL
          AND localDay <= ? ORDER BY localDay DESC
        """, arguments: [day.description])
    var count = 0
    var earliest = day.advanced(by: -1)
    while let next = try days.next().map(LocalDay.init(stored:)), next >= earliest {
      count += 1
      earliest = next.advanced(by: -1)
    }
    return count
  }
}

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
    try put(row, [("mood", mood.rawValue.databaseValue)])
  }

  /// The moods of a span by day.
  package func all(in days: ClosedRange<LocalDay>) throws -> [LocalDay: Mood] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT e.localDay, m.mood FROM entry e CROSS JOIN mood m ON m.entryID = e.id
        WHERE \(EntrySpan.condition)
        """, arguments: EntrySpan(kind: .mood, days: days).arguments)
    return try rows.reduce(into: [:]) {
      $0[try LocalDay(stored: $1[0])] = try Mood(stored: $1[1])
    }
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
