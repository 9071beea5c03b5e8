internal import CSQLiteSession
package import DiaryModel
internal import GRDB
internal import Synchronization

/// Tells whether any process has committed to a catalog. It never waits.
///
/// With a write-ahead log it makes no system call: SQLite itself finds out in the same way, by the header of the log's
/// index in shared memory (https://www.sqlite.org/walformat.html, 2.1). A query for a number would take two locks of
/// the file, one query at a time.
package final class CommitWatch: Sendable {
  private let connection: DatabaseQueue
  /// Valid for as long as the connection is open.
  private let index: LogIndex?

  package init(_ catalog: Catalog) throws {
    (connection, index) = try Catalog.translating {
      var configuration = Catalog.configuration
      configuration.busyMode = .immediateError
      let connection = try Catalog.openReadOnly(catalog.path, configuration)
      return (connection, try connection.unsafeRead { try LogIndex($0) })
    }
  }

  /// The present mark; nil when it cannot be read at once, as while another process recovers the log.
  package var mark: CommitMark? {
    if let index { return index.mark }
    return (try? connection.unsafeRead { try SettingTable(database: $0).generation })
      .map { .generation($0) }
  }
}

/// The index of a write-ahead log, which all connections to the database share.
private struct LogIndex: @unchecked Sendable {  // it is only read, and a torn read is noticed
  private typealias Header = (SIMD4<UInt64>, SIMD2<UInt64>)

  private let header: UnsafeRawPointer

  private static let headerByteCount = 48
  /// Of a header that is in use.
  private static let isInitialized = 12
  /// The only size that SQLite asks for (WALINDEX_PGSZ).
  private static let regionByteCount: CInt = 32768

  /// Nil when the database has no such log.
  init?(_ database: Database) throws {
    // The first read opens the log.
    _ = try SettingTable(database: database).generation
    guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal" else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_FILE_POINTER, &file)
    var region: UnsafeMutableRawPointer?
    guard let file, let map = file.pointee.pMethods.pointee.xShmMap,
      map(file, 0, Self.regionByteCount, 0, &region) == SQLITE_OK, let region
    else { return nil }
    header = UnsafeRawPointer(region)
  }

  /// Nil while a commit is being noted there. Of the two copies of the header the second is written first.
  var mark: CommitMark? {
    let first = read(at: 0)
    atomicMemoryFence(ordering: .acquiring)
    let second = read(at: Self.headerByteCount)
    guard first == second, header.load(fromByteOffset: Self.isInitialized, as: UInt8.self) == 1
    else { return nil }
    return .log(first.0, first.1)
  }

  private func read(at offset: Int) -> Header {
    (
      header.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self),
      header.loadUnaligned(fromByteOffset: offset + 32, as: SIMD2<UInt64>.self)
    )
  }
}
