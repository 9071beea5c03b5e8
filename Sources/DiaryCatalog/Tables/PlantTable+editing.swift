package import DiaryModel
internal import Foundation
internal import GRDB

extension PlantTable {
  /// Adds a plant.
  ///
  /// - Throws: `CatalogError` with code `nameTaken` when another plant has its name.
  package func add(_ details: PlantDetails, now: Timestamp) throws -> Plant {
    let details = try details.checked()
    try checkName(details.name, of: nil)
    try checkAliases(details.aliases, since: [], of: nil)
    let id = PlantID.random()
    try insert(details, id: id, now: now)
    return try named(id.description)
  }

  /// Changes the details of a plant. Its former name becomes an alias.
  package func edit(_ id: PlantID, _ body: (inout PlantDetails) throws -> Void) throws -> Plant {
    let row = try row(of: id)
    let before = try details(row)
    var after = before
    try body(&after)
    after = try after.checked()
    if after != before {
      try checkName(after.name, of: row)
      try checkAliases(after.aliases, since: before.aliases + [before.name], of: row)
      try set(after, row)
      if foldedName(after.name) != foldedName(before.name) {
        try addAliases([before.name], to: row)
      }
    }
    return try named(id.description)
  }

  /// Moves all entries and activities of a plant to another one, even those in the trash, and deletes it. The
  /// other takes over the details that it lacks, the notes, and the name and the aliases as aliases.
  ///
  /// - Returns: the number of entries moved.
  package func merge(_ source: PlantID, into target: PlantID, now: Timestamp) throws -> Int {
    guard source != target else {
      throw CatalogError(.invalid, "A plant cannot be merged into itself.")
    }
    let (from, into) = try (row(of: source), row(of: target))
    try database.execute(
      sql: "UPDATE entry SET plantID = ? WHERE plantID = ?", arguments: [into, from])
    let count = database.changesCount
    try database.execute(
      sql: "UPDATE activity SET plantID = ? WHERE plantID = ?", arguments: [into, from])
    let other = try details(from)
    var details = try details(into)
    details.take(over: other)
    // First, as its name is no alias while it is a plant's.
    try setDeleted(now, from)
    try set(details, into)
    return count
  }

  /// Moves a plant to the trash, with its entries, its activities and their completions.
  ///
  /// - Returns: the number of entries moved.
  package func delete(_ id: PlantID, now: Timestamp) throws -> Int {
    let row = try row(of: id)
    var count = 0
    for activity in try tables.activities.rows(ofPlant: row, orDeleted: false) {
      count += try tables.activities.delete(activity, now: now)
    }
    try database.execute(
      sql: "UPDATE entry SET deletedAt = ? WHERE plantID = ? AND deletedAt IS NULL",
      arguments: [now.milliseconds, row])
    count += database.changesCount
    try setDeleted(now, row)
    return count
  }

  /// Sets the details of a plant, which may be in the trash.
  func set(_ details: PlantDetails, of id: PlantID) throws {
    try set(details.checked(), row(of: id))
  }

  private func details(_ row: Int64) throws -> PlantDetails {
    let found = try present(
      Row.fetchOne(database, sql: "SELECT * FROM plant WHERE id = ?", arguments: [row]))
    return try PlantDetails(found, aliases: aliases(of: row))
  }

  private func set(_ details: PlantDetails, _ row: Int64) throws {
    try update(details, row)
    if try !isDeleted(row) { try removeAlias(details.name) }
    try setAliases(details.aliases, of: row)
  }
}

extension PlantDetails: NamedDetails {
  init(_ row: Row, aliases: [String]) throws {
    self = try Self.fields.thing(in: row, from: .blank)
    self.aliases = aliases
  }

  /// Takes over from a plant that is merged into this one: what this one lacks, the notes, and the names as aliases.
  fileprivate mutating func take(over other: PlantDetails) {
    let notes = [notes, other.notes].compactMap { $0 }
    for field in Self.fields.all where field.get(self) == .null {
      _ = field.restore(field.get(other), in: &self)
    }
    self.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
    aliases += other.aliases + [other.name]
  }

  /// The validated details, with trimmed texts and without empty ones.
  ///
  /// - Throws: `InvalidValue` when the name is empty or has control characters.
  func checked() throws -> PlantDetails {
    var checked = try Self.fields.checked(self)
    checked.name = checked.name.precomposedStringWithCanonicalMapping
    var seen: Set = [foldedName(checked.name)]
    checked.aliases = checked.aliases.map(\.precomposedStringWithCanonicalMapping)
      .filter { seen.insert(foldedName($0)).inserted }
    return checked
  }
}

extension PlantTable {
  /// Restores a plant from the trash, with the activities and the entries that were deleted with it.
  ///
  /// - Returns: the number of entries restored; nil when the plant is not deleted.
  /// - Throws: `CatalogError` with code `nameTaken` when another plant has its name by now.
  package func restore(_ id: PlantID) throws -> Int? {
    let row = try row(of: id)
    let plant = try Row.fetchOne(
      database, sql: "SELECT name, deletedAt FROM plant WHERE id = ?", arguments: [row])
    guard let plant, let deletedAt: Int64 = plant["deletedAt"] else { return nil }
    let name: String = plant["name"]
    // Not as the other one is spelled: that may be beyond what a token sees.
    if try holder(of: name) != nil {
      throw CatalogError(
        .nameTaken, "Another plant is called “\(name)” by now. Rename that one first.")
    }
    try setDeleted(nil, row)
    do {
      return try restore(deletedAt, withPlant: row)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      let (code, blocker) = Self.blocker(error)
      throw CatalogError(
        code, "“\(name)” cannot be restored: \(blocker). Nothing was restored.")
    }
  }

  /// Restores the rows with the plant's time of deletion. No two changes have the same time, so they were
  /// deleted with it.
  private func restore(_ deletedAt: Int64, withPlant plant: Int64) throws -> Int {
    let activities = try Row.fetchAll(
      database, sql: "SELECT id, name FROM activity WHERE plantID = ? AND deletedAt = ?",
      arguments: [plant, deletedAt])
    let entries = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM entry WHERE plantID = ?1 AND deletedAt = ?2
        UNION SELECT e.id FROM activity a JOIN completion c ON c.activityID = a.id
          JOIN entry e ON e.id = c.entryID
          WHERE a.plantID = ?1 AND a.deletedAt = ?2 AND e.deletedAt = ?2
        """, arguments: [plant, deletedAt])
    for activity in activities {
      try tables.activities.checkName(activity["name"], of: nil)
      try tables.activities.setDeleted(nil, activity["id"])
    }
    let restore = try database.cachedStatement(
      sql: "UPDATE entry SET deletedAt = NULL WHERE id = ?")
    for entry in entries { try restore.execute(arguments: [entry]) }
    return entries.count
  }

  /// The conflict with a row from the trash, by the unique index that rejected it.
  private static func blocker(_ error: DatabaseError) -> (CatalogError.Code, String) {
    switch UniqueIndex(error) {
    case .name: (.nameTaken, "another activity has the name by now; rename that one first")
    case .day: (.conflict, "its day has another one by now")
    case .completion: (.conflict, "it was done again on the same day by now")
    case nil: (.conflict, error.message ?? "error \(error.extendedResultCode.rawValue)")
    }
  }
}
