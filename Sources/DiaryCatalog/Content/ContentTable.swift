internal import DiaryModel
internal import GRDB

/// The owner of a table that has the content of entries of one kind, a row an entry.
protocol ContentTable: CatalogTable {
  /// The contents of entries by their rows; those that have none are left out.
  func contents(of entries: RowList) throws -> [Int64: EntryContent]
}

extension ContentTable {
  /// The rows that a query finds which ends in the condition for the rows of entries; its column
  /// `entryID` tells them apart.
  func contents(
    _ sql: String, of entries: RowList, _ content: (Row) throws -> EntryContent
  ) throws -> [Int64: EntryContent] {
    let statement = try database.cachedStatement(
      sql: sql + " IN (SELECT value FROM json_each(?))")
    let rows = try Row.fetchCursor(statement, arguments: [entries])
    var contents: [Int64: EntryContent] = [:]
    while let row = try rows.next() { contents[row["entryID"]] = try content(row) }
    return contents
  }

  /// Puts a row in the place of the one with its key, if there is one.
  func replace(
    in table: String, _ values: KeyValuePairs<String, (any DatabaseValueConvertible)?>
  ) throws {
    let names = values.map(\.key).joined(separator: ", ")
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(table) (\(names)) VALUES (\(marks))"
    ).execute(arguments: StatementArguments(values.map(\.value)))
  }
}

extension CatalogTables {
  /// The contents of entries of a kind. Photos have theirs with the entry (`EntryRow`).
  func contents(of kind: EntryKind, _ entries: RowList) throws -> [Int64: EntryContent] {
    switch kind {
    case .photo: [:]
    case .symptom: try symptoms.contents(of: entries)
    case .dailyLog: try logs.contents(of: entries)
    case .episode: try episodes.contents(of: entries)
    case .mood: try moods.contents(of: entries)
    case .quote: try favourites.contents(of: entries)
    case .completion: try completions.contents(of: entries)
    }
  }

  /// The content of the entry in a row.
  func content(of kind: EntryKind, _ row: Int64) throws -> EntryContent {
    guard let content = try contents(of: kind, RowList(rows: [row]))[row] else {
      throw CatalogError(.damaged, "An entry in the catalog is there only in part.")
    }
    return content
  }

  /// Puts content in the place of what the entry in a row has, if it has any.
  func setContent(_ content: EntryContent, ofEntry row: Int64, now: Timestamp) throws {
    switch content {
    case .photo: preconditionFailure("photos come by import")
    case .symptom(let symptom): try symptoms.set(symptom, ofEntry: row)
    case .dailyLog(let log): try logs.set(log, ofEntry: row)
    case .episode(let episode): try episodes.set(episode, ofEntry: row)
    case .mood(let mood): try moods.set(mood, ofEntry: row)
    case .quote(let quote): try favourites.set(quote, ofEntry: row, now: now)
    case .completion(let completion): try completions.set(completion, ofEntry: row)
    }
  }
}
