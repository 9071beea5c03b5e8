internal import GRDB

extension CatalogTables {
  /// Whether another state of the library can be an earlier one of this: it has not seen more commits, and its newest
  /// change is one of this one's. Changes that this one has dropped from its history cannot be compared.
  package func continues(_ former: CatalogTables) throws -> Bool {
    // A backup may have been verified since it was made, which is a commit.
    let generation = try former.settings.backupState?.generation ?? former.settings.generation
    guard try generation <= settings.generation else { return false }
    let newest = try former.history.page(before: nil, limit: 1).changes.first
    guard let newest else { return true }
    if let own = try history.change(newest.id) {
      return own.madeAt == newest.madeAt.milliseconds && own.kind == newest.kind.rawValue
    }
    let oldest = try history.oldestID()
    return try newest.id < oldest ?? history.nextID()
  }
}

extension HistoryTable {
  fileprivate func oldestID() throws -> Int64? {
    try Int64.fetchOne(database, sql: "SELECT min(id) FROM change")
  }
}
