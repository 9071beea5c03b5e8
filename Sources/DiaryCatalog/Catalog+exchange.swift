package import DiaryModel
internal import GRDB

extension Catalog {
  /// Reads what an export needs; all of it is of one state of the catalog.
  package func exchange<Value>(_ body: (ExchangeReader) throws -> Value) throws -> Value {
    try read { try body(ExchangeReader(database: $0)) }
  }
}

/// What an export reads, in an order that depends on what is said and not on how it lies there.
package struct ExchangeReader {
  let database: Database

  /// The plants that are there, and of those in the trash the ones that the diary refers to.
  package func plants() throws -> [ExchangedPlant] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM plant WHERE deletedAt IS NULL
          OR id IN (SELECT plantID FROM entry WHERE plantID IS NOT NULL AND kind <> 'photo')
          OR id IN (SELECT plantID FROM activity WHERE plantID IS NOT NULL)
        ORDER BY foldedName, publicID
        """
    ).map { row in
      ExchangedPlant(
        id: PlantID(stored: row["publicID"]),
        details: PlantDetails(
          name: row["name"], scientificName: row["scientificName"], location: row["location"],
          notes: row["notes"]),
        createdAt: time(row["createdAt"]), deletedAt: time(row["deletedAt"]))
    }
  }

  /// All activities with the names of their plants.
  package func activities() throws -> [(activity: ExchangedActivity, plantName: String?)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT a.*, p.publicID AS plantPublicID, p.name AS plantName
        FROM activity a LEFT JOIN plant p ON p.id = a.plantID
        ORDER BY a.rank, a.createdAt, a.publicID
        """
    ).map { row in
      let details = ActivityDetails(
        name: row["name"], emoji: row["emoji"], category: row["category"],
        startFrom: try database.day(row["startFrom"]), notes: row["notes"],
        everyDays: row["everyDays"], weeklyGoal: row["weeklyGoal"],
        monthlyGoal: row["monthlyGoal"], iconName: row["iconName"])
      let activity = ExchangedActivity(
        id: ActivityID(stored: row["publicID"]), details: details,
        plant: (row["plantPublicID"] as String?).map { .id(PlantID(stored: $0)) },
        rank: row["rank"], createdAt: time(row["createdAt"]), deletedAt: time(row["deletedAt"]))
      return (activity, row["plantName"])
    }
  }

  /// The quotes that are kept: written down, fetched, or favourites.
  package func quotes() throws -> [ExchangedQuote] {
    let days = try Row.fetchAll(database, sql: "SELECT quoteID, day FROM dayQuote ORDER BY day")
      .reduce(into: [Int64: [LocalDay]]()) { days, row in
        days[row["quoteID"], default: []].append(try database.day(row["day"]))
      }
    return try Row.fetchAll(database, sql: "SELECT * FROM quote ORDER BY createdAt, publicID")
      .map { row in
        ExchangedQuote(
          quote: try database.quote(row), createdAt: time(row["createdAt"]),
          days: days[row["id"]] ?? [])
      }
  }

  /// The settings that go from one library to another.
  package func settings() throws -> [SettingKey: String] {
    try DiaryBatch.settingKeys.reduce(into: [:]) { settings, key in
      settings[key] = try String.fetchOne(
        database, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key.rawValue])
    }
  }

  /// Reads entries other than photos one by one, oldest first.
  ///
  /// - Parameters:
  ///   - kind: only this one; nil takes all, with those in the trash.
  ///   - first: the first day to include; nil goes back to the beginning.
  ///   - last: the last day to include; nil goes on to the end.
  package func entries(
    of kind: EntryKind? = nil, from first: LocalDay? = nil, to last: LocalDay? = nil,
    _ body: (Entry) throws -> Void
  ) throws {
    var (condition, arguments): (String, StatementArguments) = ("e.kind <> 'photo'", [])
    if let kind {
      (condition, arguments) = ("e.kind = ? AND e.deletedAt IS NULL", [kind.rawValue])
    }
    for (day, sign) in [(first, ">="), (last, "<=")] {
      guard let day else { continue }
      condition += " AND e.localDay \(sign) ?"
      arguments += [day.description]
    }
    let rows = try EntryRow?.fetchCursor(
      database, sql: EntrySelection.sql + " WHERE \(condition) ORDER BY e.occurredAt, e.seq",
      arguments: arguments)
    while let row = try rows.next() {
      guard let row else {
        throw CatalogError(.damaged, "An entry in the catalog makes no sense to this version.")
      }
      try body(row.entry(try database.content(of: row.kind, row.row)))
    }
  }

  private func time(_ milliseconds: Int64?) -> Timestamp? {
    milliseconds.map { Timestamp(milliseconds: $0) }
  }
}
