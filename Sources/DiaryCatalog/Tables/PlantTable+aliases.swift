internal import DiaryModel
internal import Fields
internal import GRDB

/// The owner of `plantAlias`: further names by which folders of photos name plants. A plant's own name comes before an
/// alias, and those of plants in the trash do not count.
extension PlantTable {
  /// The name of the plant that the photos in a folder belong to; nil if no plant has the folder's name as its own or as an
  /// alias.
  package func name(ofFolder folder: String) throws -> String? {
    try rowIfAny(ofFolder: folder).flatMap { row in
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT name FROM plant WHERE id = ?"), arguments: [row])
    }
  }

  /// The row of the plant that a folder names, inserted with the folder's name if there is none.
  func rowOrNew(ofFolder folder: String, now: Timestamp) throws -> Int64 {
    try rowIfAny(ofFolder: folder) ?? insert(PlantDetails(name: folder), now: now)
  }

  private func rowIfAny(ofFolder folder: String) throws -> Int64? {
    try row(named: folder) ?? row(withAlias: folder)
  }

  /// The row of the plant that has an alias and is not in the trash.
  private func row(withAlias name: String) throws -> Int64? {
    guard try isInCatalog("plantAlias") else { return nil }
    return try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT p.id FROM plantAlias a JOIN plant p ON p.id = a.plantID
          WHERE a.foldedName = ? AND p.deletedAt IS NULL
          """), arguments: [foldedName(name)])
  }

  /// The aliases of a plant by name.
  func aliases(of row: Int64) throws -> [String] {
    guard try isInCatalog("plantAlias") else { return [] }
    return try String.fetchAll(
      database.cachedStatement(
        sql: "SELECT name FROM plantAlias WHERE plantID = ? ORDER BY foldedName"), arguments: [row])
  }
}

/// Editing.
extension PlantTable {
  /// Gives a plant exactly these aliases, which other plants lose. The names of plants that are not in the trash are left out:
  /// these name folders themselves.
  func setAliases(_ names: [String], of row: Int64) throws {
    let wanted = Dictionary(names.map { (foldedName($0), $0) }) { first, _ in first }
    for former in try aliases(of: row) where wanted[foldedName(former)] == nil {
      try removeAlias(former)
    }
    let set = try database.cachedStatement(
      sql: """
        INSERT INTO plantAlias (foldedName, name, plantID) VALUES (?, ?, ?)
        ON CONFLICT (foldedName) DO UPDATE SET name = excluded.name, plantID = excluded.plantID
        """)
    for (folded, name) in wanted.sorted(by: { $0.key < $1.key })
    where try self.row(named: name) == nil { try set.execute(arguments: [folded, name, row]) }
  }

  /// Adds the aliases that neither name another plant nor are its name.
  func addAliases(_ names: [String], to row: Int64) throws {
    let free = try names.filter { try self.row(withAlias: $0) ?? row == row }
    if !free.isEmpty { try setAliases(aliases(of: row) + free, of: row) }
  }

  /// Removes an alias, as it is no plant's any more, or the name of one.
  func removeAlias(_ name: String) throws {
    try database.cachedStatement(sql: "DELETE FROM plantAlias WHERE foldedName = ?")
      .execute(arguments: [foldedName(name)])
  }

  /// Removes the alias that is the name of a plant.
  func removeAlias(ofNameOf row: Int64) throws {
    try database.cachedStatement(
      sql: "DELETE FROM plantAlias WHERE foldedName = (SELECT foldedName FROM plant WHERE id = ?)"
    ).execute(arguments: [row])
  }

  /// Checks that no other plant has one of the aliases that somebody adds to a plant, as its name or as an alias.
  func checkAliases(_ after: [String], since before: [String], of row: Int64?) throws {
    let former = Set(before.map(foldedName))
    for name in after where !former.contains(foldedName(name)) {
      guard let holder = try rowIfAny(ofFolder: name), holder != row else { continue }
      throw CatalogError(.nameTaken, "Another plant has the name or the alias “\(name)” already.")
    }
  }
}
