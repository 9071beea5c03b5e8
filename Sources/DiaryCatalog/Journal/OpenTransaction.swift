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
  enum Kind {
    /// A change, with the time of all its calls.
    case change(Timestamp)
    case snapshot
  }

  private struct State {
    var isOpen = true
    /// Whether a call that changes something is in progress.
    var isChanging = false
    var change: ChangeKind?
    /// The error with which SQLite has ended the transaction by itself, as it does for a full disk
    /// (https://www.sqlite.org/lang_transaction.html).
    var end: (any Error)?
  }

  private let kind: Kind
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
    _ kind: ChangeKind, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws -> Value {
    guard case .change(let time) = self.kind, kind != .settings else { throw refusal }
    try checkPlace()
    try state.withLock { state in
      guard !state.isChanging else { throw CatalogError.isChanging }
      state.isChanging = true
    }
    defer { state.withLock { $0.isChanging = false } }
    return try nesting {
      let before = database.totalChangesCount
      let value = try body(CatalogTables(database: database), time)
      if database.totalChangesCount != before {
        state.withLock { $0.change = $0.change ?? kind }
      }
      return value
    }
  }

  /// Runs calls of which all or none take effect.
  func nesting<Value>(_ body: () throws -> Value) throws -> Value {
    guard case .change = kind else { throw refusal }
    try checkPlace()
    let former = change
    var result: Value?
    do {
      try FullDisk.naming(database) {
        try database.inSavepoint {
          result = try body()
          return .commit
        }
      }
    } catch {
      let isEnded = !database.isInsideTransaction
      state.withLock { state in
        state.change = former
        if isEnded { state.end = state.end ?? error }
      }
      throw error
    }
    guard let result else { preconditionFailure("A savepoint that did not throw has a result") }
    return result
  }

  /// The error for a call that cannot be part of it.
  var refusal: CatalogError {
    guard isInPlace else { return Self.elsewhere }
    return switch kind {
    case .change:
      CatalogError(.invalid, "This cannot be part of a change. Do it before or afterwards.")
    case .snapshot:
      CatalogError(.invalid, "This cannot be done in a snapshot, which only reads.")
    }
  }

  private static let elsewhere = CatalogError(
    .closed,
    "The library that a change or a snapshot is given is used only within it, on the same thread.")

  private var isInPlace: Bool {
    state.withLock { $0.isOpen } && pthread_equal(thread, pthread_self()) != 0
  }

  /// - Throws: `CatalogError` with code `closed` when the transaction has ended, or belongs to another thread.
  private func checkPlace() throws {
    guard isInPlace else { throw Self.elsewhere }
    try checkIntact()
  }

  private func checkIntact() throws {
    guard !database.isInsideTransaction else { return }
    throw state.withLock { $0.end }
      ?? CatalogError(.failed, "The transaction was ended by an earlier error.")
  }
}

extension Catalog {
  /// Whether its calls belong to a transaction in progress.
  package var isBound: Bool { transaction != nil }

  /// - Throws: `CatalogError` with code `invalid` when it belongs to a transaction in progress.
  package func checkAlone() throws { if let transaction { throw transaction.refusal } }

  /// Runs calls in one transaction that can be undone as one change, of the kind of the first call that changes something.
  /// In another transaction, they become a part of its change.
  ///
  /// - Parameters:
  ///   - origin: the origin of the change for the history; within another change, that one's.
  ///   - body: receives the catalog for the calls, for as long as it runs and on its thread. Meanwhile, others with the same
  ///     connections are refused on this thread.
  /// - Throws: what `body` throws, with nothing changed.
  package func change<Value>(
    origin: String, now: Timestamp, _ body: (Catalog) throws -> Value
  ) throws -> Value {
    if let transaction { return try using { try transaction.nesting { try body(self) } } }
    guard view == nil else {
      throw CatalogError(
        .invalid, "With access to a part of the library, several calls cannot be one change.")
    }
    return try record(nil, origin, now: now) { tables, time in
      try OpenTransaction.run(.change(time), on: tables.database) { transaction in
        let value = try uses.lending { try body(Catalog(self, in: transaction)) }
        return (value, transaction.change)
      }
    }
  }

  /// Runs reading calls that all see the same state of the catalog.
  ///
  /// - Parameter body: receives the catalog for the calls, for as long as it runs and on its thread. Meanwhile, others with
  ///   the same connections are refused on this thread.
  package func snapshot<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
    try read { tables in
      try OpenTransaction.run(.snapshot, on: tables.database) { transaction in
        try uses.lending { try body(Catalog(self, in: transaction)) }
      }
    }
  }
}
