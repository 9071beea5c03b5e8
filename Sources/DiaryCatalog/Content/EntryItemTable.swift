internal import GRDB

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
