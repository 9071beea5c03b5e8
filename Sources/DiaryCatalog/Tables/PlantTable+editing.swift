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
    let id = PlantID.random()
    try insert(details, id: id, now: now)
    return try named(id.description)
  }

  /// Changes the details of a plant.
  package func edit(_ id: PlantID, _ body: (inout PlantDetails) throws -> Void) throws -> Plant {
    let row = try row(of: id)
    let before = try details(row)
    var after = before
    try body(&after)
    after = try after.checked()
    if after != before {
      try checkName(after.name, of: row)
      try set(after, row)
    }
    return try named(id.description)
  }

  /// Moves all entries and activities of a plant to another one, even those in the trash, and deletes it. The
  /// other takes over the details that it lacks, and the notes.
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
    details.scientificName = details.scientificName ?? other.scientificName
    details.location = details.location ?? other.location
    let notes = [details.notes, other.notes].compactMap { $0 }
    details.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
    try set(details, into)
    try setDeleted(now, from)
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
    guard
      let found = try Row.fetchOne(
        database, sql: "SELECT * FROM plant WHERE id = ?", arguments: [row])
    else { throw CatalogError(.damaged, "A plant is gone from the catalog.") }
    return PlantDetails(found)
  }

  private func set(_ details: PlantDetails, _ row: Int64) throws {
    try database.execute(
      sql: """
        UPDATE plant SET name = ?, foldedName = ?, scientificName = ?, location = ?, notes = ?
        WHERE id = ?
        """,
      arguments: [
        details.name, foldedName(details.name), details.scientificName, details.location,
        details.notes, row,
      ])
  }

  /// Checks that a name is free. The unique index would reject it as well, but in SQLite's words.
  private func checkName(_ name: String, of row: Int64?) throws {
    let holder = try String.fetchOne(
      database,
      sql: "SELECT name FROM plant WHERE foldedName = ? AND deletedAt IS NULL AND id IS NOT ?",
      arguments: [foldedName(name), row])
    if let holder {
      throw CatalogError(
        .nameTaken, "A plant is called “\(holder)” already.", remedy: .mergePlants)
    }
  }
}

extension PlantDetails {
  init(_ row: Row) {
    self.init(
      name: row["name"], scientificName: row["scientificName"], location: row["location"],
      notes: row["notes"])
  }

  /// The validated details, with trimmed texts and without empty ones.
  ///
  /// - Throws: `CatalogError` with code `invalid` when the name is empty or has control characters.
  func checked() throws -> PlantDetails {
    guard let name = name.tidied else { throw CatalogError(.invalid, "A plant needs a name.") }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw CatalogError(.invalid, "A plant's name is one line, without control characters.")
    }
    return PlantDetails(
      name: name.precomposedStringWithCanonicalMapping, scientificName: scientificName?.tidied,
      location: location?.tidied, notes: notes?.tidied)
  }
}
