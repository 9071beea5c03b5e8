internal import GRDB
internal import Glibc

/// The write-ahead log of a catalog, a file next to it.
package struct WriteAheadLog {
  /// The path of the catalog.
  private let path: String

  package init(ofCatalogAt path: String) { self.path = path }

  /// The size beyond which the log is checkpointed into the database.
  static let maxByteCount = 16 << 20

  var byteCount: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Merges the log into the catalog's file, which then has no log, and gets none when it is read. Must be called under
  /// the library's lock.
  ///
  /// - Returns: false when the catalog is open elsewhere.
  package func fold() throws -> Bool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    let queue = try Catalog.translating {
      try DatabaseQueue(path: path, configuration: configuration)
    }
    do {
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE")
      }
      try queue.close()
      return true
    } catch let error as DatabaseError
      where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    {
      return false
    } catch let error as DatabaseError {
      throw CatalogError(error)
    }
  }
}
