package import DiaryModel
internal import Foundation
internal import GRDB

extension Catalog {
  /// Adds a plant, in one transaction that can be taken back.
  package func addPlant(_ details: PlantDetails, now: Timestamp) throws -> Plant {
    let details = try details.checked()
    let id = try change(.plantAdd, now: now) { database, _ in
      try Self.checkName(details.name, of: nil, database)
      return try Self.insert(details, now: now, database).id
    }
    return try plant(id.description)
  }

  /// Changes what is said of a plant, in one transaction that can be taken back.
  package func editPlant(
    _ id: PlantID, as kind: ChangeKind = .plantEdit, now: Timestamp,
    _ body: (inout PlantDetails) throws -> Void
  ) throws -> Plant {
    try change(kind, now: now) { database, _ in
      let row = try Self.row(of: id, database)
      let before = try Self.details(row, database)
      var after = before
      try body(&after)
      after = try after.checked()
      guard after != before else { return }
      try Self.checkName(after.name, of: row, database)
      try Self.set(after, row, database)
    }
    return try plant(id.description)
  }

  /// Gives all entries and activities of a plant to another one, in the trash or not, and deletes it. What the other
  /// does not say of itself it takes over.
  ///
  /// - Returns: how many entries went over.
  package func merge(_ source: PlantID, into target: PlantID, now: Timestamp) throws -> Int {
    guard source != target else {
      throw CatalogError(.invalid, "A plant cannot be merged into itself.")
    }
    return try change(.plantEdit, now: now) { database, now in
      let (from, into) = try (Self.row(of: source, database), Self.row(of: target, database))
      let entries = try Int64.fetchAll(
        database, sql: "SELECT id FROM entry WHERE plantID = ?", arguments: [from])
      try database.execute(
        sql: "UPDATE entry SET plantID = ? WHERE plantID = ?",
        arguments: [into, from])
      for activity in try Self.activities(ofPlant: from, orDeleted: true, database) {
        try database.execute(
          sql: "UPDATE activity SET plantID = ? WHERE id = ?",
          arguments: [into, activity])
      }
      let other = try Self.details(from, database)
      var details = try Self.details(into, database)
      details.scientificName = details.scientificName ?? other.scientificName
      details.location = details.location ?? other.location
      let notes = [details.notes, other.notes].compactMap { $0 }
      details.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
      try Self.set(details, into, database)
      try Self.delete(from, now, database)
      return entries.count
    }
  }

  /// Moves a plant's entries and its activities with what was done of them into the trash, and the
  /// plant after them.
  ///
  /// - Returns: how many entries went.
  package func deletePlant(_ id: PlantID, now: Timestamp) throws -> Int {
    try change(.plantDelete, now: now) { database, now in
      let row = try Self.row(of: id, database)
      var completionCount = 0
      for activity in try Self.activities(ofPlant: row, orDeleted: false, database) {
        completionCount += try Self.delete(activity: activity, now, database)
      }
      let entries = try Int64.fetchAll(
        database, sql: "SELECT id FROM entry WHERE plantID = ? AND deletedAt IS NULL",
        arguments: [row])
      try database.execute(
        sql: "UPDATE entry SET deletedAt = ? WHERE plantID = ? AND deletedAt IS NULL",
        arguments: [now.milliseconds, row])
      try Self.delete(row, now, database)
      return completionCount + entries.count
    }
  }

  private static func activities(
    ofPlant plant: Int64, orDeleted: Bool, _ database: Database
  ) throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: "SELECT id FROM activity WHERE plantID = ? AND (? OR deletedAt IS NULL) ORDER BY rank",
      arguments: [plant, orDeleted])
  }

  /// What would go with a plant: its activities, and by kind the entries of it and of those.
  package func holdings(of plant: PlantID) throws -> (activities: Int, entries: [EntryKind: Int]) {
    try read { database in
      let row = try Self.row(of: plant, database)
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT kind, count(*) FROM entry WHERE deletedAt IS NULL AND id IN (
            SELECT id FROM entry WHERE plantID = ?1 AND deletedAt IS NULL
            UNION SELECT c.entryID FROM completion c JOIN activity a ON a.id = c.activityID
              WHERE a.plantID = ?1 AND a.deletedAt IS NULL)
          GROUP BY kind
          """, arguments: [row])
      let entries: [EntryKind: Int] = rows.reduce(into: [:]) { counts, row in
        if let kind = EntryKind(rawValue: row[0]) { counts[kind] = row[1] }
      }
      return (try Self.activities(ofPlant: row, orDeleted: false, database).count, entries)
    }
  }

  /// How many entries on the timeline belong to a plant, by kind.
  package func entryCounts(of plant: PlantID) throws -> [EntryKind: Int] {
    try readOnce { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT kind, count(*) FROM entry
          WHERE plantID = (SELECT id FROM plant WHERE publicID = ?) AND deletedAt IS NULL
          GROUP BY kind
          """, arguments: [plant.description])
      return rows.reduce(into: [:]) { counts, row in
        if let kind = EntryKind(rawValue: row[0]) { counts[kind] = row[1] }
      }
    }
  }

  private static func details(_ row: Int64, _ database: Database) throws -> PlantDetails {
    guard
      let found = try Row.fetchOne(
        database, sql: "SELECT * FROM plant WHERE id = ?", arguments: [row])
    else { throw CatalogError(.damaged, "A plant is gone from the catalog.") }
    return PlantDetails(
      name: found["name"], scientificName: found["scientificName"], location: found["location"],
      notes: found["notes"])
  }

  private static func set(
    _ details: PlantDetails, _ row: Int64, _ database: Database
  ) throws {
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

  private static func delete(_ row: Int64, _ time: Timestamp, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE plant SET deletedAt = ? WHERE id = ?",
      arguments: [time.milliseconds, row])
  }

  /// The unique index refuses it too, in SQLite's words.
  private static func checkName(_ name: String, of row: Int64?, _ database: Database) throws {
    let holder = try Row.fetchOne(
      database,
      sql: "SELECT name FROM plant WHERE foldedName = ? AND deletedAt IS NULL AND id IS NOT ?",
      arguments: [foldedName(name), row])
    if let holder {
      throw CatalogError(
        .nameTaken,
        "A plant is called “\(holder[0] as String)” already. `leaflog plant edit --merge-into` makes "
          + "one of two.")
    }
  }
}

extension PlantDetails {
  /// Trimmed, empty details gone.
  ///
  /// - Throws: when the name is none.
  func checked() throws -> PlantDetails {
    func tidy(_ text: String?) -> String? {
      let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines)
      return trimmed?.isEmpty == false ? trimmed : nil
    }
    guard let name = tidy(name) else {
      throw CatalogError(.invalid, "A plant needs a name.")
    }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw CatalogError(.invalid, "A plant's name is one line, without control characters.")
    }
    return PlantDetails(
      name: name.precomposedStringWithCanonicalMapping, scientificName: tidy(scientificName),
      location: tidy(location),
      notes: tidy(notes))
  }
}
