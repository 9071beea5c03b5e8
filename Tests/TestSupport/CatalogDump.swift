internal import DiaryCatalog
internal import Foundation
internal import GRDBSQLite

/// The contents of a catalog, one line per row.
///
/// The history is left out, as it still lists undone changes, and so is the commit count in the file's header, as
/// undoing is a commit too. The tables behind FTS5 hold segments that depend on the history of the index: instead, each
/// index is checked against its content and dumped as its words and their positions. Totals are checked against a count,
/// and all rows against their digests.
package struct CatalogDump: Sendable, Equatable {
  package struct Failure: Error { let message: String }

  private static let omitted: Set = [
    "sqlite_schema", "sqlite_sequence", "change", "changeStep", "otherCommit", "total", "dayTotal",
    "symptomTotal",
    "head", "newestFrame",
    "state", "place", "blobUpkeep",
  ]

  package let lines: Set<String>

  /// - Parameter isProved: whether every row has to be what its digest says.
  package init(path: String, isProved: Bool = true) throws {
    let database = try Connection(path)
    var lines: Set<String> = []
    func add(_ sql: String, _ name: String) throws {
      for row in try database.rows(sql) { lines.insert(name + ": " + row.joined(separator: " | ")) }
    }
    try add("SELECT type, name, tbl_name, sql FROM main.sqlite_schema", "schema")
    for table in try database.rows("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
    {
      switch table[1] {
      case "'shadow'": break
      case "'virtual'":
        let name = table[0].trimmingCharacters(in: ["'"])
        _ = try database.rows("INSERT INTO \(name) (\(name)) VALUES ('integrity-check')")
        _ = try database.rows(
          "CREATE VIRTUAL TABLE temp.\(name)Words USING fts5vocab (main, \(name), instance)")
        try add("SELECT * FROM temp.\(name)Words", name)
      default:
        let name = table[0].trimmingCharacters(in: ["'"])
        if !Self.omitted.contains(name) { try add("SELECT * FROM main.\(name)", name) }
      }
    }
    var wrong = try database.rows(Self.wrongTotals)
    if lines.contains(where: { $0.hasPrefix("schema: 'table' | 'dayTotal'") }) {
      wrong += try database.rows(Self.wrongDays) + database.rows(Self.wrongSymptoms)
    }
    guard wrong.isEmpty else { throw Failure(message: "totals: \(wrong)") }
    self.lines = lines
    guard isProved else { return }
    let catalog = try Catalog(path: path, access: .readOnly)
    defer { try? catalog.close() }
    let damage = try catalog.read { try $0.damagedParts() }
    guard damage.isEmpty else { throw Failure(message: damage.joined(separator: " ")) }
  }

  /// The rows of the table `total` that differ from a count.
  private static let wrongTotals = """
    SELECT *, CASE subject
      WHEN 'entry' THEN (SELECT format('%d %d', count(*), coalesce(sum(sourceByteCount), 0))
        FROM entry e LEFT JOIN photo p ON p.entryID = e.id
        WHERE e.kind = total.kind AND e.deletedAt IS NULL)
      WHEN 'rendition' THEN (SELECT format('%d %d', count(*), coalesce(sum(byteCount), 0))
        FROM rendition r JOIN blob b ON b.id = r.blobID WHERE r.role = total.kind)
      ELSE (SELECT format('%d %d', count(*), coalesce(sum(byteCount), 0)) FROM blob
        WHERE total.kind = 'all' OR id IN (SELECT blobID FROM rendition))
      END AS counted
    FROM total WHERE counted <> format('%d %d', count, byteCount)
    """

  /// The rows that are only in `symptomTotal` or only in a count.
  private static let wrongSymptoms = """
    WITH counted AS (SELECT foldedName, date(localDay) AS day, count(*) AS count
      FROM symptom JOIN entry ON id = entryID WHERE deletedAt IS NULL GROUP BY 1, 2),
      total AS (SELECT foldedName, date(day * 86400, 'unixepoch') AS day, count FROM symptomTotal)
    SELECT * FROM counted LEFT JOIN total t USING (foldedName, day) WHERE t.count IS NOT counted.count
    UNION ALL SELECT * FROM total t LEFT JOIN counted USING (foldedName, day)
      WHERE t.count IS NOT counted.count
    """

  /// The rows that are only in `dayTotal` or only in a count.
  private static let wrongDays = """
    WITH counted AS (SELECT localDay, kind, iif(kind = 'photo', coalesce(plantID, 0), 0) AS plantID,
      count(*) AS count FROM entry WHERE deletedAt IS NULL GROUP BY 1, 2, 3)
    SELECT * FROM counted LEFT JOIN dayTotal d USING (localDay, kind, plantID)
      WHERE d.count IS NOT counted.count
    UNION ALL SELECT * FROM dayTotal d LEFT JOIN counted USING (localDay, kind, plantID)
      WHERE d.count IS NOT counted.count
    """

  /// The lines found in only one of the two, each prefixed with a sign.
  package func changes(since other: CatalogDump) -> [String] {
    (other.lines.subtracting(lines).map { "- " + $0 }
      + lines.subtracting(other.lines).map { "+ " + $0 })
      .sorted()
  }

  fileprivate final class Connection {
    private var database: OpaquePointer?

    init(_ path: String) throws {
      guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
        throw Failure(message: path)
      }
      // A connection that is just being closed holds a lock for a moment.
      sqlite3_busy_timeout(database, 30_000)
      SearchTokenizer.register(on: database)
    }

    deinit { sqlite3_close(database) }

    /// The rows of a query, with every column as an SQL literal, which distinguishes types.
    func rows(_ sql: String) throws -> [[String]] {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
        throw failure(sql)
      }
      defer { sqlite3_finalize(statement) }
      var rows: [[String]] = []
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
          rows.append((0..<sqlite3_column_count(statement)).map { Self.text(statement, $0) })
        case SQLITE_DONE: return rows
        default: throw failure(sql)
        }
      }
    }

    private static func text(_ statement: OpaquePointer?, _ column: CInt) -> String {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_NULL: return "NULL"
      case SQLITE_TEXT: return "'\(String(cString: sqlite3_column_text(statement, column)))'"
      case SQLITE_BLOB:
        let count = Int(sqlite3_column_bytes(statement, column))
        let bytes = UnsafeRawBufferPointer(
          start: sqlite3_column_blob(statement, column), count: count)
        return "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
      default: return String(cString: sqlite3_column_text(statement, column))
      }
    }

    private func failure(_ sql: String) -> Failure {
      Failure(message: sql + ": " + String(cString: sqlite3_errmsg(database)))
    }
  }
}

/// Reads and changes a catalog behind Leaflog's back.
package enum RawCatalog {
  /// The rows of a query, with every column as an SQL literal.
  package static func rows(_ sql: String, at path: String) throws -> [[String]] {
    try CatalogDump.Connection(path).rows(sql)
  }

  package static func execute(_ sql: String, at path: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      SearchTokenizer.register(on: database) == SQLITE_OK,
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else { throw CatalogDump.Failure(message: String(cString: sqlite3_errmsg(database))) }
  }
}
