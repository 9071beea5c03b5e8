package import DiaryModel
internal import GRDB

extension Catalog {
  /// Notes that an activity was done at each of these times, all of them or none.
  ///
  /// - Parameter isRepetitionConflict: false leaves out the days on which it was done already.
  /// - Returns: the completions that were made.
  /// - Throws: with code `conflict` when it was done already on a day, and that is one.
  package func complete(
    _ id: ActivityID, at times: [EntryTime], source: String, notes: String?, tags: [String] = [],
    isRepetitionConflict: Bool, now: Timestamp
  ) throws -> [Entry] {
    try change(.activityDone, now: now) { database, journal in
      let row = try Self.liveRow(of: id, database)
      let activity = try Self.activity(row, database)
      let isDone = try database.cachedStatement(
        sql: "SELECT 1 FROM completion WHERE activityID = ? AND day = ?")
      let taken = try times.map(\.localDay).filter {
        try Int.fetchOne(isDone, arguments: [row, $0.description]) != nil
      }
      guard taken.isEmpty || !isRepetitionConflict else {
        throw CatalogError(
          .conflict,
          "“\(activity.name)” was done already on \(taken.listed). Nothing was written down.")
      }
      let days = Set(taken)
      let free = times.filter { !days.contains($0.localDay) }
      return try Self.insert(
        completionsOf: activity, at: free, source: source, notes: notes, tags: tags, &journal,
        database)
    }
  }

  /// Makes the completions of an activity.
  static func insert(
    completionsOf activity: Activity, at times: [EntryTime], source: String, notes: String?,
    tags: [String] = [], _ journal: inout ChangeJournal, _ database: Database
  ) throws -> [Entry] {
    let reference = ActivityReference(
      id: activity.id, name: activity.name, emoji: activity.details.emoji)
    let drafts = times.map { time in
      EntryDraft(
        time: time, notes: notes, tags: tags, plant: activity.plant?.id,
        content: .completion(Completion(activity: reference, source: source)))
    }
    for draft in drafts { try insert(draft, &journal, database) }
    return try drafts.flatMap {
      try database.entries(EntrySelection.sql + " WHERE e.publicID = ?", [$0.id.description])
    }
  }

  /// Lets the activity of a completion come back with it from the trash, if it was deleted.
  static func restoreActivity(
    ofCompletion entry: Int64, _ journal: inout ChangeJournal, _ database: Database
  ) throws {
    let deleted = try Row.fetchOne(
      database,
      sql: """
        SELECT a.id, a.name, a.plantID FROM completion c JOIN activity a ON a.id = c.activityID
        WHERE c.entryID = ? AND a.deletedAt IS NOT NULL
        """, arguments: [entry])
    guard let deleted else { return }
    try checkName(ofActivity: deleted["name"], nil, database)
    try journal.keep(activity: deleted["id"])
    let plant = try (deleted["plantID"] as Int64?).map { plant in
      try livePlant(plant, journal.madeAt, database) { try journal.keep(plant: $0) }
    }
    try database.execute(
      sql: "UPDATE activity SET deletedAt = NULL, plantID = ?, updatedAt = ? WHERE id = ?",
      arguments: [plant, journal.madeAt.milliseconds, deleted["id"] as Int64])
  }

  /// An activity goes when the change that made it is taken back, but not with what was done since.
  static func checkNotDone(madeBy change: Int64, _ database: Database) throws {
    let name = try String.fetchOne(
      database,
      sql: """
        SELECT a.name FROM changedActivity m JOIN completion c ON c.activityID = m.activityID
          JOIN activity a ON a.id = m.activityID
        WHERE m.changeID = ?1 AND m.before IS NULL
          AND c.entryID NOT IN (SELECT entryID FROM madeEntry WHERE changeID = ?1) LIMIT 1
        """, arguments: [change])
    if let name {
      throw CatalogError(
        .conflict,
        "“\(name)” was done since. `leaflog activity delete` puts it into the trash with that. "
          + "Nothing was undone.")
    }
  }

  /// What is not in the rows of activities as they are again.
  static func settleActivities(changedBy change: Int64, _ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT a.id, a.name, a.deletedAt IS NULL AND p.deletedAt IS NOT NULL AS isStray
        FROM changedActivity c JOIN activity a ON a.id = c.activityID
          LEFT JOIN plant p ON p.id = a.plantID
        WHERE c.changeID = ?
        """, arguments: [change])
    for row in rows {
      if row["isStray"] {
        throw CatalogError(
          .conflict,
          "The plant of “\(row["name"] as String)” is deleted by now; undo that first. Nothing was "
            + "undone.")
      }
      try reword(completionsOf: row["id"], database)
    }
  }
}
