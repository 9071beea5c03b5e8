package import DiaryModel
internal import GRDB

extension Catalog {
  /// All plants by name; those that were deleted the latest first.
  package func plants(deleted: Bool = false) throws -> [Plant] {
    try plants(where: "TRUE", deleted: deleted)
  }

  func plants(
    where condition: String, _ arguments: StatementArguments = [], deleted: Bool = false
  ) throws -> [Plant] {
    try readOnce { database in
      let order = deleted ? "p.deletedAt DESC, p.foldedName" : "p.foldedName"
      return try Row.fetchAll(
        database,
        sql: Self.plantSelect(deleted: deleted) + " AND \(condition) ORDER BY \(order)",
        arguments: arguments
      ).map(Self.plant)
    }
  }

  /// The plant with this name, whatever its case, or with this id or an unambiguous start of it.
  /// `inTrash` looks at deleted ones too, after all others.
  package func plant(_ nameOrID: String, inTrash: Bool = false) throws -> Plant {
    try plant(nameOrID, deleted: inTrash ? [false, true] : [false])
  }

  /// The deleted plant with this name or id; one that is not deleted when no other is meant.
  package func deletedPlant(_ nameOrID: String) throws -> Plant {
    try plant(nameOrID, deleted: [true, false])
  }

  /// `deleted`: among which plants to look, one after another.
  private func plant(_ nameOrID: String, deleted: [Bool]) throws -> Plant {
    try read { database in
      var candidates: [Plant] = []
      for deleted in deleted where candidates.isEmpty {
        candidates = try Self.plants(called: nameOrID, deleted: deleted, database)
      }
      guard let first = candidates.first else {
        throw try Self.unknownPlant(nameOrID, database)
      }
      guard candidates.count == 1 else {
        let names = candidates.prefix(5).map(\.name).joined(separator: ", ")
        throw CatalogError(.ambiguous, "“\(nameOrID)” could be any of: \(names).")
      }
      return first
    }
  }

  private static func plants(
    called nameOrID: String, deleted: Bool, _ database: Database
  ) throws -> [Plant] {
    let folded = foldedName(nameOrID)
    guard !folded.isEmpty else { return [] }
    let select = plantSelect(deleted: deleted)
    // Of several deleted ones with one name, the last.
    let named = try Row.fetchOne(
      database,
      sql: select + " AND p.foldedName = ? ORDER BY p.deletedAt DESC",
      arguments: [folded])
    if let named { return [plant(named)] }
    return try Row.fetchAll(
      database,
      sql: select + " AND p.publicID >= ? AND p.publicID < ? LIMIT 6",
      arguments: [folded, folded + "g"]  // after every hexadecimal digit
    ).map(plant)
  }

  private static func plantSelect(deleted: Bool) -> String {
    let isThere = deleted ? "IS NOT NULL" : "IS NULL"
    let photos = "e.plantID = p.id AND e.deletedAt \(isThere) AND e.kind = 'photo'"
    return """
      SELECT p.*,
        (SELECT count(*) FROM entry e WHERE \(photos)) AS photoCount,
        (SELECT min(e.localDay) FROM entry e WHERE \(photos)) AS firstPhotoDay,
        (SELECT max(e.localDay) FROM entry e WHERE \(photos)) AS lastPhotoDay,
        (SELECT group_concat(publicID, ' ') FROM (SELECT e.publicID FROM entry e WHERE
          e.plantID = p.id AND e.deletedAt \(isThere) AND +e.kind = 'photo'
          ORDER BY e.occurredAt DESC, e.seq DESC LIMIT 4)) AS latestPhotos
      FROM plant p WHERE p.deletedAt \(isThere)
      """
  }

  private static func plant(_ row: Row) -> Plant {
    Plant(
      id: PlantID(stored: row["publicID"]), name: row["name"],
      scientificName: row["scientificName"], location: row["location"], notes: row["notes"],
      photoCount: row["photoCount"],
      firstPhotoDay: (row["firstPhotoDay"] as String?).flatMap { LocalDay($0) },
      lastPhotoDay: (row["lastPhotoDay"] as String?).flatMap { LocalDay($0) },
      latestPhotos: (row["latestPhotos"] as String?)?.split(separator: " ")
        .map { EntryID(stored: String($0)) } ?? [],
      deletedAt: (row["deletedAt"] as Int64?).map { Timestamp(milliseconds: $0) })
  }

  /// The row of the plant with this name, made when there is none.
  static func plantRow(named name: String, now: Timestamp, _ database: Database) throws -> Int64 {
    let folded = foldedName(name)
    let find = try database.cachedStatement(
      sql: "SELECT id FROM plant WHERE foldedName = ? AND deletedAt IS NULL")
    if let row = try Int64.fetchOne(find, arguments: [folded]) { return row }
    return try insert(PlantDetails(name: name), now: now, database).row
  }

  static func insert(
    _ details: PlantDetails, now: Timestamp, _ database: Database
  ) throws -> (id: PlantID, row: Int64) {
    let id = PlantID.random()
    try database.execute(
      sql: """
        INSERT INTO plant (publicID, name, foldedName, scientificName, location, notes, createdAt)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id.description, details.name, foldedName(details.name), details.scientificName,
        details.location, details.notes, now.milliseconds,
      ])
    return (id, database.lastInsertedRowID)
  }

  /// The days on which a plant was photographed, oldest first.
  package func photoDays(of plant: PlantID) throws -> [LocalDay] {
    try readOnce { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT localDay FROM entry
          WHERE plantID = (SELECT id FROM plant WHERE publicID = ?) AND deletedAt IS NULL
            AND kind = 'photo' ORDER BY localDay
          """, arguments: [plant.description]
      ).compactMap { LocalDay($0) }
    }
  }
}
