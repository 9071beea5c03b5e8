internal import DiaryModel
internal import Foundation
internal import GRDB

extension EntryTable {
  /// Places the entries that were recorded as instants anew. All others were recorded with a day, and stay on it.
  func move(to zone: TimeZone) throws {
    // Two completions of an activity must not collide while their days change.
    try database.execute(
      sql: """
        UPDATE completion SET day = NULL
        WHERE entryID IN (SELECT id FROM entry WHERE timeBasis = 'instant')
        """)
    let update = try database.cachedStatement(
      sql: "UPDATE entry SET utcOffset = ?, localDay = ? WHERE id = ?")
    for (id, time) in try moved(to: zone) {
      try update.execute(arguments: [time.offset.seconds, time.localDay.description, id])
    }
    try database.execute(
      sql: """
        UPDATE completion SET day = e.localDay FROM entry e
        WHERE e.id = entryID AND e.timeBasis = 'instant' AND e.deletedAt IS NULL
        """)
  }

  private func moved(to zone: TimeZone) throws -> [(id: Int64, time: EntryTime)] {
    let dayEnd = try tables.settings.dayEnd
    let rows = try Row.fetchCursor(
      database, sql: "SELECT id, occurredAt, utcOffset FROM entry WHERE timeBasis = 'instant'")
    var moved: [(id: Int64, time: EntryTime)] = []
    while let row = try rows.next() {
      let instant = Timestamp(milliseconds: row["occurredAt"])
      let after = EntryTime(.instant(instant), in: zone, dayEnd: dayEnd)
      if after.offset.seconds != row["utcOffset"] { moved.append((row["id"], after)) }
    }
    return moved
  }
}
