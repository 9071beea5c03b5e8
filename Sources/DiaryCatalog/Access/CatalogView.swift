package import DiaryModel
internal import GRDB

/// The part of a catalog that somebody with limited access sees: photos, plants, and the activities of plants with the
/// days on which they were done; of all plants, or of one.
///
/// A connection that is limited to it has a view of that part in place of each table (SQLite looks for a name among
/// temporary views first: https://www.sqlite.org/lang_naming.html), so no query sees beyond it. Tables that are not named
/// here are empty in it, such as those of a later version of the schema.
package enum CatalogView: Sendable, Hashable {
  case plants
  case plant(PlantID)

  /// Whether rows of a table belong to the view, as SQL in terms of the table's columns; nil for a table of which none do.
  func condition(of table: String) -> String? {
    switch table {
    case "plant": isOf("id", butNull: false)
    case "entry": entry
    case "entryTag": ofEntry(entry)
    case "photo": ofEntry("kind = 'photo' AND " + isOf("plantID", butNull: false))
    case "rendition", "sentPhoto":
      "(SELECT \(isOf("plantID", butNull: false)) FROM main.entry WHERE id = photoID)"
    case "activity": isOf("plantID")
    case "plantAlias": isOf("plantID", butNull: false)
    case "completion": ofEntry(entry)
    case "setting": "key IN (\(Self.settings))"
    // Digests and notes of the place, which have no words.
    case "blob", "blobUpkeep", "trashedBlob", "retiredKey", "head", "newestFrame", "state", "place",
      "answeredRequest":
      "TRUE"
    default: nil
    }
  }

  /// The condition of entries. A completion belongs to the plant that it was done for, as long as the activity belongs to
  /// the view, too: that may have moved to another plant since.
  private var entry: String {
    """
    (kind = 'photo' AND \(isOf("plantID", butNull: false))
      OR kind = 'completion' AND \(isOf("plantID"))
        AND (SELECT \(isOf("a.plantID")) FROM main.completion c
          JOIN main.activity a ON a.id = c.activityID WHERE c.entryID = entry.id))
    """
  }

  private func ofEntry(_ condition: String) -> String {
    "(SELECT \(condition) FROM main.entry WHERE id = entryID)"
  }

  /// Whether a column has a plant of the view.
  ///
  /// - Parameter butNull: false where rows without a plant belong to a view of all plants.
  private func isOf(_ column: String, butNull: Bool = true) -> String {
    switch self {
    case .plants: butNull ? "\(column) IS NOT NULL" : "TRUE"
    case .plant(let id):
      "\(column) = (SELECT id FROM main.plant WHERE publicID = \(id.description.sqlLiteral))"
    }
  }

  /// The settings that reading and importing photos depend on. None of them has words of the owner's.
  private static let settings = [
    SettingKey.timeZone, .isTimeZoneGuess, .policy, .maxImportFileSize, .disclaimer, .language,
    .dayEnd, .weekStart,
  ].map(\.rawValue.sqlLiteral).joined(separator: ", ")
}

extension String {
  /// A string literal of SQL.
  fileprivate var sqlLiteral: String { "'\(replacing("'", with: "''"))'" }
}

extension CatalogView {
  /// Limits a connection.
  func limit(_ database: Database) throws {
    let names = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name NOT LIKE 'entryText%' AND name NOT LIKE 'plantText%'
        """)
    for name in names {
      // The totals of the view are counted: those of the catalog say how much there is beyond it.
      let rows =
        name == "total"
        ? "SELECT subject, kind, \(Self.counted("count(*)")) AS count, "
          + "\(Self.counted("coalesce(sum(p.sourceByteCount), 0)")) AS byteCount FROM main.total t"
        : "SELECT * FROM main.\(name) WHERE \(condition(of: name) ?? "FALSE")"
      try database.execute(sql: "CREATE TEMP VIEW \(name) AS \(rows)")
    }
  }

  /// Whether a connection is limited.
  static func limits(_ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sqlite_temp_schema)")) ?? false
  }

  private static func counted(_ value: String) -> String {
    """
    (SELECT \(value) FROM entry e LEFT JOIN photo p ON p.entryID = e.id
      WHERE t.subject = 'entry' AND e.kind = t.kind AND e.deletedAt IS NULL)
    """
  }
}

extension Catalog {
  /// The same catalog for somebody with limited access. Its reads see nothing beyond the view, and a transaction that
  /// changes something beyond it is refused.
  package convenience init(_ other: Catalog, limitedTo view: CatalogView) throws {
    let path = other.path
    let limited = try Self.translating { () -> any DatabaseReader in
      var configuration = Self.configuration
      configuration.maximumReaderCount = 3
      configuration.prepareDatabase {
        // Each limited scope has connections of its own.
        try $0.execute(sql: "PRAGMA cache_size = -1024")
        try view.limit($0)
      }
      guard other.writer != nil else {
        return try Self.openReadOnly(path, configuration)
      }
      configuration.readonly = true
      return try DatabasePool(path: path, configuration: configuration)
    }
    self.init(other, reader: limited, view: view)
  }
}

/// The check that a transaction stays within a view.
struct LimitedChange {
  let view: CatalogView
  /// Sees the view as it was before the transaction.
  let reader: any DatabaseReader

  /// - Throws: `CatalogError` with code `notFound` when the transaction has changed a row that was beyond the view before,
  ///   or is after. It says the same whether there is such a thing or not.
  func check(_ changeset: Changeset, in database: Database) throws {
    try changeset.forEach { row in
      guard let condition = view.condition(of: row.table) else { throw Self.beyond }
      // An alias goes with its name being taken, whosever it was.
      if row.table == "plantAlias", row.operation == .delete { return }
      let key = row.key
      let name = try key.condition(database)
      if row.operation != .insert {
        try require(reader.read { try Self.finds("\(row.table) WHERE \(name)", key, $0) })
      }
      if row.operation != .delete {
        try require(
          Self.finds("main.\(row.table) WHERE \(name) AND \(condition)", key, database))
      }
    }
  }

  /// - Throws: `CatalogError` with code `notFound` when a former change was of something beyond the view, as far as it still
  ///   exists; the rest is checked once it is back.
  func checkPresence(_ changeset: Changeset, in database: Database) throws {
    try changeset.forEach { row in
      guard let condition = view.condition(of: row.table) else { throw Self.beyond }
      let (key, name) = (row.key, try row.key.condition(database))
      let isThere = try Self.finds("main.\(row.table) WHERE \(name)", key, database)
      try require(
        !isThere || Self.finds("main.\(row.table) WHERE \(name) AND \(condition)", key, database))
    }
  }

  private static func finds(
    _ rows: String, _ key: Changeset.RowKey, _ database: Database
  ) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM \(rows)"), arguments: key.arguments) != nil
  }

  private func require(_ isWithin: Bool) throws { if !isWithin { throw Self.beyond } }

  private static let beyond = CatalogError(
    .notFound, "There is no such thing, or it is beyond what this token may do.")
}
