internal import DiaryModel
internal import GRDB

extension CatalogTables {
  /// A sentence for each fault that SQLite finds in the file and its references, and for each missing row;
  /// empty when all is well.
  package func inconsistencies() throws -> [String] {
    var found = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
      .filter { $0 != "ok" }.map { "SQLite: \($0)" }
    for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
      found.append(
        "A row of \(row[0] as String) refers to one of \(row[2] as String) that is not there.")
    }
    let questions = [
      "SELECT e.publicID || ' has no full-size rendition' FROM entry e JOIN photo p "
        + "ON p.entryID = e.id WHERE NOT EXISTS (SELECT 1 FROM rendition r "
        + "WHERE r.photoID = e.id AND r.role <> 'thumbnail')",
      "SELECT e.publicID || ' has no thumbnail' FROM entry e JOIN photo p "
        + "ON p.entryID = e.id WHERE NOT EXISTS (SELECT 1 FROM rendition r "
        + "WHERE r.photoID = e.id AND r.role = 'thumbnail')",
    ]
    for question in questions {
      found += try String.fetchAll(database, sql: question + " LIMIT 100")
        .map { "The photo \($0)." }
    }
    found += try totals.inconsistencies()
    for kind in EntryKind.allCases {
      let table = Self.contentTable(of: kind).init(database: database)
      found += try table.entriesWithoutContent(limit: 100)
        .map { "The entry \($0) has nothing in the table of its kind, \(kind.rawValue)." }
    }
    return found
  }

  /// Whether SQLite finds nothing wrong with the file.
  package var isSound: Bool {
    get throws { try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" }
  }
}
