package import DiaryModel
internal import GRDB

/// The owner of `completion`: the days on which activities were done.
package struct CompletionTable: ContentTable {
  static let (kind, name) = (EntryKind.completion, "completion")
  let database: Database

  func contents(of entries: RowList) throws -> [Int64: EntryContent] {
    try contents(
      """
      SELECT c.entryID, c.source, a.publicID, a.name, a.emoji FROM completion c
      JOIN activity a ON a.id = c.activityID WHERE c.entryID
      """, of: entries
    ) {
      .completion(Completion(activity: ActivityReference(stored: $0), source: $0["source"]))
    }
  }

  func set(_ completion: Completion, ofEntry row: Int64) throws {
    let activity = try tables.activities.row(of: completion.activity.id)
    try put(
      row,
      [("activityID", activity.databaseValue), ("source", completion.source.databaseValue)])
    // As the trigger does when the entry changes.
    try database.cachedStatement(
      sql: """
        UPDATE completion SET day = (SELECT localDay FROM entry
          WHERE id = entryID AND deletedAt IS NULL) WHERE entryID = ?
        """
    ).execute(arguments: [row])
  }

  /// The days on which an activity was done, oldest first; `first` and `last` are included.
  package func days(
    of activity: ActivityID, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws -> [LocalDay] {
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
    ).map(LocalDay.init(stored:))
  }

  /// The completions of an activity, newest first; `first` and `last` are included.
  package func entries(
    of activity: ActivityID, from first: LocalDay, to last: LocalDay
  ) throws -> [EntryID] {
    try String.fetchAll(
      database,
      sql: """
        SELECT e.publicID FROM completion c JOIN entry e ON e.id = c.entryID
        WHERE c.activityID = (SELECT id FROM activity WHERE publicID = ?)
          AND c.day BETWEEN ? AND ? ORDER BY c.day DESC
        """, arguments: [activity.description, first.description, last.description]
    ).map { EntryID(stored: $0) }
  }

  /// How many activities were done on each day of a span.
  package func counts(in days: ClosedRange<LocalDay>) throws -> [LocalDay: Int] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT e.localDay, count(*) FROM entry e WHERE \(EntrySpan.condition) GROUP BY e.localDay
        """, arguments: EntrySpan(kind: .completion, days: days).arguments)
    return try rows.reduce(into: [:]) { $0[try LocalDay(stored: $1[0])] = $1[1] }
  }

  /// The activities that were done on a day.
  package func activities(on day: LocalDay) throws -> Set<ActivityID> {
    let ids = try String.fetchAll(
      database,
      sql: """
        SELECT a.publicID FROM activity a
        WHERE EXISTS (SELECT 1 FROM completion WHERE activityID = a.id AND day = ?)
        """, arguments: [day.description])
    return Set(ids.map { ActivityID(stored: $0) })
  }

  /// The completion of a day, if there is one.
  package func entry(of activity: ActivityID, on day: LocalDay) throws -> EntryID? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT e.publicID FROM completion c JOIN entry e ON e.id = c.entryID
          WHERE c.activityID = (SELECT id FROM activity WHERE publicID = ?) AND c.day = ?
          """), arguments: [activity.description, day.description]
    ).map { EntryID(stored: $0) }
  }

  /// Records that an activity was done at each of these times, all or none.
  ///
  /// - Parameter isRepetitionConflict: false skips the days on which it was already done.
  /// - Returns: the new completions.
  /// - Throws: `CatalogError` with code `conflict` if repetitions are conflicts and it was already done on one of the
  ///   days.
  package func add(
    of id: ActivityID, at times: [EntryTime], source: String, notes: String?, tags: [String] = [],
    isRepetitionConflict: Bool, now: Timestamp
  ) throws -> [Entry] {
    let row = try tables.activities.undeletedRow(of: id)
    let activity = try tables.activities.activity(row)
    let isDone = try database.cachedStatement(
      sql: "SELECT 1 FROM completion WHERE activityID = ? AND day = ?")
    let taken = try times.map(\.localDay).filter {
      try Int.fetchOne(isDone, arguments: [row, $0.description]) != nil
    }
    guard taken.isEmpty || !isRepetitionConflict else {
      throw CatalogError(
        .conflict,
        "“\(activity.name)” was done already on \(taken.shortList). Nothing was written down.")
    }
    let days = Set(taken)
    return try insert(
      of: activity, at: times.filter { !days.contains($0.localDay) }, source: source,
      notes: notes, tags: tags, now: now)
  }

  func insert(
    of activity: Activity, at times: [EntryTime], source: String, notes: String?,
    tags: [String] = [], now: Timestamp
  ) throws -> [Entry] {
    let reference = ActivityReference(
      id: activity.id, name: activity.name, emoji: activity.details.emoji)
    let drafts = times.map { time in
      EntryDraft(
        time: time, notes: notes, tags: tags, plant: activity.plant?.id,
        content: .completion(Completion(activity: reference, source: source)))
    }
    return try tables.entries.add(drafts, now: now)
  }

  /// Restores the activity of a completion that is restored from the trash, if it was deleted.
  func restoreActivity(ofEntry entry: Int64) throws {
    let deleted = try Row.fetchOne(
      database,
      sql: """
        SELECT a.id, a.name, a.plantID FROM completion c JOIN activity a ON a.id = c.activityID
        WHERE c.entryID = ? AND a.deletedAt IS NOT NULL
        """, arguments: [entry])
    guard let deleted else { return }
    try tables.activities.checkName(deleted["name"], of: nil)
    let plant = try (deleted["plantID"] as Int64?).map { try tables.plants.undeletedRow($0) }
    try tables.activities.setDeleted(nil, deleted["id"])
    try tables.activities.setPlant(plant, deleted["id"])
  }

  /// Updates the search text of an activity's completions, which has its name and emoji.
  func reword(ofActivity activity: Int64) throws {
    try database.execute(
      sql: """
        UPDATE entry SET words = ?1 WHERE words IS NOT ?1
          AND id IN (SELECT entryID FROM completion WHERE activityID = ?2)
        """, arguments: [tables.activities.reference(activity).words, activity])
  }
}
