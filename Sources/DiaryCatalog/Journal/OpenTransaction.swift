package import DiaryModel
internal import GRDB
internal import Glibc
internal import Synchronization

/// A transaction in progress, to which the calls of a catalog that is bound to it belong.
///
/// Each call that changes something is a savepoint, so that an error that is caught leaves nothing of it.
// The database is used on one thread, and only while the transaction is open.
final class OpenTransaction: @unchecked Sendable {
  /// The kind of a transaction.
  enum Kind { case change, snapshot }

  private struct State {
    var isOpen = true
    /// Whether a call that changes something is in progress.
    var isChanging = false
    var change: ChangeKind?
    var time: Timestamp?
  }

  let kind: Kind
  private let database: Database
  private let thread = pthread_self()
  private let state = Mutex(State())

  private init(_ kind: Kind, _ database: Database) { (self.kind, self.database) = (kind, database) }

  /// Runs work with a transaction, which takes no calls afterwards.
  static func run<Value>(
    _ kind: Kind, on database: Database, _ body: (OpenTransaction) throws -> Value
  ) throws -> Value {
    let transaction = OpenTransaction(kind, database)
    defer { transaction.state.withLock { $0.isOpen = false } }
    let value = try body(transaction)
    try transaction.checkIntact()
    return value
  }

  /// The kind of the first call that has changed something; nil before.
  var change: ChangeKind? { state.withLock { $0.change } }

  /// Runs a call that reads.
  func read<Value>(_ body: (CatalogTables) throws -> Value) throws -> Value {
    try checkPlace()
    return try body(CatalogTables(database: database))
  }

  /// Runs a call that makes a change, which becomes a part of the transaction's.
  ///
  /// - Parameter body: receives the time of the change, the same for all calls.
  func change<Value>(
    _ kind: ChangeKind, now: Timestamp, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws -> Value {
    guard self.kind == .change, kind != .settings else { throw refusal }
    return try nesting {
      let tables = CatalogTables(database: database)
      let time = try state.withLock { $0.time } ?? tables.history.time(now)
      try state.withLock { state in
        guard !state.isChanging else { throw CatalogError.isChanging }
        (state.isChanging, state.time) = (true, time)
      }
      defer { state.withLock { $0.isChanging = false } }
      let before = database.totalChangesCount
      let value = try body(tables, time)
      if database.totalChangesCount != before {
        state.withLock { $0.change = $0.change ?? kind }
      }
      return value
    }
  }

  /// Runs calls of which all or none take effect.
  func nesting<Value>(_ body: () throws -> Value) throws -> Value {
    try checkPlace()
    let former = change
    var result: Value?
    do {
      try database.inSavepoint {
        result = try body()
        return .commit
      }
    } catch {
      state.withLock { $0.change = former }
      throw error
    }
    guard let result else { preconditionFailure("A savepoint that did not throw has a result") }
    return result
  }

  /// The error for a call that cannot be part of it.
  var refusal: CatalogError {
    CatalogError(
      .invalid,
      kind == .snapshot
        ? "This would change something, and a snapshot is only read."
        : "This cannot be part of another change. Do it before or afterwards.")
  }

  /// - Throws: `CatalogError` when the transaction has ended, or belongs to another thread.
  private func checkPlace() throws {
    guard state.withLock({ $0.isOpen }), pthread_equal(thread, pthread_self()) != 0 else {
      throw CatalogError(
        .closed,
        "A library that is given to a change or a snapshot is used only within it, on the same thread."
      )
    }
    try checkIntact()
  }

  /// SQLite ends a transaction by itself after some errors, such as a full disk (https://www.sqlite.org/lang_transaction.html).
  private func checkIntact() throws {
    guard database.isInsideTransaction else {
      throw CatalogError(.failed, "The transaction was ended by an earlier error.")
    }
  }
}

extension Catalog {
  /// - Throws: `CatalogError` with code `invalid` when it belongs to a transaction in progress.
  package func checkAlone() throws { if let transaction { throw transaction.refusal } }

  /// Runs calls in one transaction that can be undone as one change, of the kind of the first call that changes something.
  /// In another transaction, they become a part of its change.
  ///
  /// - Parameters:
  ///   - origin: the origin of the change for the history; within another change, that one's.
  ///   - body: receives the catalog for the calls, for as long as it runs and on its thread.
  /// - Throws: what `body` throws, with nothing changed.
  package func change<Value>(
    origin: String, now: Timestamp, _ body: (Catalog) throws -> Value
  ) throws -> Value {
    if let transaction {
      guard transaction.kind == .change else { throw transaction.refusal }
      return try using { try transaction.nesting { try body(self) } }
    }
    guard view == nil else {
      throw CatalogError(.invalid, "A limited view of a library has no changes of several calls.")
    }
    return try record(nil, origin, now: now) { tables, _ in
      try OpenTransaction.run(.change, on: tables.database) { transaction in
        (try body(Catalog(self, in: transaction)), transaction.change)
      }
    }
  }

  /// Runs reading calls that all see the same state of the catalog.
  ///
  /// - Parameter body: receives the catalog for the calls, for as long as it runs and on its thread.
  package func snapshot<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
    try read { tables in
      try OpenTransaction.run(.snapshot, on: tables.database) { try body(Catalog(self, in: $0)) }
    }
  }
}
