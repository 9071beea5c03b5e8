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
    try change(.activityDone, now: now) { database, now in
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
        completionsOf: activity, at: free, source: source, notes: notes, tags: tags, now,
        database)
    }
  }

  /// Makes the completions of an activity.
  static func insert(
    completionsOf activity: Activity, at times: [EntryTime], source: String, notes: String?,
    tags: [String] = [], _ now: Timestamp, _ database: Database
  ) throws -> [Entry] {
    let reference = ActivityReference(
      id: activity.id, name: activity.name, emoji: activity.details.emoji)
    let drafts = times.map { time in
      EntryDraft(
        time: time, notes: notes, tags: tags, plant: activity.plant?.id,
        content: .completion(Completion(activity: reference, source: source)))
    }
    for draft in drafts { try insert(draft, now, database) }
    return try drafts.flatMap {
      try database.entries(EntrySelection.sql + " WHERE e.publicID = ?", [$0.id.description])
    }
  }

  /// Lets the activity of a completion come back with it from the trash, if it was deleted.
  static func restoreActivity(
    ofCompletion entry: Int64, _ database: Database
  ) throws {
    let deleted = try Row.fetchOne(
      database,
      sql: """
        SELECT a.id, a.name, a.plantID FROM completion c JOIN activity a ON a.id = c.activityID
        WHERE c.entryID = ? AND a.deletedAt IS NOT NULL
        """, arguments: [entry])
    guard let deleted else { return }
    try checkName(ofActivity: deleted["name"], nil, database)
    let plant = try (deleted["plantID"] as Int64?).map { plant in
      try livePlant(plant, database)
    }
    try database.execute(
      sql: "UPDATE activity SET deletedAt = NULL, plantID = ? WHERE id = ?",
      arguments: [plant, deleted["id"] as Int64])
  }
}
