package import DiaryModel
internal import GRDB

// The rows that an export reads, in an order that depends on their content and not on their ids.

extension PlantTable {
  /// All plants, but of those in the trash only the ones that the diary refers to.
  ///
  /// - Parameter all: whether to include the others as well.
  package func exchanged(all: Bool = false) throws -> [ExchangedPlant] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM plant WHERE deletedAt IS NULL OR \(all ? "TRUE" : "FALSE")
          OR id IN (SELECT plantID FROM entry WHERE plantID IS NOT NULL AND kind <> 'photo')
          OR id IN (SELECT plantID FROM activity WHERE plantID IS NOT NULL)
        ORDER BY foldedName, publicID
        """
    ).map(ExchangedPlant.init)
  }
}

extension ExchangedPlant {
  init(_ row: Row) {
    self.init(
      id: PlantID(stored: row["publicID"]), details: PlantDetails(row),
      createdAt: Timestamp(stored: row["createdAt"]),
      deletedAt: Timestamp(stored: row["deletedAt"]))
  }
}

extension ActivityTable {
  /// All activities with the names of their plants.
  package func exchanged() throws -> [(activity: ExchangedActivity, plantName: String?)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT a.*, p.publicID AS plantPublicID, p.name AS plantName
        FROM activity a LEFT JOIN plant p ON p.id = a.plantID
        ORDER BY a.rank, a.createdAt, a.publicID
        """
    ).map { row in
      let activity = ExchangedActivity(
        id: ActivityID(stored: row["publicID"]), details: try ActivityDetails(row),
        plant: (row["plantPublicID"] as String?).map { .id(PlantID(stored: $0)) },
        rank: row["rank"], createdAt: Timestamp(stored: row["createdAt"]),
        deletedAt: Timestamp(stored: row["deletedAt"]))
      return (activity, row["plantName"])
    }
  }
}

extension QuoteTable {
  /// The stored quotes: written by the user, fetched, or favourites.
  package func exchanged() throws -> [ExchangedQuote] {
    let days = try days()
    return try Row.fetchAll(database, sql: "SELECT * FROM quote ORDER BY createdAt, publicID")
      .map { row in
        ExchangedQuote(
          quote: try Quote(stored: row), createdAt: Timestamp(stored: row["createdAt"]),
          deletedAt: Timestamp(stored: row["deletedAt"]), days: days[row["id"]] ?? [])
      }
  }
}

extension SettingTable {
  /// The settings that are transferred between libraries.
  package func exchanged() throws -> [SettingKey: String] {
    try DiaryBatch.settingKeys.reduce(into: [:]) { $0[$1] = try self[$1] }
  }
}

extension EntryTable {
  /// Reads entries other than photos one by one, oldest first.
  ///
  /// - Parameters:
  ///   - kind: the kind, without entries in the trash; nil means all kinds, including those in the trash.
  ///   - first: the first day to include; nil starts at the beginning.
  ///   - last: the last day to include; nil continues to the end.
  package func forEach(
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
      database,
      sql: EntrySelection.sql + " WHERE \(condition) ORDER BY \(EntrySelection.oldestFirst)",
      arguments: arguments)
    var batch: [EntryRow] = []
    while let row = try rows.next() {
      guard let row else { throw EntryRow.unknown }
      batch.append(row)
      if batch.count == 500 {
        try entries(batch).forEach(body)
        batch.removeAll()
      }
    }
    try entries(batch).forEach(body)
  }
}
