import DiaryCatalog
import Foundation
import GRDBSQLite
import TestSupport

/// A catalog of generated photos, enlarged within SQLite: through the library, ten million would take hours.
///
/// Each copy repeats the rows of the first photos, later in time and with further plants. They are not in the history
/// or journal.
struct MultipliedCatalog {
  private let database: OpaquePointer
  private let entryCount: Int
  private let plantCount: Int
  private let blobCount: Int

  /// - Parameter path: the path of the catalog filled by `TimelineBenchmark.fill`.
  init(path: String) throws {
    var database: OpaquePointer?
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let database
    else { throw CocoaError(.fileReadUnknown) }
    SearchTokenizer.register(on: database)
    func count(_ table: String) throws -> Int {
      try Self.integers(database, "SELECT max(id) FROM \(table)")[0]
    }
    self.database = database
    (entryCount, plantCount, blobCount) = (
      try count("entry"), try count("plant"), try count("blob")
    )
  }

  func close() { sqlite3_close(database) }

  /// - Parameter count: how many times it contains its photos afterwards.
  func multiply(by count: Int) throws {
    try execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000")
    for copy in 1..<max(1, count) {
      try execute("BEGIN")
      for table in ["plant", "entry", "photo", "blob", "rendition"] { try add(copy, of: table) }
      try execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  private func add(_ copy: Int, of table: String) throws {
    let columns = try Self.texts(database, "SELECT name FROM pragma_table_info('\(table)')")
    let values = columns.map { expression($0, of: table, copy) ?? $0 }
    let limit =
      switch table {
      case "plant": "id <= \(plantCount)"
      case "entry": "id <= \(entryCount)"
      case "blob": "id <= \(blobCount)"
      case "rendition": "photoID <= \(entryCount)"
      default: "entryID <= \(entryCount)"
      }
    try execute(
      """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM \(table) WHERE \(limit)
      """)
  }

  /// The value of a column in a copy; nil where it is the same. Digests, and the ids that are their first halves, have
  /// the number of the copy in the middle: blobs are looked up by their first bytes.
  private func expression(_ column: String, of table: String, _ copy: Int) -> String? {
    let number = String(format: "%08x", copy)
    let (entries, plants) = (copy * entryCount, copy * plantCount)
    switch (table, column) {
    case ("plant", "id"), ("entry", "plantID"): return "\(column) + \(plants)"
    case ("plant", "name"), ("plant", "foldedName"): return "'plant ' || (id - 1 + \(plants))"
    case ("blob", "id"), ("rendition", "blobID"): return "\(column) + \(copy * blobCount)"
    case ("entry", "id"), ("entry", "seq"), (_, "entryID"), (_, "photoID"):
      return "\(column) + \(entries)"
    case ("entry", "occurredAt"): return "occurredAt + \(span(of: copy))"
    case ("entry", "localDay"):
      return "strftime('%Y-%m-%d', (occurredAt + \(span(of: copy))) / 1000, 'unixepoch')"
    case (_, "publicID"): return "substr(publicID, 1, 24) || '\(number)'"
    case (_, "sourceDigest"), (_, "digest"):
      return
        "CAST(substr(\(column), 1, 12) || x'\(number)' || substr(\(column), 17) AS BLOB)"
    default: return nil
    }
  }

  private func span(of copy: Int) -> Int64 {
    Int64(copy * entryCount) * TimelineBenchmark.step
  }

  private func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [NSLocalizedDescriptionKey: String(cString: sqlite3_errmsg(database))])
    }
  }

  private static func integers(_ database: OpaquePointer, _ sql: String) throws -> [Int] {
    try texts(database, sql).map { Int($0) ?? 0 }
  }

  private static func texts(_ database: OpaquePointer, _ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown)
    }
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}
