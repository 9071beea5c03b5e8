internal import CSQLiteSession
internal import DiaryModel
internal import Foundation
internal import GRDB
package import Journal

/// The owner of `state`: the sum of all recorded rows, of the counters from which their ids come, and of all heads.
///
/// Each commit brings it up to date from the rows that it has changed; `computed` reads all rows.
package struct StateTable: CatalogTable {
  let database: Database

  /// The sum of the present state.
  package var sum: StateSum {
    get throws {
      let bytes = try Data.fetchOne(database.cachedStatement(sql: "SELECT sum FROM state"))
      guard let sum = bytes.flatMap(StateSum.init) else {
        throw CatalogError(.damaged, "The catalog's sum of its state is gone.")
      }
      return sum
    }
  }

  /// Sets the sum to that of the rows as they are.
  func makeAnew() throws {
    try database.execute(sql: "UPDATE state SET sum = ?", arguments: [computed().bytes])
  }

  func add(_ delta: StateSum) throws {
    guard delta != .zero else { return }
    var sum = try sum
    sum += delta
    try database.cachedStatement(sql: "UPDATE state SET sum = ?").execute(arguments: [sum.bytes])
  }

  /// Runs a part of a transaction, and adds what it does to the recorded rows and their counters.
  ///
  /// - Returns: the changeset, and the counters that were changed.
  func following<Value>(
    _ body: () throws -> Value
  ) throws -> (value: Value, changeset: Changeset, counters: [String: Int64]) {
    let before = try counters()
    let recorder = try ChangesetRecorder(database)
    let value = try body()
    let changeset = try recorder.changeset()
    let changed = try counters().filter { $0.value != before[$0.key] }
    var delta = try delta(changeset)
    for (table, count) in changed {
      if let former = before[table] { delta -= Self.digest(counter: former, of: table) }
      delta += Self.digest(counter: count, of: table)
    }
    try add(delta)
    return (value, changeset, changed)
  }

  /// Sets the counters of tables as a commit has left them. Applying its changeset alone leaves them lower where it has
  /// removed rows again that it had added.
  func setCounters(_ counters: [String: Int64]) throws {
    for (table, count) in counters {
      try database.execute(
        sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = ?", arguments: [count, table])
    }
  }

  /// The highest ids that recorded tables have ever had.
  private func counters() throws -> [String: Int64] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT name, seq FROM sqlite_sequence")
    ).reduce(into: [:]) { counters, row in
      let table: String = row[0]
      if Changeset.isRecorded(table) { counters[table] = row[1] }
    }
  }

  private static func digest(counter: Int64, of table: String) -> StateSum {
    var digest = RowDigest(table: "sqlite_sequence")
    digest.add(.text(table))
    digest.add(.integer(counter))
    return digest.sum
  }
}

extension StateTable {
  /// The difference that a changeset makes, once it has been applied.
  ///
  /// The former row of an update is the present one with the changeset's old values.
  private func delta(_ changeset: Changeset) throws -> StateSum {
    var delta = StateSum.zero
    try changeset.forEach { row in
      switch row.operation {
      case .insert: delta += row.digest
      case .delete: delta -= row.digest
      case .update:
        try read(row) { present in
          let (before, after) = row.digests(present: present)
          delta -= before
          delta += after
        }
      }
    }
    return delta
  }

  /// Calls `body` with a statement that stands at the present row of an update.
  private func read(_ row: Changeset.RowChange, _ body: (OpaquePointer?) throws -> Void) throws {
    let statement = try database.cachedStatement(
      sql: "SELECT * FROM \(row.table) WHERE \(row.key.condition(database))")
    try statement.setArguments(row.key.arguments)
    let pointer = statement.sqliteStatement
    defer { sqlite3_reset(pointer) }
    guard sqlite3_step(pointer) == SQLITE_ROW else {
      throw CatalogError(.damaged, "A row of \(row.table) that was changed is not there.")
    }
    try body(pointer)
  }
}

/// The sum of all rows, which is that of the state unless something is damaged.
extension StateTable {
  /// Reads all recorded rows, their counters and all heads.
  package func computed() throws -> StateSum {
    var sum = StateSum.zero
    for table in try Self.summed(database) {
      let statement = try database.makeStatement(sql: "SELECT * FROM \(table)")
      try Self.forEachRow(statement) { row, columnCount in
        var digest = RowDigest(table: table)
        for column in 0..<columnCount { digest.add(column: column, of: row) }
        sum += digest.sum
      }
    }
    for (table, count) in try counters() { sum += Self.digest(counter: count, of: table) }
    return sum
  }

  /// The recorded tables, and that of heads.
  static func summed(_ database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
          ORDER BY name
        """
    ).filter { $0 == "head" || Changeset.isRecorded($0) }
  }

  static func digest(of head: HeadTable.Ancestor) -> StateSum {
    var digest = RowDigest(table: "head")
    digest.add(.blob(head.head.bytes))
    digest.add(.integer(Int64(head.commit)))
    return digest.sum
  }

  private static func forEachRow(
    _ statement: Statement, _ body: (OpaquePointer?, _ columnCount: CInt) throws -> Void
  ) throws {
    let row = statement.sqliteStatement
    let columnCount = CInt(statement.columnCount)
    while true {
      switch sqlite3_step(row) {
      case SQLITE_ROW: try body(row, columnCount)
      case SQLITE_DONE: return
      case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }
}
