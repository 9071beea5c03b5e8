internal import DiaryModel
package import Foundation
internal import GRDB

extension Catalog {
  /// Sets the library's zone, and places every entry anew of whose time that zone is a part.
  package func setTimeZone(_ zone: TimeZone) throws {
    try write { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, occurredAt, utcOffset, timeBasis FROM entry WHERE timeBasis <> 'zoned'
          """)
      var moved: [(row: Int64, time: EntryTime)] = []
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
      for (row, time) in moved {
        try update.execute(arguments: [
          time.instant.milliseconds, time.offset.seconds, time.localDay.description, row,
        ])
      }
      try Self.set(.timeZone, zone.identifier, database)
    }
  }
}
