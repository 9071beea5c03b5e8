internal import DiaryModel
package import Foundation
internal import GRDB

extension Catalog {
  /// Sets the library's zone, and places every entry anew of whose time that zone is a part.
  package func setTimeZone(_ zone: TimeZone) throws {
    try write { database in
      // Two of one activity must not meet on their way from day to day.
      try database.execute(
        sql: """
          UPDATE completion SET day = NULL
          WHERE entryID IN (SELECT id FROM entry WHERE timeBasis = 'instant')
          """)
      try Self.place("entry", key: ["id"], in: zone, database)
      try database.execute(
        sql: """
          UPDATE completion SET day = e.localDay FROM entry e
          WHERE e.id = entryID AND e.timeBasis = 'instant' AND e.deletedAt IS NULL
          """)
      // What entries were before a change comes back as it would stand now.
      try Self.place("changedEntry", key: ["changeID", "entryID"], in: zone, database)
      try Self.set(.timeZone, zone.identifier, database)
    }
  }

  /// Places the times of a table anew that the zone is a part of.
  private static func place(
    _ table: String, key: [String], in zone: TimeZone, _ database: Database
  ) throws {
    let columns = key.joined(separator: ", ")
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT occurredAt, utcOffset, timeBasis, \(columns) FROM \(table)
        WHERE timeBasis <> 'zoned'
        """)
    var moved: [(row: Row, time: EntryTime)] = []
    while let row = try rows.next() {
      guard let offset = UTCOffset(seconds: row["utcOffset"]) else { continue }
      let before = EntryTime(
        instant: Timestamp(milliseconds: row["occurredAt"]), offset: offset,
        basis: try database.known(row["timeBasis"]))
      let after = EntryTime(before.recorded, in: zone)
      if after != before { moved.append((row.copy(), after)) }
    }
    let condition = key.map { "\($0) = ?" }.joined(separator: " AND ")
    let update = try database.cachedStatement(
      sql: """
        UPDATE \(table) SET occurredAt = ?, utcOffset = ?, localDay = ? WHERE \(condition)
        """)
    for (row, time) in moved {
      let values: [any DatabaseValueConvertible] =
        [time.instant.milliseconds, time.offset.seconds, time.localDay.description]
        + key.map { row[$0] as Int64 }
      try update.execute(arguments: StatementArguments(values))
    }
  }
}
