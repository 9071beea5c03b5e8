package import DiaryModel
internal import GRDB

/// The owner of `activity`.
package struct ActivityTable: CatalogTable {
  let database: Database

  /// All activities in user-defined order.
  package func all() throws -> [Activity] {
    try all(where: "a.deletedAt IS NULL ORDER BY a.place")
  }

  /// The activity with this name, regardless of case, or with this id or an unambiguous start of it.
  package func named(_ nameOrID: String) throws -> Activity {
    let found = try candidates(nameOrID)
    guard let first = found.first else {
      throw try CatalogError.unknownName(nameOrID, "activity", among: names(), .listActivities)
    }
    guard found.count == 1 else {
      throw CatalogError.ambiguousName(nameOrID, found.map(\.name))
    }
    return first
  }

  /// The categories of activities, in order.
  package func categories() throws -> [String] {
    try String.fetchAll(
      database,
      sql: "SELECT DISTINCT category FROM activity WHERE deletedAt IS NULL ORDER BY category")
  }

  private func candidates(_ nameOrID: String) throws -> [Activity] {
    guard let folded = nameOrID.tidied.map(foldedName) else { return [] }
    let named = try all(where: "a.deletedAt IS NULL AND a.foldedName = ?", [folded])
    if !named.isEmpty { return named }
    return try all(
      where: "a.deletedAt IS NULL AND a.publicID >= ? AND a.publicID < ? LIMIT 6",
      [folded, folded + "g"])  // after every hexadecimal digit
  }

  private func names() throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT name FROM activity WHERE deletedAt IS NULL ORDER BY foldedName")
  }

  /// A single query: the last completion and the number of them come from the index of `completion` alone.
  private func all(
    where condition: String, _ arguments: StatementArguments = []
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
        id: ActivityID(stored: row["publicID"]), details: try ActivityDetails(row),
        plant: (row["plantPublicID"] as String?).map {
          PlantReference(id: PlantID(stored: $0), name: row["plantName"])
        }, rank: row["place"], createdAt: Timestamp(milliseconds: row["createdAt"]),
        deletedAt: Timestamp(stored: row["deletedAt"]),
        lastDone: try (row["lastDone"] as String?).map(LocalDay.init(stored:)),
        completionCount: row["completionCount"])
    }
  }
}

/// Rows.
extension ActivityTable {
  func row(of id: ActivityID) throws -> Int64 {
    guard let row = try rowIfAny(of: id) else {
      throw CatalogError(.notFound, "No activity has the id “\(id)”.")
    }
    return row
  }

  func rowIfAny(of id: ActivityID) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM activity WHERE publicID = ?"),
      arguments: [id.description])
  }

  /// The row of an activity that is not deleted.
  func livingRow(of id: ActivityID) throws -> Int64 {
    let row = try row(of: id)
    let activity = try activity(row)
    guard activity.deletedAt == nil else {
      throw CatalogError(.notFound, "The activity “\(activity.name)” was deleted.")
    }
    return row
  }

  /// The row of the activity that has a name and is not deleted.
  func row(named name: String) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT id FROM activity WHERE foldedName = ? AND deletedAt IS NULL"),
      arguments: [foldedName(name)])
  }

  /// The activity that has a name and is not deleted.
  func id(named name: String) throws -> ActivityID? {
    try row(named: name).map { try reference($0).id }
  }

  /// The rows of a plant's activities in their order.
  func rows(ofPlant plant: Int64, orDeleted: Bool) throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: "SELECT id FROM activity WHERE plantID = ? AND (? OR deletedAt IS NULL) ORDER BY rank",
      arguments: [plant, orDeleted])
  }

  func activity(_ row: Int64) throws -> Activity {
    guard let activity = try all(where: "a.id = ?", [row]).first else {
      throw CatalogError(.damaged, "An activity is gone from the catalog.")
    }
    return activity
  }

  func reference(_ row: Int64) throws -> ActivityReference {
    let found = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT publicID, name, emoji FROM activity WHERE id = ?"),
      arguments: [row])
    guard let found else { throw CatalogError(.damaged, "An activity is gone from the catalog.") }
    return ActivityReference(stored: found)
  }

  /// The rank after all others, including those in the trash.
  func nextRank() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT coalesce(max(rank) + 1, 0) FROM activity") ?? 0
  }
}
