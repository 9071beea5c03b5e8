internal import GRDB
internal import Glibc

/// The write-ahead log of a catalog, a file beside it.
package struct WriteAheadLog {
  /// The path of the catalog.
  private let path: String

  package init(ofCatalogAt path: String) { self.path = path }

  /// It is folded into the database when it has grown past this.
  static let maxByteCount = 16 << 20

  var byteCount: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Folds it into the catalog's file, which has none then, nor makes one when it is read. Only under the library's
  /// lock.
  ///
  /// - Returns: false when somebody has it open.
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
