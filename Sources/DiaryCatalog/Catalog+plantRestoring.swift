package import DiaryModel
internal import GRDB

extension Catalog {
  /// Takes a deleted plant out of the trash, with the activities and the entries that went there when
  /// it was deleted, in one transaction that can be taken back.
  ///
  /// - Returns: how many entries came back; nil when the plant is not deleted.
  /// - Throws: with code `nameTaken` when another plant has its name by now.
  package func restorePlant(_ id: PlantID, now: Timestamp) throws -> Int? {
    try change(.plantRestore, now: now) { database, _ in
      let row = try Self.row(of: id, database)
      let plant = try Row.fetchOne(
        database, sql: "SELECT name, foldedName, deletedAt FROM plant WHERE id = ?",
        arguments: [row])
      guard let plant, let deletedAt: Int64 = plant["deletedAt"] else { return nil }
      let holder = try String.fetchOne(
        database, sql: "SELECT name FROM plant WHERE foldedName = ? AND deletedAt IS NULL",
        arguments: [plant["foldedName"] as String])
      if let holder {
        throw CatalogError(
          .nameTaken, "Another plant is called “\(holder)” by now. Rename that one first.")
      }
      try database.execute(
        sql: "UPDATE plant SET deletedAt = NULL WHERE id = ?", arguments: [row])
      do {
        return try Self.restore(deletedAt, withPlant: row, database)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        let (code, obstacle) = Self.obstacle(error)
        throw CatalogError(
          code,
          "“\(plant["name"] as String)” cannot be restored: \(obstacle). Nothing was restored.")
      }
    }
  }

  /// No two changes have the same time: what has it went to the trash with the plant.
  private static func restore(
    _ deletedAt: Int64, withPlant plant: Int64, _ database: Database
  ) throws -> Int {
    let activities = try Row.fetchAll(
      database, sql: "SELECT id, name FROM activity WHERE plantID = ? AND deletedAt = ?",
      arguments: [plant, deletedAt])
    let entries = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM entry WHERE plantID = ?1 AND deletedAt = ?2
        UNION SELECT e.id FROM activity a JOIN completion c ON c.activityID = a.id
          JOIN entry e ON e.id = c.entryID
          WHERE a.plantID = ?1 AND a.deletedAt = ?2 AND e.deletedAt = ?2
        """, arguments: [plant, deletedAt])
    for activity in activities {
      try checkName(ofActivity: activity["name"], nil, database)
      try database.execute(
        sql: "UPDATE activity SET deletedAt = NULL WHERE id = ?",
        arguments: [activity["id"] as Int64])
    }
    let restore = try database.cachedStatement(
      sql: "UPDATE entry SET deletedAt = NULL WHERE id = ?")
    for entry in entries {
      try restore.execute(arguments: [entry])
    }
    return entries.count
  }

  /// What is in the way of rows from the trash.
  private static func obstacle(_ error: DatabaseError) -> (CatalogError.Code, String) {
    let message = error.message ?? ""
    if message.contains("activity.foldedName") {
      return (.nameTaken, "another activity has the name by now; rename that one first")
    }
    if message.contains("entry.localDay") { return (.conflict, "its day has another one by now") }
    if message.contains("completion.day") {
      return (.conflict, "it was done again on the same day by now")
    }
    return (.conflict, message)
  }
}
