package import DiaryModel
internal import Foundation
internal import GRDB

/// A row of `change`.
struct ChangeRow: Sendable, Hashable, Codable {
  let id: Int64
  let kind: String
  var origin: String?
  /// Milliseconds since 1970, unique among all changes.
  let madeAt: Int64
  var counts = ChangeTally()
  /// The commit that undid it.
  var undoneBy: Int64?
  /// The total size of its steps.
  var byteCount = 0
}

/// The owner of `change` and `changeStep`: the history of changes, with the changesets by which they are
/// undone.
package struct HistoryTable: CatalogTable {
  let database: Database

  /// The oldest changes are dropped when the steps of all exceed this, but none of the last day.
  @TaskLocal package static var maxByteCount = 64 << 20
  private static let maxChangeCount = 10_000
  private static let keptSpan = Duration.seconds(86_400)

  /// The time of a change that is made now, or the next one that no other change has: it identifies the
  /// entries that were moved to the trash together. It may be earlier than that of a previous change, as
  /// changes are in the order of their ids.
  func time(_ now: Timestamp) throws -> Timestamp {
    let free = try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT madeAt + 1 FROM change c
          WHERE madeAt >= ?1 AND EXISTS (SELECT 1 FROM change WHERE madeAt = ?1)
            AND NOT EXISTS (SELECT 1 FROM change d WHERE d.madeAt = c.madeAt + 1)
          ORDER BY madeAt LIMIT 1
          """), arguments: [now.milliseconds])
    return free.map { Timestamp(milliseconds: $0) } ?? now
  }

  /// The id of the next change.
  func nextID() throws -> Int64 {
    let last = try Int64.fetchOne(
      database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'change'")
    return (last ?? 0) + 1
  }

  /// Whether an id could be given a second time.
  var isCounterBehind: Bool {
    get throws {
      try nextID() <= Int64.fetchOne(database, sql: "SELECT max(id) FROM change") ?? 0
    }
  }

  package func isKept(_ id: Int64) throws -> Bool { try change(id) != nil }

  func change(_ id: Int64) throws -> ChangeRow? {
    try rows("WHERE id = ?", [id]).first
  }

  /// The newest change that is not undone.
  func lastDone() throws -> ChangeRow? {
    try rows("WHERE undoneBy IS NULL ORDER BY id DESC LIMIT 1").first
  }

  /// The change that was undone last.
  private func lastUndone() throws -> ChangeRow? {
    try rows("WHERE undoneBy IS NOT NULL ORDER BY undoneBy DESC LIMIT 1").first
  }

  /// Inserts a row, or updates the one with its id.
  func set(_ row: ChangeRow) throws {
    let counts = String(decoding: try JSONEncoder.stable.encode(row.counts), as: UTF8.self)
    try database.execute(
      sql: """
        INSERT INTO change (id, kind, origin, madeAt, counts, undoneBy, byteCount, digest)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, rowDigest('change', ?1, ?2, ?3, ?4, ?5, ?6, ?7))
        ON CONFLICT (id) DO UPDATE SET counts = excluded.counts, undoneBy = excluded.undoneBy,
          byteCount = excluded.byteCount,
          digest = rowDigest('change', id, kind, origin, madeAt, excluded.counts, excluded.undoneBy,
            excluded.byteCount)
        """,
      arguments: [
        row.id, row.kind, row.origin, row.madeAt, counts, row.undoneBy, row.byteCount,
      ])
  }

  /// - Returns: the time of the newest change that was dropped; nil if none was.
  func addStep(_ changeset: Changeset, commit: Int, to change: ChangeRow) throws -> Timestamp? {
    try database.execute(
      sql: """
        INSERT INTO changeStep (id, changeID, changeset, digest)
        VALUES (?1, ?2, ?3, rowDigest('changeStep', ?1, ?2, ?3))
        """, arguments: [commit, change.id, changeset.bytes])
    return try trim(madeAt: change.madeAt)
  }

  /// Drops the oldest changes until the others are within the limits.
  ///
  /// - Parameter madeAt: the time of the newest change. One of a later time was made while the clock was wrong.
  private func trim(madeAt: Int64) throws -> Timestamp? {
    let bounds = try Row.fetchOne(database, sql: "SELECT sum(byteCount), count(*) FROM change")
    guard let bounds, var byteCount: Int = bounds[0], var count: Int = bounds[1],
      byteCount > Self.maxByteCount || count > Self.maxChangeCount
    else { return nil }
    let end = madeAt.subtractingSaturated(Self.keptSpan.saturatedMilliseconds)
    let oldest = try Row.fetchCursor(
      database, sql: "SELECT id, byteCount, madeAt FROM change ORDER BY id")
    var last: (id: Int64, madeAt: Int64)?
    while byteCount > Self.maxByteCount || count > Self.maxChangeCount,
      let row = try oldest.next(), !(end...madeAt).contains(row[2] as Int64)
    {
      last = (row[0], row[2])
      byteCount -= row[1]
      count -= 1
    }
    guard let last else { return nil }
    try database.execute(sql: "DELETE FROM change WHERE id <= ?", arguments: [last.id])
    return Timestamp(milliseconds: last.madeAt)
  }

  /// The steps of a change in the order in which they were made.
  func steps(of change: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      database, sql: "SELECT id FROM changeStep WHERE changeID = ? ORDER BY id",
      arguments: [change])
  }

  func changeset(ofStep id: Int64) throws -> Changeset {
    let bytes = try Data.fetchOne(
      database, sql: "SELECT changeset FROM changeStep WHERE id = ?", arguments: [id])
    guard let bytes else { throw CatalogError(.damaged, "A step of a change is gone.") }
    return Changeset(bytes: bytes)
  }

  /// Removes the history; ids are not reused. The answers to requests are forgotten as well, as they have the
  /// words of what was changed.
  func removeAll() throws {
    try database.execute(sql: "DELETE FROM change")
    try tables.commits.removeAll()
    try tables.answeredRequests.forgetAnswers()
  }

  /// A page of the history, the newest change first.
  package func page(before: Int64?, limit: Int) throws -> History {
    let rows = try rows(
      "WHERE id < ? ORDER BY id DESC LIMIT ?", [before ?? .max, min(limit, Int(Int32.max)) + 1])
    let oldest = try Int64.fetchOne(database, sql: "SELECT min(id) FROM change")
    return History(
      changes: try rows.prefix(limit).compactMap(described), hasMore: rows.count > limit,
      isCut: try (oldest ?? nextID()) > 1)
  }

  /// The change of a row, with the first things that it touched. Nil for a kind that this version does not know.
  func described(_ row: ChangeRow) throws -> Change? {
    guard var change = Change(row) else { return nil }
    change.things = try ChangedThings(tables: tables).all(of: change)
    return change
  }

  /// The changes that were made after a commit, oldest first, as far as they are kept.
  package func changes(after commit: Int) throws -> [Change] {
    try rows(
      """
      WHERE id IN (SELECT changeID FROM changeStep WHERE id > ?) ORDER BY id
      """, [commit]
    ).compactMap(Change.init)
  }

  /// The change that a commit is a step of; nil if it is none, or is no longer kept.
  package func change(ofCommit commit: Int) throws -> Change? {
    try rows("WHERE id = (SELECT changeID FROM changeStep WHERE id = ?)", [commit]).first
      .flatMap(Change.init)
  }

  /// The public ids of the entries that a change has added or edited, as far as they are kept, and whether a later
  /// change has edited them.
  package func entries(of change: Int64) throws -> [(id: String, isChanged: Bool)] {
    let rows = try entryRows(of: change, isAdded: false)
    let changed = try rowsChangedLater(rows, besides: change)
    let find = try database.cachedStatement(sql: "SELECT publicID FROM entry WHERE id = ?")
    return try rows.keys.sorted().compactMap { row in
      try String.fetchOne(find, arguments: [row]).map { ($0, changed.contains(row)) }
    }
  }

  /// The photos that a change has added and that are not in the trash, and whether a later change has edited them.
  package func photosAdded(by change: Int64) throws -> [(id: EntryID, isChanged: Bool)] {
    let rows = try entryRows(of: change, isAdded: true)
    let changed = try rowsChangedLater(rows, besides: change)
    let find = try database.cachedStatement(
      sql: "SELECT publicID FROM entry WHERE id = ? AND kind = 'photo' AND deletedAt IS NULL")
    return try rows.keys.sorted().compactMap { row in
      try String.fetchOne(find, arguments: [row]).map {
        (EntryID(stored: $0), changed.contains(row))
      }
    }
  }

  /// The rows of the entries that a change has added or edited, each with the last step that did.
  private func entryRows(of change: Int64, isAdded: Bool) throws -> [Int64: Int64] {
    var rows: [Int64: Int64] = [:]
    for step in try steps(of: change) {
      try changeset(ofStep: step).forEach { row in
        guard row.table == "entry", !isAdded || row.operation == .insert,
          let id = row.key.values.first?.integer
        else { return }
        rows[id] = step
      }
    }
    return rows
  }

  /// Those of some entries' rows that other changes have edited after the given steps. Walks all later steps once.
  private func rowsChangedLater(
    _ rows: [Int64: Int64], besides change: Int64
  ) throws -> Set<Int64> {
    guard let first = rows.values.min() else { return [] }
    let steps = try Int64.fetchAll(
      database,
      sql: """
        SELECT s.id FROM changeStep s JOIN change c ON c.id = s.changeID
        WHERE s.id > ? AND c.id <> ? AND c.undoneBy IS NULL ORDER BY s.id
        """, arguments: [first, change])
    var changed: Set<Int64> = []
    for step in steps {
      try changeset(ofStep: step).forEach { row in
        guard row.table == "entry" || ChangeTally.partTables.contains(row.table),
          let id = row.key.values.first?.integer, let own = rows[id], own < step
        else { return }
        changed.insert(id)
      }
    }
    return changed
  }

  /// The newest other change that touched one of these rows after a commit and is not undone.
  func latest(
    touching keys: Set<Changeset.RowKey>, after commit: Int64, besides change: Int64
  ) throws -> Int64? {
    struct Found: Error {}
    let steps = try Row.fetchAll(
      database,
      sql: """
        SELECT s.id, s.changeID FROM changeStep s JOIN change c ON c.id = s.changeID
        WHERE s.id > ? AND c.id <> ? AND c.undoneBy IS NULL ORDER BY s.id DESC
        """, arguments: [commit, change])
    for step in steps {
      do {
        try changeset(ofStep: step[0]).forEach { if keys.contains($0.key) { throw Found() } }
      } catch is Found { return step[1] }
    }
    return nil
  }

  private func rows(_ condition: String, _ arguments: StatementArguments = []) throws -> [ChangeRow]
  {
    try Row.fetchAll(database, sql: "SELECT * FROM change " + condition, arguments: arguments).map {
      let counts: String = $0["counts"]
      return ChangeRow(
        id: $0["id"], kind: $0["kind"], origin: $0["origin"], madeAt: $0["madeAt"],
        counts: try JSONDecoder().decode(ChangeTally.self, from: Data(counts.utf8)),
        undoneBy: $0["undoneBy"], byteCount: $0["byteCount"])
    }
  }
}

extension JSONEncoder {
  /// An encoder that gives the same text for the same value.
  static var stable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension Change {
  /// Nil for a kind that this version does not know.
  init?(_ row: ChangeRow) {
    guard let kind = ChangeKind(rawValue: row.kind) else { return nil }
    self.init(
      id: row.id, kind: kind, origin: row.origin, madeAt: Timestamp(milliseconds: row.madeAt),
      isUndone: row.undoneBy != nil, counts: row.counts.counts)
  }
}

/// Undoing and redoing changes.
extension Catalog {
  /// Undoes a change, all or nothing: what it did to each row is reverted, while what others did to other
  /// columns and rows stays.
  ///
  /// - Parameters:
  ///   - id: the change; nil means the newest that is not undone.
  ///   - confirm: called for each rendition that a photo gets back; throws when its blob is gone.
  /// - Throws: `CatalogError` with code `notFound` when there is no such change, and `conflict` when what
  ///   it touched was changed again since.
  package func undo(
    _ id: Int64?, confirm: (Rendition) throws -> Void
  ) throws -> Change {
    try move(id, isUndo: true, confirm)
  }

  /// Redoes a change that was undone.
  ///
  /// - Parameter id: the change; nil means the one undone last.
  package func redo(
    _ id: Int64?, confirm: (Rendition) throws -> Void
  ) throws -> Change {
    try move(id, isUndo: false, confirm)
  }

  private func move(
    _ id: Int64?, isUndo: Bool, _ confirm: (Rendition) throws -> Void
  ) throws -> Change {
    let row = try commit { tables, commit in
      let history = tables.history
      var row = try history.change(id, isUndo: isUndo)
      if let view {
        // Before anything else is said about it.
        let limited = LimitedChange(view: view, reader: reader)
        for step in try history.steps(of: row.id) {
          try limited.checkPresence(history.changeset(ofStep: step), in: tables.database)
        }
      }
      if let blocker = try history.move(row.id, isUndo: isUndo, now: clock(), confirm) {
        throw try history.refusal(blocker, to: row, isUndo: isUndo)
      }
      row.undoneBy = isUndo ? Int64(commit) : nil
      try history.set(row)
      return (row, { _ in FrameLabel(change: row) })
    }
    guard let change = try read({ try $0.history.described(row) }) else {
      throw CatalogError(.damaged, "The history has a change of a kind that is not known.")
    }
    return change
  }

  /// Finds what is in the way of changes being undone, or redone if they are undone. Each is tried in a transaction that
  /// is rolled back, so this takes the library's lock. A catalog that is open for reading finds nothing.
  ///
  /// - Parameter byteCount: the changes that are tried have changesets of up to this size in total, the first ones first.
  package func findBlockers(in history: History, trying byteCount: Int = 1 << 18) throws -> History
  {
    try checkAlone()
    guard let writer, let lock, !history.changes.isEmpty else { return history }
    return try using {
      try lock.withLock {
        try writer.writeWithoutTransaction { database in
          var (history, rest) = (history, byteCount)
          try database.inTransaction(.immediate) {
            let table = HistoryTable(database: database)
            for index in history.changes.indices {
              rest -= try table.change(history.changes[index].id)?.byteCount ?? 0
              guard rest >= 0 else { break }
              history.changes[index].blocker = try table.blocker(
                to: history.changes[index], now: clock())
            }
            return .rollback
          }
          return history
        }
      }
    }
  }
}

extension HistoryTable {
  /// The error for a change that cannot be moved. Of an import with photos that were edited later, it names the first.
  fileprivate func refusal(
    _ blocker: ChangeBlocker, to row: ChangeRow, isUndo: Bool
  ) throws -> CatalogError {
    let error = CatalogError(blocker)
    guard isUndo, row.kind == ChangeKind.importPhotos.rawValue,
      case .changedLater(let later) = blocker
    else { return error }
    let edited = try photosAdded(by: row.id).filter(\.isChanged).map(\.id.short)
    guard !edited.isEmpty else { return error }
    let names = edited.prefix(10).joined(separator: ", ")
    let rest = edited.count > 10 ? " and \(edited.count - 10) more" : ""
    let photos = edited.count == 1 ? "1 of its photos was" : "\(edited.count) of its photos were"
    return CatalogError(
      error.code, "\(error.message) \(photos) edited later: \(names)\(rest).",
      remedy: .deleteUnedited(change: row.id, orUndo: later))
  }

  /// Moves the steps of a change.
  ///
  /// - Returns: what is in the way; then its transaction must be rolled back.
  fileprivate func move(
    _ change: Int64, isUndo: Bool, now: Timestamp, _ confirm: (Rendition) throws -> Void
  ) throws -> ChangeBlocker? {
    let steps = try steps(of: change)
    for step in isUndo ? steps.reversed() : steps {
      let move = ChangeMove(
        tables: tables, changeset: try changeset(ofStep: step), isInverted: isUndo)
      do { try move.run(now: now, confirm) } catch let conflict as ChangeMove.Conflict {
        return try conflict.blocker(after: step, besides: change, self)
      }
    }
    return nil
  }

  fileprivate func blocker(to change: Change, now: Timestamp) throws -> ChangeBlocker? {
    var blocker: ChangeBlocker?
    try database.inSavepoint {
      blocker = try move(change.id, isUndo: !change.isUndone, now: now) { _ in }
      return .rollback
    }
    return blocker
  }

  /// The change to undo or to redo.
  ///
  /// - Parameter id: nil means the newest that is not undone, or the one undone last.
  fileprivate func change(_ id: Int64?, isUndo: Bool) throws -> ChangeRow {
    guard let id else {
      guard let row = try isUndo ? lastDone() : lastUndone() else {
        throw CatalogError(.notFound, "There is nothing to \(isUndo ? "undo" : "redo").")
      }
      return row
    }
    guard let row = try change(id) else {
      throw CatalogError(
        .notFound,
        try id > 0 && id < nextID()
          ? "The change \(id) is no longer kept, and cannot be undone."
          : "There is no change \(id).")
    }
    guard (row.undoneBy == nil) == isUndo else {
      throw CatalogError(
        .conflict,
        isUndo ? "The change \(id) is undone already." : "The change \(id) is not undone."
      )
    }
    return row
  }
}
