internal import DiaryModel
internal import Foundation
internal import GRDB

extension EntryTable {
  /// Recomputes the times of entries that depend on the library's zone.
  func move(to zone: TimeZone) throws {
    // Two completions of an activity must not collide while their days change.
    try database.execute(
      sql: """
        UPDATE completion SET day = NULL
        WHERE entryID IN (SELECT id FROM entry WHERE timeBasis = 'instant')
        """)
    let update = try database.cachedStatement(
      sql: "UPDATE entry SET occurredAt = ?, utcOffset = ?, localDay = ? WHERE id = ?")
    for (id, time) in try moved(to: zone) {
      try update.execute(arguments: [
        time.instant.milliseconds, time.offset.seconds, time.localDay.description, id,
      ])
    }
    try database.execute(
      sql: """
        UPDATE completion SET day = e.localDay FROM entry e
        WHERE e.id = entryID AND e.timeBasis = 'instant' AND e.deletedAt IS NULL
        """)
  }

  private func moved(to zone: TimeZone) throws -> [(id: Int64, time: EntryTime)] {
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT id, occurredAt, utcOffset, timeBasis, datePrecision FROM entry "
        + "WHERE timeBasis <> 'zoned'")
    var moved: [(id: Int64, time: EntryTime)] = []
    while let row = try rows.next() {
      guard let offset = UTCOffset(seconds: row["utcOffset"]) else { continue }
      let before = EntryTime(
        instant: Timestamp(milliseconds: row["occurredAt"]), offset: offset,
        basis: try .init(stored: row["timeBasis"]),
        precision: try (row["datePrecision"] as String?).map { try .init(stored: $0) })
      let after = EntryTime(before.recorded, in: zone)
      if after != before { moved.append((row["id"], after)) }
    }
    return moved
  }
}
