package import DiaryModel
internal import Fields
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
  func undeletedRow(of id: ActivityID) throws -> Int64 {
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

extension ActivityTable {
  /// Adds an activity at the end of the order, with completions at some times.
  package func add(
    _ details: ActivityDetails, plant: PlantID?, doneAt times: [EntryTime] = [], now: Timestamp
  ) throws -> Activity {
    let plant = try plant.map { try tables.plants.row(of: $0) }
    let row = try insert(details, plantRow: plant, now: now)
    if !times.isEmpty {
      _ = try tables.completions.insert(
        of: activity(row), at: times, source: Completion.Source.bulk, notes: nil, now: now)
    }
    return try activity(row)
  }

  /// Inserts an activity, with everything that an export can have.
  ///
  /// - Parameter rank: nil puts it at the end of the order.
  func insert(
    _ details: ActivityDetails, id: ActivityID = .random(), plantRow: Int64?, rank: Int? = nil,
    deletedAt: Timestamp? = nil, now: Timestamp
  ) throws -> Int64 {
    let details = try checked(details)
    if deletedAt == nil { try checkName(details.name, of: nil) }
    let columns = details.columns
    try database.cachedStatement(
      sql: """
        INSERT INTO activity (publicID, plantID, createdAt, deletedAt, rank,
          \(columns.map(\.name).joined(separator: ", ")))
        SELECT ?, ?, ?, ?, coalesce(?, max(rank) + 1, 0), \(columns.map { _ in "?" }.joined(separator: ", "))
        FROM activity WHERE deletedAt IS NULL
        """
    ).execute(
      arguments: StatementArguments(
        [
          id.description, plantRow, now.milliseconds, deletedAt?.milliseconds, rank,
        ] as [(any DatabaseValueConvertible)?]) + StatementArguments(columns.map(\.value)))
    return database.lastInsertedRowID
  }

  /// Changes the details of an activity and its plant. Existing completions keep their plant.
  ///
  /// - Parameter plant: nil leaves it unchanged, and `.some(nil)` removes it.
  package func edit(
    _ id: ActivityID, plant: PlantID?? = nil, _ body: (inout ActivityDetails) throws -> Void
  ) throws -> Activity {
    let row = try undeletedRow(of: id)
    let before = try activity(row)
    var details = before.details
    try body(&details)
    details = try checked(details)
    let isPlantNew = plant.map { $0 != before.plant?.id } ?? false
    guard details != before.details || isPlantNew else { return before }
    try checkName(details.name, of: row)
    try set(details, row)
    if let plant, isPlantNew {
      try setPlant(plant.map { try tables.plants.row(of: $0) }, row)
    }
    try tables.completions.reword(ofActivity: row)
    return try activity(row)
  }

  /// Deletes an activity, and moves its completions to the trash.
  ///
  /// - Returns: the number of completions moved.
  package func delete(_ id: ActivityID, now: Timestamp) throws -> Int {
    try delete(undeletedRow(of: id), now: now)
  }

  func delete(_ row: Int64, now: Timestamp) throws -> Int {
    try database.execute(
      sql: """
        UPDATE entry SET deletedAt = ? WHERE id IN
          (SELECT entryID FROM completion WHERE activityID = ? AND day IS NOT NULL)
        """, arguments: [now.milliseconds, row])
    let count = database.changesCount
    try setDeleted(now, row)
    return count
  }

  /// Reorders all activities; `body` rearranges their ids.
  package func reorder(_ body: (inout [ActivityID]) throws -> Void) throws -> [Activity] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT id, publicID, rank FROM activity WHERE deletedAt IS NULL ORDER BY rank, id")
    let before = rows.map { ActivityID(stored: $0["publicID"]) }
    var after = before
    try body(&after)
    guard after.count == before.count, Set(after) == Set(before) else {
      throw CatalogError(.invalid, "The order must have each activity exactly once.")
    }
    let places = Dictionary(uniqueKeysWithValues: zip(after, after.indices))
    for (row, id) in zip(rows, before) where after != before && row["rank"] != places[id] {
      try database.execute(
        sql: "UPDATE activity SET rank = ? WHERE id = ?",
        arguments: [places[id], row["id"] as Int64])
    }
    return try after.map { try activity(self.row(of: $0)) }
  }

  func setDeleted(_ time: Timestamp?, _ row: Int64) throws {
    try database.execute(
      sql: "UPDATE activity SET deletedAt = ? WHERE id = ?", arguments: [time?.milliseconds, row])
  }

  func setPlant(_ plant: Int64?, _ row: Int64) throws {
    try database.execute(
      sql: "UPDATE activity SET plantID = ? WHERE id = ?", arguments: [plant, row])
  }

  /// Sets the details and the plant of an activity, which may be in the trash.
  func set(_ details: ActivityDetails, plant: PlantID?, of id: ActivityID) throws {
    let row = try row(of: id)
    try set(checked(details), row)
    try setPlant(plant.map { try tables.plants.row(of: $0) }, row)
    try tables.completions.reword(ofActivity: row)
  }

  private func set(_ details: ActivityDetails, _ row: Int64) throws {
    let columns = details.columns
    try database.execute(
      sql: """
        UPDATE activity SET \(columns.map { "\($0.name) = ?" }.joined(separator: ", ")) WHERE id = ?
        """, arguments: StatementArguments(columns.map(\.value)) + [row])
  }

  /// Checks that a name is free. The unique index would reject it as well, but in SQLite's words.
  func checkName(_ name: String, of row: Int64?) throws {
    let isTaken = try Int.fetchOne(
      database,
      sql: "SELECT 1 FROM activity WHERE foldedName = ? AND deletedAt IS NULL AND id IS NOT ?",
      arguments: [foldedName(name), row])
    // Not as the other one is spelled: that may be beyond what a token sees.
    if isTaken != nil {
      throw CatalogError(
        .nameTaken, "An activity is called “\(name)” already. Give it another name.")
    }
  }

  /// The details as they are stored: an existing category keeps its spelling, and in a category of the user's
  /// own, the default emoji is that of its newest activity.
  private func checked(_ details: ActivityDetails) throws -> ActivityDetails {
    let used = try Row.fetchAll(
      database, sql: "SELECT category, emoji FROM activity ORDER BY id DESC")
    var checked = try details.checked { category in
      guard !ActivityCategory.allCases.contains(where: { $0.rawValue == category }) else {
        return nil
      }
      return used.first { foldedName($0["category"]) == foldedName(category) }?["emoji"]
    }
    let names = try categories()
    if !names.contains(checked.category),
      let name = names.first(where: { foldedName($0) == foldedName(checked.category) })
    {
      checked.category = name
    }
    return checked
  }
}

/// The columns of `activity` that users fill in.
extension ActivityDetails {
  init(_ row: Row) throws { self = try Self.fields.thing(in: row, from: .blank) }

  var columns: [(name: String, value: DatabaseValue)] {
    Self.fields.columns(of: self) + [("foldedName", foldedName(name).databaseValue)]
  }
}

extension ActivityReference {
  init(stored row: Row) {
    self.init(id: ActivityID(stored: row["publicID"]), name: row["name"], emoji: row["emoji"])
  }
}
