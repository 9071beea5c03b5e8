internal import BlobStorage
package import DiaryModel
internal import Fields
internal import Foundation
internal import GRDB
internal import Glibc
package import Journal
internal import Synchronization
internal import SystemPackage

/// The SQLite database of a library.
///
/// Every write transaction and every checkpoint runs under the library's lock; reads take none. A
/// commit is durable when it returns, in the database and in the journal.
package final class Catalog: Sendable {
  /// How a catalog is opened.
  package enum Access: Sendable {
    case readOnly
    /// For reading only what every version has, from a catalog that an older version may have written.
    case readOnlyOfAnyVersion
    /// Brings the catalog up to date, and creates it if it is missing. Commits go into the journal, if there is one.
    case readWrite(
      lock: any ExclusiveLock, journal: JournalAccess? = nil, connections: Connections = .pool)
    /// For applying frames, and for other work with only what every version has. The catalog stays at its version until a
    /// frame leads to another; a missing one is created with the first.
    case replaying(lock: any ExclusiveLock)
  }

  /// The journal of a catalog, and the keeper of commits that it cannot take.
  package struct JournalAccess: Sendable {
    let frames: any FrameLog
    let keeper: any CatalogKeeper

    package init(_ frames: any FrameLog, keeper: any CatalogKeeper) {
      (self.frames, self.keeper) = (frames, keeper)
    }
  }

  /// The connections of a catalog that is open for writing.
  package enum Connections: Sendable {
    /// One for writing and several for reading, used concurrently.
    case pool
    /// One for everything, which opens faster. A read waits for a write in progress; a read within a write sees what
    /// it has written so far.
    case one
  }

  let path: String
  let reader: any DatabaseReader
  let writer: (any DatabaseWriter)?
  let lock: (any ExclusiveLock)?
  let journal: JournalAccess?
  let probe: CatalogProbe
  /// The context of its commits.
  package let context: CommitContext
  /// The time of commits, for the journal.
  package let clock: @Sendable () -> Timestamp
  let tallies: TallyCache
  /// The reason why the last commit is not stored everywhere yet; nil when it is.
  let unsent: UnsentReason
  let uses: ConnectionUses
  /// The part of it that is seen and changed; nil for all of it.
  let view: CatalogView?
  /// The transaction in progress that its calls belong to; nil when each has its own.
  let transaction: OpenTransaction?
  /// Whether only a part of it is seen.
  package var isLimited: Bool { view != nil }

  /// Whether the current thread is in one of its calls, in which it cannot be closed.
  package var isInUse: Bool { transaction != nil || uses.isInUse }

  /// Whether it has been closed, or is about to be.
  package var isClosed: Bool { uses.isClosing }

  package init(
    path: String, access: Access, origin: String? = nil, probe: CatalogProbe = CatalogProbe(),
    clock: @escaping @Sendable () -> Timestamp = { .now }
  ) throws {
    (self.path, view, transaction) = (path, nil, nil)
    (uses, tallies, unsent) = (ConnectionUses(), TallyCache(), UnsentReason())
    context = CommitContext(origin: origin)
    self.probe = probe
    self.clock = clock
    switch access {
    case .readOnly, .readOnlyOfAnyVersion:
      (writer, lock, journal) = (nil, nil, nil)
      reader = try Self.translating { try Self.openReadOnly(path) }
      if try !isUpToDate(), case .readOnly = access { throw Self.tooOld() }
    case .readWrite(let lock, let journal, let connections):
      (self.lock, self.journal) = (lock, journal)
      let writer = try Self.open(path, lock, connections, probe)
      (self.writer, reader) = (writer, writer)
      if try !isUpToDate() {
        try create(Schema.current.newest)
        try CatalogJournal(of: self).migrate()
      }
      try CatalogAge(of: self).settle()
    case .replaying(let lock):
      (self.lock, journal) = (lock, nil)
      let writer = try Self.open(path, lock, .one, probe)
      (self.writer, reader) = (writer, writer)
      if try !isUpToDate() { try create(1) }
    }
  }

  /// The same catalog over the same connections, in another context.
  package init(_ other: Catalog, in context: CommitContext) {
    self.context = context
    (path, reader, writer) = (other.path, other.reader, other.writer)
    (lock, journal, probe) = (other.lock, other.journal, other.probe)
    (clock, uses, tallies) = (other.clock, other.uses, other.tallies)
    (unsent, view, transaction) = (other.unsent, other.view, other.transaction)
  }

  /// The same catalog, read through connections that see only a part of it.
  init(_ other: Catalog, reader: any DatabaseReader, view: CatalogView) {
    (self.reader, self.view, transaction) = (reader, view, nil)
    // Tallies are of what is seen.
    (path, context, writer, tallies) = (other.path, other.context, other.writer, TallyCache())
    (lock, journal, probe) = (other.lock, other.journal, other.probe)
    (clock, uses, unsent) = (other.clock, other.uses, other.unsent)
  }

  /// The same catalog, as part of a transaction in progress.
  init(_ other: Catalog, in transaction: OpenTransaction) {
    self.transaction = transaction
    (path, context, reader, view) = (other.path, other.context, other.reader, other.view)
    // Whatever would write in another way than through the transaction finds nothing to write with.
    (writer, lock, journal, probe) = (nil, nil, nil, other.probe)
    (clock, uses, tallies, unsent) = (other.clock, other.uses, other.tallies, other.unsent)
  }

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { database in
      register(on: database)
      // The first read opens the log and its index, which take room. A pool keeps no connection that could be asked why that
      // has failed.
      try FullDisk.naming(database) { try database.execute(sql: "SELECT 1 FROM sqlite_schema") }
      // In KiB: pages that are read often stay in memory. What is not read takes none.
      try database.execute(sql: "PRAGMA cache_size = -8192")
    }
    return configuration
  }

  /// Makes known to a connection what the schema needs.
  static func register(on database: Database) {
    SearchTokenizer.register(on: database.sqliteConnection)
    RowDigest.register(on: database.sqliteConnection)
  }

  private static func open(
    _ path: String, _ lock: any ExclusiveLock, _ connections: Connections, _ probe: CatalogProbe
  ) throws -> any DatabaseWriter {
    try translating {
      try lock.withLock {
        PrivateFile.create(at: path)
        let writer = try openWritable(path, connections)
        // A pool has set NORMAL by now, which loses commits in a power cut.
        try writer.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA synchronous = \(probe.synchronous.rawValue)")
          try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        return writer
      }
    }
  }

  private static func openWritable(
    _ path: String, _ connections: Connections
  ) throws -> any DatabaseWriter {
    guard connections == .one else {
      return try DatabasePool(path: path, configuration: configuration)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    return queue
  }

  /// A read-only folder has no room for the shared memory that WAL needs. Where that was left beside the catalog, SQLite
  /// reads it, and what the log has, also of a writer for whom the folder is not read-only
  /// (https://www.sqlite.org/wal.html#readonly). Where it was not, nobody writes, and the file may be called immutable.
  static func openReadOnly(
    _ path: String, _ configuration: Configuration = configuration
  ) throws -> DatabaseQueue {
    var configuration = configuration
    configuration.readonly = true
    let folder = (path as NSString).deletingLastPathComponent
    let files = FileManager.default
    if files.isWritableFile(atPath: folder) || files.fileExists(atPath: path + "-shm") {
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    let log = try? files.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    guard (log ?? 0) == 0 else {
      throw CatalogError(
        .readOnly,
        "The newest changes are in \(path)-wal, and can be read only where its folder can be written. Make the disk "
          + "writable, or copy the library to one that is.")
    }
    let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
  }

  /// Whether the catalog has the newest version of the schema.
  ///
  /// - Throws: `CatalogError` with code `tooNew` when a newer program has migrated it, and `damaged` when it has another
  ///   version than its newest commit.
  private func isUpToDate() throws -> Bool {
    try Self.translating {
      try reader.unsafeRead { database in
        let version = try Schema.version(of: database)
        if version == Schema.current.newest { return true }
        let frame = version == 0 ? nil : try HeadTable(database: database).newestFrame
        if let frame, frame.schema != version {
          throw CatalogError(
            .damaged, "The catalog has not the version of its newest commit.", remedy: .repair)
        }
        try Self.check(version)
        return false
      }
    }
  }

  /// - Throws: `CatalogError` with code `tooNew` when this program does not know a version of the schema.
  static func check(_ version: Int) throws {
    guard version > Schema.current.newest else { return }
    throw CatalogError(
      .tooNew, "A newer version of Leaflog wrote this library. Update Leaflog to open it.")
  }

  private static func tooOld() -> CatalogError {
    CatalogError(
      .tooOld,
      "An older version of Leaflog wrote this library. Opening it for writing brings it up to date."
    )
  }

  /// Makes the tables of an empty database.
  private func create(_ version: Int) throws {
    guard let writer, let lock else { return }
    try Self.translating {
      try lock.withLock {
        try writer.write { database in
          guard try Schema.version(of: database) == 0 else { return }
          try Schema.current.migrate(database, to: version)
        }
      }
    }
  }

  /// The writer's `PRAGMA synchronous`; 2 is FULL, without which a power cut loses commits.
  package func synchronousMode() throws -> Int? {
    try using {
      try writer?.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }
  }

  /// Checkpoints the log and closes the database, once all reads and commits in progress have ended; later ones are
  /// refused. Nothing is lost without it; closing twice has no effect.
  ///
  /// - Throws: `CatalogError` with code `invalid` within one of its own reads or commits.
  package func close() throws {
    if let transaction { throw transaction.refusal }
    try uses.end {
      guard let writer, let lock else { return try Self.translating { try reader.close() } }
      try Self.translating {
        try lock.withLock {
          try Self.unlessDiskIsFull {
            _ = try writer.writeWithoutTransaction { database in
              try FullDisk.naming(database) { try database.checkpoint(.truncate) }
            }
          }
          try writer.close()
        }
      }
    }
  }

  /// The connection for commits and its lock.
  ///
  /// - Throws: `CatalogError` with code `readOnly` when the catalog is open for reading, and `invalid` when it belongs to a
  ///   transaction in progress, or the current thread is in a read.
  func writing() throws -> (any DatabaseWriter, any ExclusiveLock) {
    if let transaction { throw transaction.refusal }
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    if uses.isReading { throw CatalogError.isChanging }
    return (writer, lock)
  }

  /// Runs work that uses the connections, which stay open until it has ended.
  ///
  /// - Throws: `CatalogError` with code `closed` when the catalog has been closed.
  func using<Value>(_ body: () throws -> Value) throws -> Value {
    try uses.hold(isBound: isBound) {
      try Self.translating {
        do { return try body() } catch let error as DatabaseError
          where FullDisk.mayBeCause(of: error)
        {
          let named = writer?.unsafeReentrantWrite { FullDisk.named(error, $0) }
          throw named ?? error
        }
      }
    }
  }

  /// Rewrites the file without free pages, checkpoints the log, and runs `afterwards` under the same
  /// lock.
  package func compact(afterwards: () throws -> Void = {}) throws {
    let (writer, lock) = try writing()
    try using {
      try lock.withLock {
        try writer.writeWithoutTransaction { database in
          try HeadTable(database: database).forgetBytes()
          try database.execute(sql: "VACUUM")
          _ = try database.checkpoint(.truncate)
        }
        try afterwards()
      }
    }
  }

  /// The reason why commits that are reported as done are not in the object store yet; nil when they are.
  package var reasonForUnsent: (any Error)? { unsent.withLock { $0 } }

  /// How many commits the catalog has seen.
  package func generation() throws -> Int { try read { try $0.settings.generation } }

  /// Runs queries that all see the same state of the catalog.
  package func read<Value>(_ body: (CatalogTables) throws -> Value) throws -> Value {
    try using {
      if let transaction { return try transaction.read(body) }
      return try uses.reading { isNested in
        if let queue = writer as? DatabaseQueue { return try read(queue, body) }
        // Within another read, that one's connection and state.
        return try isNested
          ? reader.unsafeReentrantRead { try body(CatalogTables(database: $0)) }
          : reader.read { try body(CatalogTables(database: $0)) }
      }
    }
  }

  /// Runs queries over a connection that may be in a transaction already.
  private func read<Value>(
    _ queue: DatabaseQueue, _ body: (CatalogTables) throws -> Value
  ) throws -> Value {
    try queue.unsafeReentrantRead { database in
      let tables = CatalogTables(database: database)
      guard !database.isInsideTransaction else { return try body(tables) }
      var value: Value?
      try database.inTransaction(.deferred) {
        value = try body(tables)
        return .commit
      }
      guard let value else { preconditionFailure("A transaction that did not throw ran") }
      return value
    }
  }

  /// Runs a checkpoint, and ignores a full disk: commits are durable either way, and a later checkpoint
  /// catches up.
  static func unlessDiskIsFull(_ checkpoint: () throws -> Void) throws {
    do { try checkpoint() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL
    {}
  }

  static func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      throw CatalogError(error)
    } catch let error as InvalidValue {
      throw CatalogError(error)
    }
  }
}

/// The reason why a commit is not stored everywhere it has to be, shared by all contexts of a catalog.
final class UnsentReason: Sendable {
  private let reason = Mutex<(any Error)?>(nil)

  func withLock<Value>(_ body: (inout sending (any Error)?) -> sending Value) -> Value {
    reason.withLock(body)
  }
}

/// A catalog's hooks for tests. Other code leaves them at their defaults.
package struct CatalogProbe: Sendable {
  /// SQLite's `PRAGMA synchronous`. NORMAL loses commits in a power cut
  /// (https://www.sqlite.org/pragma.html#pragma_synchronous), which shows whether a test would notice.
  package enum Synchronous: String, Sendable { case full = "FULL", normal = "NORMAL" }

  package var synchronous = Synchronous.full
  /// Called before a transaction begins, before it is committed, and after.
  package var atBoundary: (@Sendable () -> Void)?

  package init() {}
}

/// The catalog's file and those next to it, which only their owner may access. SQLite gives its log and
/// shared memory the permissions of the database.
enum PrivateFile {
  /// Creates an empty file, which SQLite takes for an empty database, unless the file exists. Errors are
  /// ignored, as SQLite will run into them and report them.
  static func create(at path: String) {
    // An existing file is not opened: closing it would drop the locks that SQLite has on it
    // (https://www.sqlite.org/howtocorrupt.html, 2.2).
    if let file = try? FolderPlace(of: FilePath(path)).createFile(O_WRONLY) { close(file) }
  }

  /// Writes a short text atomically, replacing an existing file, without waiting for the disk.
  static func write(_ text: String, to path: String) throws {
    let unfinished = "\(path).\(UInt64.random(in: .min ... .max))"
    let file: CInt
    do throws(Errno) {
      file = try FolderPlace(of: FilePath(unfinished)).createFile(O_WRONLY)
    } catch {
      throw failure(path, error.rawValue)
    }
    defer { unlink(unfinished) }  // already gone after the rename
    let bytes = Array(text.utf8)
    let count = Glibc.write(file, bytes, bytes.count)
    let code = count < 0 ? errno : ENOSPC
    close(file)
    guard count == bytes.count else { throw failure(path, code) }
    guard rename(unfinished, path) == 0 else { throw failure(path) }
  }

  private static func failure(_ path: String, _ code: CInt = errno) -> CatalogError {
    CatalogError(
      [ENOSPC, EDQUOT].contains(code)
        ? .noSpace : [EACCES, EPERM, EROFS].contains(code) ? .readOnly : .failed,
      "\(path) could not be written: \(String(cString: strerror(code))).")
  }
}
