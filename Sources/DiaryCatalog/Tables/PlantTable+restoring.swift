package import DiaryModel
internal import GRDB

extension PlantTable {
  /// Restores a plant from the trash, with the activities and the entries that were deleted with it.
  ///
  /// - Returns: the number of entries restored; nil when the plant is not deleted.
  /// - Throws: `CatalogError` with code `nameTaken` when another plant has its name by now.
  package func restore(_ id: PlantID) throws -> Int? {
    let row = try row(of: id)
    let plant = try Row.fetchOne(
      database, sql: "SELECT name, deletedAt FROM plant WHERE id = ?", arguments: [row])
    guard let plant, let deletedAt: Int64 = plant["deletedAt"] else { return nil }
    let name: String = plant["name"]
    let holder = try String.fetchOne(
      database, sql: "SELECT name FROM plant WHERE foldedName = ? AND deletedAt IS NULL",
      arguments: [foldedName(name)])
    if let holder {
      throw CatalogError(
        .nameTaken, "Another plant is called “\(holder)” by now. Rename that one first.")
    }
    try setDeleted(nil, row)
    do {
      return try restore(deletedAt, withPlant: row)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      let (code, obstacle) = Self.obstacle(error)
      throw CatalogError(
        code, "“\(name)” cannot be restored: \(obstacle). Nothing was restored.")
    }
  }

  /// Restores the rows with the plant's time of deletion. No two changes have the same time, so they were
  /// deleted with it.
  private func restore(_ deletedAt: Int64, withPlant plant: Int64) throws -> Int {
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
      try tables.activities.checkName(activity["name"], of: nil)
      try tables.activities.setDeleted(nil, activity["id"])
    }
    let restore = try database.cachedStatement(
      sql: "UPDATE entry SET deletedAt = NULL WHERE id = ?")
    for entry in entries { try restore.execute(arguments: [entry]) }
    return entries.count
  }

  /// The conflict with a row from the trash, by the unique index that rejected it.
  private static func obstacle(_ error: DatabaseError) -> (CatalogError.Code, String) {
    switch UniqueIndex(error) {
    case .name: (.nameTaken, "another activity has the name by now; rename that one first")
    case .day: (.conflict, "its day has another one by now")
    case .completion: (.conflict, "it was done again on the same day by now")
    case nil: (.conflict, error.message ?? "error \(error.extendedResultCode.rawValue)")
    }
  }
}
