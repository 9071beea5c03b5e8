package import DiaryModel
internal import GRDB

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
          \(columns.map(\.key).joined(separator: ", ")))
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
    let row = try livingRow(of: id)
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
    try delete(livingRow(of: id), now: now)
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
      throw CatalogError(.invalid, "An order has each activity once.")
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
        UPDATE activity SET \(columns.map { "\($0.key) = ?" }.joined(separator: ", ")) WHERE id = ?
        """, arguments: StatementArguments(columns.map(\.value)) + [row])
  }

  /// Checks that a name is free. The unique index would reject it as well, but in SQLite's words.
  func checkName(_ name: String, of row: Int64?) throws {
    let holder = try String.fetchOne(
      database,
      sql: "SELECT name FROM activity WHERE foldedName = ? AND deletedAt IS NULL AND id IS NOT ?",
      arguments: [foldedName(name), row])
    if let holder {
      throw CatalogError(
        .nameTaken, "An activity is called “\(holder)” already. Give it another name.")
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
