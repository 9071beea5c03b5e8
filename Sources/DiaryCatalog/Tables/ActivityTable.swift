package import DiaryModel
internal import Fields
internal import GRDB

/// The owner of `activity`.
package struct ActivityTable: OrderedTable {
  typealias ID = ActivityID
  typealias Details = ActivityDetails

  static let noun = "activity"
  static let list = Remedy.listActivities

  let database: Database

  static func nameTaken(_ name: String, by holder: String) -> CatalogError {
    CatalogError(.nameTaken, "An activity is called “\(name)” already. Give it another name.")
  }

  /// All activities in user-defined order.
  ///
  /// - Parameter isCounting: whether to count the completions of each, which takes the longer, the more there are.
  package func all(isCounting: Bool = true) throws -> [Activity] {
    try all(where: "a.deletedAt IS NULL ORDER BY a.place", isCounting: isCounting)
  }

  /// The activity with this name, regardless of case, or with this id or an unambiguous start of it.
  package func named(_ nameOrID: String) throws -> Activity { try activity(find(nameOrID).row) }

  /// The activity with this id.
  package func activity(_ id: ActivityID) throws -> Activity { try activity(find(id).row) }

  /// The categories of activities, in order.
  package func categories() throws -> [String] {
    try String.fetchAll(
      database,
      sql: "SELECT DISTINCT category FROM activity WHERE deletedAt IS NULL ORDER BY category")
  }

  /// A single query: the last completion and the number of them come from the index of `completion` alone.
  private func all(
    where condition: String, _ arguments: StatementArguments = [], isCounting: Bool = true
  ) throws -> [Activity] {
    let count = "(SELECT count(*) FROM completion WHERE activityID = a.id AND day IS NOT NULL)"
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT a.*, p.publicID AS plantPublicID, p.name AS plantName,
            (SELECT max(day) FROM completion WHERE activityID = a.id) AS lastDone,
            \(isCounting ? count : "NULL") AS completionCount
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
  /// The row of an activity that is not deleted.
  func undeletedRow(of id: ActivityID) throws -> Int64 {
    let row = try row(of: id)
    let activity = try activity(row)
    guard activity.deletedAt == nil else {
      throw CatalogError(.notFound, "The activity “\(activity.name)” was deleted.")
    }
    return row
  }

  /// The rows of a plant's activities in their order.
  func rows(ofPlant plant: Int64, orDeleted: Bool) throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: "SELECT id FROM activity WHERE plantID = ? AND (? OR deletedAt IS NULL) ORDER BY rank",
      arguments: [plant, orDeleted])
  }

  func activity(_ row: Int64) throws -> Activity {
    try present(all(where: "a.id = ?", [row]).first)
  }

  func reference(_ row: Int64) throws -> ActivityReference {
    try ActivityReference(
      stored: present(
        Row.fetchOne(
          database.cachedStatement(sql: "SELECT publicID, name, emoji FROM activity WHERE id = ?"),
          arguments: [row])))
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
    return try insert(
      details, id: id, now: now,
      [
        "plantID": plantRow, "deletedAt": deletedAt?.milliseconds,
        "rank": rank ?? nextRank(orInTrash: false),
      ])
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
    try update(details, row)
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
    try rearrange(body)
    return try all()
  }

  func setDeleted(_ time: Timestamp?, _ row: Int64) throws {
    try update("deletedAt", time?.milliseconds, row)
  }

  func setPlant(_ plant: Int64?, _ row: Int64) throws { try update("plantID", plant, row) }

  /// Sets the details and the plant of an activity, which may be in the trash.
  func set(_ details: ActivityDetails, plant: PlantID?, of id: ActivityID) throws {
    let row = try row(of: id)
    try update(checked(details), row)
    try setPlant(plant.map { try tables.plants.row(of: $0) }, row)
    try tables.completions.reword(ofActivity: row)
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
extension ActivityDetails: NamedDetails {
  init(_ row: Row) throws { self = try Self.fields.thing(in: row, from: .blank) }
}

extension ActivityReference {
  init(stored row: Row) {
    self.init(id: ActivityID(stored: row["publicID"]), name: row["name"], emoji: row["emoji"])
  }
}
