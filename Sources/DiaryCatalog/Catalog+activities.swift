package import DiaryModel
internal import GRDB

extension Catalog {
  /// All activities in the order of one's own.
  package func activities() throws -> [Activity] {
    try readOnce { database in
      try Self.activities("a.deletedAt IS NULL ORDER BY a.place", [], database)
    }
  }

  /// The activity with this name, whatever its case, or with this id or an unambiguous start of it.
  package func activity(_ nameOrID: String) throws -> Activity {
    try read { database in
      let found = try Self.activities(called: nameOrID, database)
      guard let first = found.first else { throw try Self.unknownActivity(nameOrID, database) }
      guard found.count == 1 else {
        let names = found.prefix(5).map(\.name).joined(separator: ", ")
        throw CatalogError(.ambiguous, "“\(nameOrID)” could be any of: \(names).")
      }
      return first
    }
  }

  private static func activities(
    called nameOrID: String, _ database: Database
  ) throws -> [Activity] {
    guard let folded = nameOrID.tidied.map(foldedName) else { return [] }
    let named = try activities("a.deletedAt IS NULL AND a.foldedName = ?", [folded], database)
    if !named.isEmpty { return named }
    return try activities(
      "a.deletedAt IS NULL AND a.publicID >= ? AND a.publicID < ? LIMIT 6",
      [folded, folded + "g"], database)  // after every hexadecimal digit
  }

  static func activity(_ row: Int64, _ database: Database) throws -> Activity {
    guard let activity = try activities("a.id = ?", [row], database).first else {
      throw CatalogError(.damaged, "An activity is gone from the catalog.")
    }
    return activity
  }

  /// One query: what it was done last, and how often, comes from the index of `completion` alone.
  private static func activities(
    _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [Activity] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT a.*, p.publicID AS plantPublicID, p.name AS plantName,
            (SELECT max(day) FROM completion WHERE activityID = a.id) AS lastDone,
            (SELECT count(*) FROM completion WHERE activityID = a.id AND day IS NOT NULL)
              AS completionCount
          FROM (SELECT *, row_number() OVER (ORDER BY deletedAt IS NOT NULL, rank, id) - 1 AS place
            FROM activity) a LEFT JOIN plant p ON p.id = a.plantID WHERE
          """ + " " + condition), arguments: arguments)
    return try rows.map { row in
      Activity(
        id: ActivityID(stored: row["publicID"]), details: try ActivityDetails(row, database),
        plant: (row["plantPublicID"] as String?).map {
          PlantReference(id: PlantID(stored: $0), name: row["plantName"])
        }, rank: row["place"], createdAt: Timestamp(milliseconds: row["createdAt"]),
        deletedAt: (row["deletedAt"] as Int64?).map { Timestamp(milliseconds: $0) },
        lastDone: try (row["lastDone"] as String?).map(database.day),
        completionCount: row["completionCount"])
    }
  }

  /// The activities that were done on a day.
  package func activities(doneOn day: LocalDay) throws -> Set<ActivityID> {
    try readOnce { database in
      let ids = try String.fetchAll(
        database,
        sql: """
          SELECT a.publicID FROM activity a
          WHERE EXISTS (SELECT 1 FROM completion WHERE activityID = a.id AND day = ?)
          """, arguments: [day.description])
      return Set(ids.map { ActivityID(stored: $0) })
    }
  }

  /// The days on which an activity was done, oldest first; both ends count.
  package func completionDays(
    of activity: ActivityID, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws -> [LocalDay] {
    try readOnce { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT day FROM completion
          WHERE activityID = (SELECT id FROM activity WHERE publicID = ?)
            AND day BETWEEN ? AND ? ORDER BY day
          """,
        arguments: [
          activity.description, first?.description ?? "0000-00-00",
          last?.description ?? "9999-99-99",
        ]
      ).map(database.day)
    }
  }

  /// The completion of a day, if there is one.
  package func completion(of activity: ActivityID, on day: LocalDay) throws -> EntryID? {
    try readOnce { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT e.publicID FROM completion c JOIN entry e ON e.id = c.entryID
          WHERE c.activityID = (SELECT id FROM activity WHERE publicID = ?) AND c.day = ?
          """, arguments: [activity.description, day.description]
      ).map { EntryID(stored: $0) }
    }
  }

  /// The categories that activities have, in order.
  package func activityCategories() throws -> [String] {
    try readOnce { database in
      try String.fetchAll(
        database,
        sql: "SELECT DISTINCT category FROM activity WHERE deletedAt IS NULL ORDER BY category")
    }
  }
}

extension ActivityDetails {
  init(_ row: Row, _ database: Database) throws {
    self.init(
      name: row["name"], emoji: row["emoji"], category: row["category"],
      startFrom: try database.day(row["startFrom"]), notes: row["notes"],
      everyDays: row["everyDays"], weeklyGoal: row["weeklyGoal"],
      monthlyGoal: row["monthlyGoal"], iconName: row["iconName"])
  }
}
