internal import GRDB

/// The rows in which a catalog differs from another one that should be the same, for people.
package struct CatalogDifferences {
  /// At most so many are named.
  private static let maxCount = 20

  /// The rows, such as “the mood of 2026-05-01 (ad6b1399)” or “a row of blob (id 12)”.
  package let names: [String]

  /// - Parameters:
  ///   - path: the catalog's file.
  ///   - good: the file of the catalog that is as it should be.
  package init(of path: String, from good: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { Catalog.register(on: $0) }
    names = try Catalog.translating {
      let queue = try DatabaseQueue(configuration: configuration)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { database in
        try database.execute(
          sql: "ATTACH ? AS present; ATTACH ? AS good", arguments: [path, good])
        var names: [String] = []
        let tables = try String.fetchAll(
          database,
          sql: "SELECT name FROM good.sqlite_schema WHERE type = 'table' ORDER BY rowid")
        for table in tables
        where !table.hasPrefix("sqlite_") && Changeset.isRecorded(table)
          && names.count < Self.maxCount
        {
          names += try Self.names(in: table, database)
        }
        return Array(names.prefix(Self.maxCount))
      }
    }
  }

  private static func names(in table: String, _ database: Database) throws -> [String] {
    let key = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?, 'good') WHERE pk > 0 ORDER BY pk",
      arguments: [table])
    let columns = key.joined(separator: ", ")
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT DISTINCT \(columns) FROM (
          SELECT * FROM (SELECT * FROM good.\(table) EXCEPT SELECT * FROM present.\(table))
          UNION ALL
          SELECT * FROM (SELECT * FROM present.\(table) EXCEPT SELECT * FROM good.\(table)))
        LIMIT \(maxCount)
        """)
    return try rows.map { row in
      let isOfEntry = table == "entry" || ["entryID", "photoID"].contains(key.first)
      if isOfEntry, let name = try entry(row[0], database) { return name }
      if table == "plant", let name = try plant(row[0], database) { return name }
      let values = zip(key, row.databaseValues).map { "\($0) \($1.text)" }
      return "a row of \(table) (\(values.joined(separator: ", ")))"
    }
  }

  private static func entry(_ id: DatabaseValue, _ database: Database) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT 'the ' || kind || ' of ' || localDay || ' (' || substr(publicID, 1, 8) || ')'
        FROM good.entry WHERE id = ?
        """, arguments: [id])
  }

  private static func plant(_ id: DatabaseValue, _ database: Database) throws -> String? {
    try String.fetchOne(
      database, sql: "SELECT 'the plant ' || name FROM good.plant WHERE id = ?", arguments: [id])
  }
}

extension DatabaseValue {
  fileprivate var text: String {
    switch storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .blob(let value):
      value.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
