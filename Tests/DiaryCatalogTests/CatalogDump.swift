import GRDBSQLite
import Testing

/// Everything that a catalog's own tables hold, as text: what two dumps do not share has changed.
func dump(_ path: String) throws -> [String] {
  var database: OpaquePointer?
  try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
  defer { sqlite3_close(database) }
  func rows(_ sql: String) -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      Issue.record("\(sql): \(String(cString: sqlite3_errmsg(database)))")
      return []
    }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          let name = String(cString: sqlite3_column_name(statement, column))
          if sqlite3_column_type(statement, column) == SQLITE_BLOB {
            let count = Int(sqlite3_column_bytes(statement, column))
            let bytes = UnsafeRawBufferPointer(
              start: sqlite3_column_blob(statement, column), count: count)
            return "\(name)=\(Array(bytes))"
          }
          return "\(name)="
            + (sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL")
        }.joined(separator: " "))
    }
    return rows
  }
  let tables = [
    "setting", "plant", "entry", "photo", "blob", "rendition", "sourceFile", "change",
    "changedEntry", "changedPlant", "symptom", "entryItem", "entryTag", "dailyLog", "episode",
    "mood", "quote",
    "favouriteQuote", "dayQuote", "activity", "completion", "madeEntry", "changedActivity",
    "madePlant", "madeQuote", "madeDayQuote", "madeSetting",
  ]
  // The index's own tables may lie otherwise and say the same; its words are what counts.
  let words = ["entryText", "plantText"].flatMap { index in
    rows("SELECT '\(index)' AS source, * FROM \(index)")
  }
  return tables.flatMap { table in
    rows("SELECT '\(table)' AS source, * FROM \(table) ORDER BY 2, 3")
  } + words
}
