internal import DiaryModel
internal import GRDB

/// The owner of a table with the content of entries of one kind, one row per entry.
protocol ContentTable: CatalogTable {
  /// The kind of its entries.
  static var kind: EntryKind { get }
  /// The table's name; its column `entryID` is its primary key.
  static var name: String { get }
  /// The contents of entries by row; entries without content are left out.
  func contents(of entries: RowList) throws -> [Int64: EntryContent]
}

extension ContentTable {
  /// The ids of entries of the kind that have no row.
  func entriesWithoutContent(limit: Int) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT publicID FROM entry WHERE kind = '\(Self.kind.rawValue)'
          AND NOT EXISTS (SELECT 1 FROM \(Self.name) WHERE entryID = entry.id) LIMIT ?
        """, arguments: [limit])
  }

  /// The contents that a query finds, by its column `entryID`. The query ends in the column that is
  /// restricted to the rows of `entries`.
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

  /// Inserts the row of an entry, or updates the one that it has. A replacement would not fire triggers of deletions.
  func put(_ row: Int64, _ columns: [(name: String, value: DatabaseValue)]) throws {
    let names = columns.map { ", " + $0.name }.joined()
    let marks = columns.map { _ in ", ?" }.joined()
    let updates = columns.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
    try database.cachedStatement(
      sql: """
        INSERT INTO \(Self.name) (entryID\(names)) VALUES (?\(marks))
        ON CONFLICT (entryID) DO UPDATE SET \(updates)
        """
    ).execute(arguments: [row] + StatementArguments(columns.map(\.value)))
  }
}

extension CatalogTables {
  /// The owner of the table of a kind.
  static func contentTable(of kind: EntryKind) -> any ContentTable.Type {
    switch kind {
    case .photo: PhotoTable.self
    case .symptom: SymptomTable.self
    case .dailyLog: DailyLogTable.self
    case .episode: EpisodeTable.self
    case .mood: MoodTable.self
    case .quote: FavouriteQuoteTable.self
    case .completion: CompletionTable.self
    }
  }

  /// The contents of entries of a kind. Those of photos are read with the entry (`EntryRow`).
  func contents(of kind: EntryKind, _ entries: RowList) throws -> [Int64: EntryContent] {
    try Self.contentTable(of: kind).init(database: database).contents(of: entries)
  }

  /// The content of the entry in a row.
  func content(of kind: EntryKind, _ row: Int64) throws -> EntryContent {
    guard let content = try contents(of: kind, RowList(rows: [row]))[row] else {
      throw CatalogError(.damaged, "An entry in the catalog is there only in part.")
    }
    return content
  }

  /// Sets the content of the entry in a row, replacing any it has.
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

  /// The content, validated and with its texts, lists and the values of factors in the form in which they are stored.
  ///
  /// - Parameter day: the entry's day.
  /// - Throws: `InvalidValue` for the first field with an invalid value.
  func checked(_ content: EntryContent, day: LocalDay) throws -> EntryContent {
    guard case .dailyLog(var log) = try content.checked(day: day) else {
      return try content.checked(day: day)
    }
    log.factors = try factorValues.checked(log.factors)
    return .dailyLog(log)
  }
}

/// The owner of `entryItem`: the lists of short texts of entries.
struct EntryItemTable: CatalogTable {
  enum List: String { case medication, symptom }

  let database: Database

  /// The lists of entries by row; entries without one are left out.
  func texts(_ list: List, of entries: RowList) throws -> [Int64: [String]] {
    let find = try database.cachedStatement(
      sql: """
        SELECT entryID, text FROM entryItem
        WHERE entryID IN (SELECT value FROM json_each(?)) AND list = ? ORDER BY entryID, position
        """)
    let rows = try Row.fetchCursor(find, arguments: [entries, list.rawValue])
    var texts: [Int64: [String]] = [:]
    while let row = try rows.next() { texts[row[0], default: []].append(row[1]) }
    return texts
  }

  func set(_ texts: [String], _ list: List, ofEntry row: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM entryItem WHERE entryID = ? AND list = ?")
      .execute(arguments: [row, list.rawValue])
    let insert = try database.cachedStatement(
      sql: "INSERT INTO entryItem (entryID, list, position, text) VALUES (?, ?, ?, ?)")
    for (position, text) in texts.enumerated() {
      try insert.execute(arguments: [row, list.rawValue, position, text])
    }
  }
}

extension CatalogTable {
  var items: EntryItemTable { EntryItemTable(database: database) }
}

/// The entries of a kind in a span of days, as a condition on the entries `e` of a query: a range of the index by kind.
struct EntrySpan {
  let kind: EntryKind
  let days: ClosedRange<LocalDay>

  static let condition = """
    e.deletedAt IS NULL AND e.kind = ? AND e.localDay BETWEEN ? AND ?
    """

  var arguments: StatementArguments {
    [kind.rawValue, days.lowerBound.description, days.upperBound.description]
  }
}

/// The ids of rows, or other whole numbers, as an argument for `json_each` (sqlite.org/json1.html), so that a statement
/// stays the same, and cached, however many there are.
struct RowList: DatabaseValueConvertible {
  let rows: [Int64]

  var databaseValue: DatabaseValue {
    "[\(rows.map(String.init).joined(separator: ","))]".databaseValue
  }

  // Never read: lists are only arguments, but GRDB requires this of all database values.
  static func fromDatabaseValue(_: DatabaseValue) -> RowList? { nil }
}
