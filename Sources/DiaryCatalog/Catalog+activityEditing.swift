package import DiaryModel
internal import GRDB

extension Catalog {
  /// Adds an activity at the end of the order, and its completions at some times.
  package func addActivity(
    _ details: ActivityDetails, plant: PlantID?, doneAt times: [EntryTime] = [], now: Timestamp
  ) throws -> Activity {
    try change(.activityAdd, now: now) { database, now in
      let plant = try plant.map { try Self.row(of: $0, database) }
      let row = try Self.insert(details, plantRow: plant, now, database)
      let made = try Self.activity(row, database)
      guard !times.isEmpty else { return made }
      _ = try Self.insert(
        completionsOf: made, at: times, source: Completion.Source.bulk, notes: nil, now,
        database)
      return try Self.activity(row, database)
    }
  }

  /// Makes an activity, with all that an export says of it.
  ///
  /// - Parameter rank: nil puts it at the end of the order.
  static func insert(
    _ details: ActivityDetails, id: ActivityID = .random(), plantRow: Int64?, rank: Int? = nil,
    createdAt: Timestamp? = nil, deletedAt: Timestamp? = nil, _ now: Timestamp,
    _ database: Database
  ) throws -> Int64 {
    let details = try details.checked(in: database)
    if deletedAt == nil { try checkName(ofActivity: details.name, nil, database) }
    try database.cachedStatement(
      sql: """
        INSERT INTO activity (publicID, name, foldedName, emoji, category, startFrom, plantID, notes,
          everyDays, weeklyGoal, monthlyGoal, iconName, rank, createdAt, deletedAt)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, max(rank) + 1, 0), ?, ?
        FROM activity WHERE deletedAt IS NULL
        """
    ).execute(arguments: [
      id.description, details.name, foldedName(details.name), details.emoji, details.category,
      details.startFrom.description, plantRow, details.notes,
      details.everyDays, details.weeklyGoal, details.monthlyGoal, details.iconName, rank,
      (createdAt ?? now).milliseconds, deletedAt?.milliseconds,
    ])
    return database.lastInsertedRowID
  }

  /// Changes what is said of an activity, in one transaction that can be taken back. What was done
  /// keeps the plant that it was done for.
  package func editActivity(
    _ id: ActivityID, plant: PlantID?? = nil, now: Timestamp,
    _ body: (inout ActivityDetails) throws -> Void
  ) throws -> Activity {
    try change(.activityEdit, now: now) { database, _ in
      let row = try Self.liveRow(of: id, database)
      let before = try Self.activity(row, database)
      var details = before.details
      try body(&details)
      details = try details.checked(in: database)
      let isPlantNew = plant.map { $0 != before.plant?.id } ?? false
      guard details != before.details || isPlantNew else { return before }
      try Self.checkName(ofActivity: details.name, row, database)
      try Self.set(details, row, database)
      if let plant, isPlantNew {
        try database.execute(
          sql: "UPDATE activity SET plantID = ? WHERE id = ?",
          arguments: [plant.map { try Self.row(of: $0, database) }, row])
      }
      try Self.reword(completionsOf: row, database)
      return try Self.activity(row, database)
    }
  }

  /// Deletes an activity; its completions go into the trash.
  ///
  /// - Returns: how many went.
  package func deleteActivity(_ id: ActivityID, now: Timestamp) throws -> Int {
    try change(.activityDelete, now: now) { database, now in
      try Self.delete(activity: Self.liveRow(of: id, database), now, database)
    }
  }

  static func delete(
    activity row: Int64, _ now: Timestamp, _ database: Database
  ) throws -> Int {
    let entries = try Int64.fetchAll(
      database, sql: "SELECT entryID FROM completion WHERE activityID = ? AND day IS NOT NULL",
      arguments: [row])
    let time = now.milliseconds
    let trash = try database.cachedStatement(
      sql: "UPDATE entry SET deletedAt = ? WHERE id = ?")
    for entry in entries {
      try trash.execute(arguments: [time, entry])
    }
    try database.execute(
      sql: "UPDATE activity SET deletedAt = ? WHERE id = ?",
      arguments: [time, row])
    return entries.count
  }

  /// Puts all activities into the order that `body` makes of the one they have.
  package func reorderActivities(
    now: Timestamp, _ body: (inout [ActivityID]) throws -> Void
  ) throws -> [Activity] {
    try change(.activityReorder, now: now) { database, _ in
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
      return try after.map { try Self.activity(database.activityRow($0), database) }
    }
  }

  static func liveRow(of id: ActivityID, _ database: Database) throws -> Int64 {
    let row = try database.activityRow(id)
    let activity = try activity(row, database)
    guard activity.deletedAt == nil else {
      throw CatalogError(.notFound, "The activity “\(activity.name)” was deleted.")
    }
    return row
  }

  private static func set(
    _ details: ActivityDetails, _ row: Int64, _ database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE activity SET name = ?, foldedName = ?, emoji = ?, category = ?, startFrom = ?,
          notes = ?, everyDays = ?, weeklyGoal = ?, monthlyGoal = ?, iconName = ?
        WHERE id = ?
        """,
      arguments: [
        details.name, foldedName(details.name), details.emoji, details.category,
        details.startFrom.description, details.notes, details.everyDays, details.weeklyGoal,
        details.monthlyGoal, details.iconName, row,
      ])
  }

  /// The unique index refuses it too, in SQLite's words.
  static func checkName(
    ofActivity name: String, _ row: Int64?, _ database: Database
  ) throws {
    let holder = try String.fetchOne(
      database,
      sql: "SELECT name FROM activity WHERE foldedName = ? AND deletedAt IS NULL AND id IS NOT ?",
      arguments: [foldedName(name), row])
    if let holder {
      throw CatalogError(
        .nameTaken, "An activity is called “\(holder)” already. Give it another name.")
    }
  }

  /// Search finds completions by the name and the emoji that their activity has.
  static func reword(completionsOf activity: Int64, _ database: Database) throws {
    let found = try Self.activity(activity, database)
    let words = ActivityReference(
      id: found.id, name: found.name, emoji: found.details.emoji
    ).words
    try database.execute(
      sql: """
        UPDATE entry SET words = ?1 WHERE words IS NOT ?1
          AND id IN (SELECT entryID FROM completion WHERE activityID = ?2)
        """, arguments: [words, activity])
  }
}

extension ActivityDetails {
  /// As they are kept: a category that others have is written as they write it, and one of one's own
  /// gives the emoji of its newest activity.
  fileprivate func checked(in database: Database) throws -> ActivityDetails {
    let used = try Row.fetchAll(
      database, sql: "SELECT category, emoji FROM activity ORDER BY id DESC")
    var checked = try checked { category in
      guard !ActivityCategory.allCases.contains(where: { $0.rawValue == category }) else {
        return nil
      }
      return used.first { foldedName($0["category"]) == foldedName(category) }?["emoji"]
    }
    let names = try String.fetchAll(
      database, sql: "SELECT DISTINCT category FROM activity WHERE deletedAt IS NULL")
    if !names.contains(checked.category),
      let name = names.first(where: { foldedName($0) == foldedName(checked.category) })
    {
      checked.category = name
    }
    return checked
  }
}
