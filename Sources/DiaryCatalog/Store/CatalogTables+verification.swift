internal import DiaryModel
internal import Foundation
internal import GRDB
internal import Journal

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

/// The proof that a catalog is what its newest commit says.
extension CatalogTables {
  /// Whether SQLite finds nothing wrong with the file, and every row is what it was when it was written.
  package var isProved: Bool { get throws { try isSound && damagedParts().isEmpty } }

  /// A sentence for each part that is not what its digest says, or not what the rest of the catalog makes it. Reads all
  /// rows.
  package func damagedParts() throws -> [String] {
    var found = try Schema.differences(in: database).map {
      "The schema's \($0) is not as it was made."
    }
    if try state.sum != state.computed() {
      found.append("Rows of the diary are not as they were when they were written.")
    }
    found += try newestFrameFaults()
    for (table, name) in Self.digested where try database.tableExists(table) {
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM \(table) WHERE digest IS NOT \(digest(of: table))")
      if let count, count > 0 {
        found.append("\(count) of the \(name) \(count == 1 ? "is" : "are") damaged.")
      }
    }
    if try history.isCounterBehind { found.append("The counter of changes is damaged.") }
    if try !tags.isComplete {
      found.append("The index of tags does not have the tags of all entries.")
    }
    return found
  }

  /// The tables that are in no changeset and not derived from others, with what their rows are.
  fileprivate static let digested = [
    ("change", "changes of the history"), ("changeStep", "steps of changes"),
    ("otherCommit", "notes about commits"),
    ("answeredRequest", "requests that were carried out"), ("place", "notes about this place"),
    ("blobUpkeep", "notes about blobs"),
  ]

  /// The digest of a row in SQL.
  fileprivate func digest(of table: String) throws -> String {
    let columns = try database.columns(in: table).map(\.name).filter { $0 != "digest" }
    return "rowDigest('\(table)', \(columns.joined(separator: ", ")))"
  }

  private func newestFrameFaults() throws -> [String] {
    guard let head = try heads.current else {
      return try settings.generation == 0 ? [] : ["The head of the newest commit is gone."]
    }
    let count = try settings.generation
    var before = try state.sum
    before -= StateTable.digest(of: HeadTable.Ancestor(head: head, commit: count))
    guard try heads.contains(head) else { return ["The head of the newest commit is damaged."] }
    guard try heads.hasNewestBytes else { return [] }
    guard let frame = try heads.newestFrame, frame.head == head, frame.commit == count else {
      return ["The frame of the newest commit is damaged."]
    }
    guard try frame.lineage == place.lineage else {
      return ["The catalog does not say to which line of commits it belongs."]
    }
    return frame.state == before
      ? [] : ["The catalog does not have the state that its newest commit names."]
  }
}

extension Catalog {
  /// Takes the rows as they are for what was written: derived tables are made again, and changes whose steps are damaged
  /// leave the history, as they could not be undone rightly; so do damaged notes about commits.
  package func acceptDamage() throws {
    try note { tables in
      let database = tables.database
      try database.execute(
        sql: """
          DELETE FROM change WHERE id IN (SELECT changeID FROM changeStep
            WHERE digest IS NOT rowDigest('changeStep', id, changeID, changeset))
          """)
      // A catalog of a former version lacks some of the tables.
      let present = try CatalogTables.digested.map(\.0).filter { try database.tableExists($0) }
      if present.contains("otherCommit") {
        try database.execute(
          sql: """
            DELETE FROM otherCommit
              WHERE digest IS NOT rowDigest('otherCommit', id, changeID, isUndo)
            """)
      }
      for table in present {
        try database.execute(
          sql: "UPDATE \(table) SET digest = \(tables.digest(of: table)) WHERE digest IS NOT "
            + tables.digest(of: table))
      }
      let tagged = try Row.fetchAll(
        database, sql: "SELECT id, tags FROM entry WHERE tags IS NOT NULL")
      try database.execute(sql: "DELETE FROM entryTag")
      for entry in tagged { try tables.tags.set(TagText.tags(entry[1]), of: entry[0]) }
      try tables.rebuildTextIndexes()
      try tables.totals.recount()
      try tables.state.makeAnew()
    }
  }

  /// Whether the search indexes have the words of all entries and plants, and no others. It is not known for a catalog
  /// that is open for reading: FTS5 checks an index by a statement that could write (sqlite.org/fts5.html, 6.6).
  package func hasSoundTextIndexes() throws -> Bool? {
    guard let writer, let lock else { return nil }
    return try using {
      try lock.withLock {
        try writer.writeWithoutTransaction { database in
          var isSound = true
          try database.inTransaction {
            do {
              for index in ["entryText", "plantText"] {
                try database.execute(
                  sql: "INSERT INTO \(index) (\(index), rank) VALUES ('integrity-check', 1)")
              }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
              isSound = false
            }
            return .rollback
          }
          return isSound
        }
      }
    }
  }
}
