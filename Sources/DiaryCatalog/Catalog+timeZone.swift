package import DiaryModel
package import Foundation
internal import GRDB

extension Catalog {
  /// Sets the library's zone, and places every entry anew of whose time that zone is a part.
  package func setTimeZone(_ zone: TimeZone, now: Timestamp) throws {
    try change(.settings, now: now) { database, _ in
      // Two of one activity must not meet on their way from day to day.
      try database.execute(
        sql: """
          UPDATE completion SET day = NULL
          WHERE entryID IN (SELECT id FROM entry WHERE timeBasis = 'instant')
          """)
      try Self.placeEntries(in: zone, database)
      try database.execute(
        sql: """
          UPDATE completion SET day = e.localDay FROM entry e
          WHERE e.id = entryID AND e.timeBasis = 'instant' AND e.deletedAt IS NULL
          """)
      try Self.set(.timeZone, zone.identifier, database)
    }
  }

  /// Places the times of entries anew that the zone is a part of.
  private static func placeEntries(in zone: TimeZone, _ database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT id, occurredAt, utcOffset, timeBasis FROM entry WHERE timeBasis <> 'zoned'")
    var moved: [(id: Int64, time: EntryTime)] = []
    while let row = try rows.next() {
      guard let offset = UTCOffset(seconds: row["utcOffset"]) else { continue }
      let before = EntryTime(
        instant: Timestamp(milliseconds: row["occurredAt"]), offset: offset,
        basis: try database.known(row["timeBasis"]))
      let after = EntryTime(before.recorded, in: zone)
      if after != before { moved.append((row["id"], after)) }
    }
    let update = try database.cachedStatement(
      sql: "UPDATE entry SET occurredAt = ?, utcOffset = ?, localDay = ? WHERE id = ?")
    for (id, time) in moved {
      try update.execute(arguments: [
        time.instant.milliseconds, time.offset.seconds, time.localDay.description, id,
      ])
    }
  }
}
