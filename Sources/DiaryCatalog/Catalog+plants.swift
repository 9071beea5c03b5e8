package import DiaryModel
internal import GRDB

extension Catalog {
  /// All plants by name.
  package func plants() throws -> [Plant] {
    try readOnce { database in
      try Row.fetchAll(database, sql: Self.plantSelect + " ORDER BY p.foldedName").map(Self.plant)
    }
  }

  /// The plant with this name, whatever its case, or with this id or an unambiguous start of it.
  package func plant(_ nameOrID: String) throws -> Plant {
    let folded = foldedPlantName(nameOrID)
    let rows = try readOnce { database in
      if let row = try Row.fetchOne(
        database, sql: Self.plantSelect + " WHERE p.foldedName = ?", arguments: [folded])
      {
        return [row]
      }
      return try Row.fetchAll(
        database,
        sql: Self.plantSelect + " WHERE p.publicID >= ? AND p.publicID < ? LIMIT 6",
        arguments: [folded, folded + "g"])  // after every hexadecimal digit
    }
    guard !nameOrID.isEmpty, let first = rows.first else {
      throw CatalogError(
        .notFound, "No plant is called “\(nameOrID)”. `leaflog plant list` shows those there are.")
    }
    guard rows.count == 1 else {
      let names = rows.map { $0["name"] as String }.joined(separator: ", ")
      throw CatalogError(.ambiguous, "“\(nameOrID)” could be any of: \(names).")
    }
    return try Self.plant(first)
  }

  private static let plantSelect = """
    SELECT p.*,
      (SELECT count(*) FROM entry e
        WHERE e.plantID = p.id AND e.deletedAt IS NULL AND e.kind = 'photo') AS photoCount,
      (SELECT e.localDay FROM entry e
        WHERE e.plantID = p.id AND e.deletedAt IS NULL AND e.kind = 'photo'
        ORDER BY e.occurredAt, e.seq LIMIT 1) AS firstPhotoDay,
      (SELECT e.localDay FROM entry e
        WHERE e.plantID = p.id AND e.deletedAt IS NULL AND e.kind = 'photo'
        ORDER BY e.occurredAt DESC, e.seq DESC LIMIT 1) AS lastPhotoDay
    FROM plant p
    """

  private static func plant(_ row: Row) throws -> Plant {
    Plant(
      id: PlantID(stored: row["publicID"]), name: row["name"],
      scientificName: row["scientificName"], location: row["location"], notes: row["notes"],
      photoCount: row["photoCount"],
      firstPhotoDay: (row["firstPhotoDay"] as String?).flatMap { LocalDay($0) },
      lastPhotoDay: (row["lastPhotoDay"] as String?).flatMap { LocalDay($0) })
  }

  /// The row of the plant with this name, made when there is none.
  static func plantRow(named name: String, now: Timestamp, _ database: Database) throws -> Int64 {
    let folded = foldedPlantName(name)
    let find = try database.cachedStatement(sql: "SELECT id FROM plant WHERE foldedName = ?")
    if let row = try Int64.fetchOne(find, arguments: [folded]) { return row }
    try database.execute(
      sql: """
        INSERT INTO plant (publicID, name, foldedName, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        PlantID.random().description, name, folded, now.milliseconds, now.milliseconds,
      ])
    return database.lastInsertedRowID
  }
}
