internal import CSQLiteSession
internal import Foundation
internal import GRDB
internal import Journal

/// The changes that a commit made to the rows of the catalog, as recorded by SQLite's session extension
/// (https://www.sqlite.org/session/changeset.html).
struct Changeset: Sendable, Hashable {
  let bytes: Data

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether changesets include a table. They exclude tables derived from others, the history itself, and notes of the
  /// place in which the catalog is.
  static func isRecorded(_ table: String) -> Bool {
    !excluded.contains(table) && !table.hasPrefix("entryText") && !table.hasPrefix("plantText")
  }

  // Made once: SQLite asks about a table for each of its rows that changes.
  private static let excluded: Set = [
    "entryTag", "total", "dayTotal", "symptomTotal", "change", "changeStep", "otherCommit", "head",
    "newestFrame", "state", "place", "blobUpkeep", "answeredRequest",
  ]

  enum Operation: Sendable, Hashable { case insert, update, delete }

  /// The change of one row.
  struct RowChange {
    let table: String
    let operation: Operation
    fileprivate let iterator: OpaquePointer
    /// How many columns the table had when the change was made.
    let columnCount: Int

    fileprivate init?(_ iterator: OpaquePointer) {
      var name: UnsafePointer<CChar>?
      var (columns, code): (CInt, CInt) = (0, 0)
      guard sqlite3changeset_op(iterator, &name, &columns, &code, nil) == SQLITE_OK,
        let name
      else { return nil }
      table = String(cString: name)
      operation = code == SQLITE_INSERT ? .insert : code == SQLITE_DELETE ? .delete : .update
      columnCount = Int(columns)
      self.iterator = iterator
    }

    /// The value of a column before the change; nil when it is not recorded, as for unchanged columns of an update.
    func old(_ column: Int) -> ChangesetValue? { value(column, sqlite3changeset_old) }

    /// The value of a column after the change; nil when it is not recorded.
    func new(_ column: Int) -> ChangesetValue? { value(column, sqlite3changeset_new) }

    /// The value that a conflicting row has in a column.
    func present(_ column: Int) -> ChangesetValue? {
      value(column, sqlite3changeset_conflict)
    }

    private typealias Getter =
      (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> CInt

    private func value(_ column: Int, _ get: Getter) -> ChangesetValue? {
      pointer(column, get).map(ChangesetValue.init)
    }

    private func pointer(_ column: Int, _ get: Getter) -> OpaquePointer? {
      var value: OpaquePointer?
      return get(iterator, CInt(column), &value) == SQLITE_OK ? value : nil
    }

    /// The digest of the row that was inserted or deleted.
    var digest: StateSum {
      let get = operation == .insert ? sqlite3changeset_new : sqlite3changeset_old
      var digest = RowDigest(table: table)
      for column in 0..<columnCount { digest.add(pointer(column, get)) }
      return digest.sum
    }

    /// The digests of the row that was updated, before and after.
    ///
    /// - Parameter present: a statement that stands at the row as it is after the changeset.
    func digests(present: OpaquePointer?) -> (before: StateSum, after: StateSum) {
      var (before, after) = (RowDigest(table: table), RowDigest(table: table))
      for column in 0..<columnCount {
        after.add(column: CInt(column), of: present)
        if let old = pointer(column, sqlite3changeset_old) {
          before.add(old)
        } else {
          before.add(column: CInt(column), of: present)
        }
      }
      return (before.sum, after.sum)
    }

    /// The table and primary key of the row.
    var key: RowKey {
      var marks: UnsafeMutablePointer<UInt8>?
      var count: CInt = 0
      guard sqlite3changeset_pk(iterator, &marks, &count) == SQLITE_OK, let marks else {
        return RowKey(table: table, values: [])
      }
      let columns = (0..<Int(count)).filter { marks[$0] != 0 }
      return RowKey(
        table: table,
        values: columns.map { (operation == .insert ? new($0) : old($0)) ?? .null })
    }

    /// The first column of the primary key, where that is a number and the first column of the table.
    var firstKey: Int64? { (operation == .insert ? new(0) : old(0))?.integer }

    /// Whether the conflicting row is as it was, except for one column.
    func isUntouched(butFor derived: Int) -> Bool {
      (0..<columnCount).allSatisfy { column in
        column == derived || old(column).map { $0 == present(column) } ?? true
      }
    }

    /// Whether the conflicting row already has the new values, as set by triggers.
    fileprivate var isDone: Bool {
      (0..<columnCount).allSatisfy { column in
        new(column).map { $0 == present(column) } ?? true
      }
    }
  }

  /// A row by its table and primary key.
  struct RowKey: Sendable, Hashable {
    let table: String
    let values: [ChangesetValue]

    /// The SQL condition that finds the row by `arguments`.
    func condition(_ database: Database) throws -> String {
      try database.columns(in: table).filter { $0.primaryKeyIndex > 0 }.map { "\($0.name) = ?" }
        .joined(separator: " AND ")
    }

    var arguments: StatementArguments { StatementArguments(values.map(\.databaseValue)) }
  }

  /// Calls `body` with each row's change, in the order in which they are applied.
  func forEach(isInverted: Bool = false, _ body: (RowChange) throws -> Void) throws {
    guard !isEmpty else { return }
    var copy = bytes
    try copy.withUnsafeMutableBytes { bytes in
      var iterator: OpaquePointer?
      try Self.check(
        sqlite3changeset_start_v2(
          &iterator, CInt(bytes.count), bytes.baseAddress,
          isInverted ? SQLITE_CHANGESETSTART_INVERT : 0))
      guard let iterator else { return }
      do {
        while sqlite3changeset_next(iterator) == SQLITE_ROW, let row = RowChange(iterator) {
          try body(row)
        }
      } catch {
        sqlite3changeset_finalize(iterator)
        throw error
      }
      try Self.check(sqlite3changeset_finalize(iterator))
    }
  }

  static func check(_ code: CInt) throws {
    guard code == SQLITE_OK else {
      throw CatalogError(.damaged, "A changeset cannot be read (SQLite's error \(code)).")
    }
  }
}

/// A value of a row.
enum ChangesetValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  fileprivate init(_ value: OpaquePointer) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_NULL: self = .null
    case let type:
      let data =
        sqlite3_value_blob(value).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) }
        ?? Data()
      self = type == SQLITE_TEXT ? .text(String(decoding: data, as: UTF8.self)) : .blob(data)
    }
  }

  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): value.databaseValue
    }
  }

  var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  var text: String? {
    guard case .text(let value) = self else { return nil }
    return value
  }
}

extension Changeset {
  /// The reason why a changeset was not applied.
  enum Blocker: Error {
    /// A row is not what it was when the change was made.
    case touched(RowKey)
    /// A row would violate a unique constraint.
    case taken(RowKey)
    /// A reference would break: later rows refer to one that would be deleted, or a row refers to one that is gone.
    case inUse
  }

  /// Applies the changeset to a database within its transaction, all or nothing.
  ///
  /// Cascades and triggers may already have made some of the changes: a row to delete that is gone is
  /// skipped, and so is a completion that already has its new values.
  ///
  /// - Parameters:
  ///   - includes: whether to apply the changes to a table.
  ///   - overrules: whether to change a row even if it is not what it was.
  /// - Throws: `Blocker`.
  func apply(
    to database: OpaquePointer?, isInverted: Bool = false,
    includes: @escaping (String) -> Bool = { _ in true },
    overrules: @escaping (RowChange) -> Bool = { _ in false }
  ) throws {
    guard !isEmpty else { return }
    let run = Application(includes, overrules)
    var copy = bytes
    let code = copy.withUnsafeMutableBytes { bytes in
      sqlite3changeset_apply_v2(
        database, CInt(bytes.count), bytes.baseAddress,
        { run, table in
          guard let run, let table else { return 0 }
          let application = Unmanaged<Application>.fromOpaque(run).takeUnretainedValue()
          return application.includes(String(cString: table)) ? 1 : 0
        },
        { run, kind, iterator in
          guard let run, let iterator else { return SQLITE_CHANGESET_ABORT }
          let application = Unmanaged<Application>.fromOpaque(run).takeUnretainedValue()
          return application.resolve(kind, iterator)
        },
        Unmanaged.passUnretained(run).toOpaque(), nil, nil,
        isInverted ? SQLITE_CHANGESETAPPLY_INVERT : 0)
    }
    withExtendedLifetime(run) {}
    if let blocker = run.blocker { throw blocker }
    guard code == SQLITE_OK else {
      throw CatalogError(.failed, "A changeset cannot be applied (SQLite's error \(code)).")
    }
  }

  /// The state that the callbacks of one application share.
  private final class Application {
    let includes: (String) -> Bool
    private let overrules: (RowChange) -> Bool
    var blocker: Blocker?

    init(_ includes: @escaping (String) -> Bool, _ overrules: @escaping (RowChange) -> Bool) {
      (self.includes, self.overrules) = (includes, overrules)
    }

    func resolve(_ kind: CInt, _ iterator: OpaquePointer) -> CInt {
      // A broken reference has no row to look at.
      guard kind != SQLITE_CHANGESET_FOREIGN_KEY, let row = RowChange(iterator) else {
        blocker = .inUse
        return SQLITE_CHANGESET_ABORT
      }
      switch (kind, row.operation) {
      case (SQLITE_CHANGESET_NOTFOUND, .delete): return SQLITE_CHANGESET_OMIT
      // A trigger maintains the day of a completion.
      case (SQLITE_CHANGESET_DATA, .update) where row.table == "completion" && row.isDone:
        return SQLITE_CHANGESET_OMIT
      case (SQLITE_CHANGESET_DATA, _) where overrules(row): return SQLITE_CHANGESET_REPLACE
      case (SQLITE_CHANGESET_CONSTRAINT, _): blocker = .taken(row.key)
      default: blocker = .touched(row.key)
      }
      return SQLITE_CHANGESET_ABORT
    }
  }
}

/// Records all changes to a database from its creation on.
///
/// It is a session of SQLite and must be deallocated before its connection is closed.
final class ChangesetRecorder {
  private let session: OpaquePointer

  init(_ database: Database) throws {
    var session: OpaquePointer?
    let code = sqlite3session_create(database.sqliteConnection, "main", &session)
    guard code == SQLITE_OK, let session else {
      throw CatalogError(.failed, "What is changed cannot be recorded (SQLite's error \(code)).")
    }
    self.session = session
    sqlite3session_table_filter(
      session,
      { _, table in
        guard let table else { return 0 }
        return Changeset.isRecorded(String(cString: table)) ? 1 : 0
      }, nil)
    try Changeset.check(sqlite3session_attach(session, nil))
  }

  deinit { sqlite3session_delete(session) }

  /// The changes so far; a row that was changed several times appears once.
  func changeset() throws -> Changeset {
    var count: CInt = 0
    var bytes: UnsafeMutableRawPointer?
    let code = sqlite3session_changeset(session, &count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else {
      throw CatalogError(.failed, "What was changed was not recorded (SQLite's error \(code)).")
    }
    return Changeset(bytes: bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data())
  }
}
