internal import GRDB

extension Catalog {
  /// Whether nobody has put anything into it: settings alone are in it, or not even tables, as when
  /// the making of a library was cut short.
  package func isPristine() throws -> Bool {
    try readOnce { database in
      guard try database.tableExists("entry") else { return true }
      for table in ["entry", "plant", "activity", "quote"] where try database.tableExists(table) {
        if try Int.fetchOne(database, sql: "SELECT 1 FROM \(table) LIMIT 1") != nil { return false }
      }
      return true
    }
  }
}
