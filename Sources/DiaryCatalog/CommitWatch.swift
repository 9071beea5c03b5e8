internal import GRDB

/// Tells whether anything was committed to a catalog, by whichever connection of whichever process, without reading
/// any of it: by SQLite's `data_version`, which costs microseconds.
package final class CommitWatch: Sendable {
  private let connection: DatabaseQueue

  package init(_ catalog: Catalog) throws {
    connection = try Catalog.translating {
      try Catalog.openReadOnly(catalog.path, busyMode: .immediateError)
    }
  }

  /// A number that is another one after each commit. It never waits.
  ///
  /// - Returns: nil when it cannot be told at once, as while another process recovers the log.
  package var number: Int? {
    try? connection.unsafeRead { database in
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
    }
  }
}
