package import DiaryModel
internal import Foundation
internal import GRDB
internal import Journal
internal import Synchronization

/// A change that may take several commits.
package final class OpenChange: Sendable {
  let kind: ChangeKind
  /// Identifies it to a service that records it.
  package let token = UUID().uuidString.lowercased()
  /// Its row in the history, once a commit has changed something.
  let id = Mutex<Int64?>(nil)

  package init(_ kind: ChangeKind) { self.kind = kind }
}

extension Catalog {
  /// Runs a transaction that is not part of the history, such as for maintenance.
  package func write<Value>(_ body: (CatalogTables) throws -> Value) throws -> Value {
    try commit { tables, _ in try (body(tables), { _ in FrameLabel() }) }
  }

  /// Runs a transaction that only changes notes about the place, which no journal has.
  func note(_ body: (CatalogTables) throws -> Void) throws {
    let (writer, lock) = try writing()
    try using {
      try lock.withLock {
        try writer.write { database in
          try Self.check(Schema.version(of: database))
          try body(CatalogTables(database: database))
        }
      }
    }
  }

  /// Runs a transaction that can be undone.
  ///
  /// - Parameter body: receives the time of the change, which is unique among all changes.
  package func change<Value>(
    _ kind: ChangeKind, now: Timestamp, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws -> Value {
    if let transaction { return try using { try transaction.change(kind, body) } }
    return try change(context.open(kind), now: now, body)
  }

  /// Runs one of several transactions of a change.
  package func change<Value>(
    _ change: OpenChange, now: Timestamp, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws -> Value {
    try record(change, context.origin, now: now) { (try body($0, $1), change.kind) }
  }

  /// Runs a transaction of a change.
  ///
  /// - Parameters:
  ///   - change: one of several transactions; nil for the only one.
  ///   - body: returns the kind of the change, too; nil only when it has changed nothing that can be undone.
  func record<Value>(
    _ change: OpenChange?, _ origin: String?, now: Timestamp,
    _ body: (CatalogTables, Timestamp) throws -> (Value, ChangeKind?)
  ) throws -> Value {
    try commit { tables, commit in
      let history = tables.history
      // Commits that follow after the change was undone belong to another change.
      let open = try change?.id.withLock { $0 }.flatMap { try history.change($0) }
        .flatMap { $0.undoneBy == nil ? $0 : nil }
      let time = try open.map { Timestamp(milliseconds: $0.madeAt) } ?? history.time(now)
      let (value, kind) = try body(tables, time)
      return (
        value,
        { changeset in
          // Tables that undo leaves out make no change: an import that finds known photos again, for example.
          let step = try changeset.limited(to: ChangeMove.isMoved)
          guard !step.isEmpty else { return FrameLabel() }
          guard let kind else {
            throw CatalogError(.failed, "Rows were changed without a kind of change.")
          }
          var row =
            try open
            ?? ChangeRow(
              id: history.nextID(), kind: kind.rawValue, origin: origin, madeAt: time.milliseconds)
          row.byteCount += step.bytes.count
          try row.counts.add(changeset, tables.database)
          try history.set(row)
          if let dropped = try history.addStep(step, commit: commit, to: row) {
            self.context.noteDropped(dropped)
          }
          return FrameLabel(change: row, isStep: true)
        }
      )
    } committed: { label in
      // Still under the library's lock, as another commit of the same change may be waiting.
      if let id = label.change?.id { change?.id.withLock { $0 = id } }
    }
  }

  /// Runs a transaction that is durable when it returns: first in the database, then as a frame in the
  /// journal. One that changes nothing is not a commit.
  ///
  /// - Parameter body: receives the number that the commit will have, and returns a function that makes the
  ///   label of its frame from its changeset.
  /// - Throws: what `body` throws, with nothing changed; or an error when the commit could be neither written
  ///   to the journal nor kept as a snapshot.
  func commit<Value>(
    _ body: (CatalogTables, Int) throws -> (Value, (Changeset) throws -> FrameLabel),
    committed: (FrameLabel) -> Void = { _ in }
  ) throws -> Value {
    let (writer, lock) = try writing()
    return try using {
      try lock.withLock {
        let journal = CatalogJournal(of: self)
        let lineage = try journal.settle(writer)
        probe.atBoundary?()
        let (value, frame) = try writer.write { database in
          let result = try recorded(database, body)
          probe.atBoundary?()
          return result
        }
        probe.atBoundary?()
        context.note(frame?.label)
        frame.map { committed($0.label) }
        if let frame = frame?.frame {
          try journal.keep(frame, isNewLineage: lineage.map { $0 != frame.lineage } ?? false)
          GenerationNote(ofCatalogAt: path).advance(to: frame.commit)
        }
        if WriteAheadLog(ofCatalogAt: path).byteCount > WriteAheadLog.maxByteCount {
          try Self.unlessDiskIsFull {
            _ = try writer.writeWithoutTransaction { database in
              try FullDisk.naming(database) { try database.checkpoint(.passive) }
            }
          }
        }
        return value
      }
    }
  }

  private func recorded<Value>(
    _ database: Database,
    _ body: (CatalogTables, Int) throws -> (Value, (Changeset) throws -> FrameLabel)
  ) throws -> (Value, (frame: Frame, label: FrameLabel)?) {
    let tables = CatalogTables(database: database)
    // Another program may have brought the catalog up to date since this one opened it.
    let schema = try Schema.version(of: database)
    try Self.check(schema)
    let commit = try tables.settings.generation + 1
    let formerLineage = try tables.place.lineage
    let (made, changeset, counters) = try tables.state.following {
      let request = try context.check(tables, commit: commit, now: clock())
      let (value, label) = try body(tables, commit)
      return (value: value, label: label, request: request)
    }
    if let view { try LimitedChange(view: view, reader: reader).check(changeset, in: database) }
    var label = try made.label(changeset)
    (label.request, label.counters) = (made.request, counters.isEmpty ? nil : counters)
    let lineage = try tables.place.lineage ?? UUID()
    // A change of notes about the place alone, such as when a blob was last verified, is not a commit.
    guard !changeset.isEmpty || label != FrameLabel() || lineage != formerLineage else {
      return (made.value, nil)
    }
    if lineage != formerLineage { try tables.place.set(.lineage, lineage.uuidString) }
    // A new lineage continues after the count of another one.
    let number = try max(commit, tables.settings.generation + 1)
    if lineage == formerLineage { try tables.commits.note(number, label, changeset) }
    try tables.settings.setGeneration(number)
    let frame = try Frame(
      commit: number, lineage: lineage, schema: UInt32(schema), madeAt: clock(),
      after: tables.heads.current ?? .none, state: tables.state.sum, label: label.encoded(),
      changeset: changeset.bytes)
    try tables.heads.add(frame)
    return (made.value, (frame, label))
  }
}

/// The context of commits: who makes them, under which condition, and with which result.
///
/// Each belongs to a command or a request. Through it, a request learns the number of its change, and has
/// its condition checked in the very transaction that it is for.
package final class CommitContext: Sendable {
  private struct State {
    var isCommitted = false
    var droppedUntil: Timestamp?
    var open: OpenChange?
    var change: Int64?
  }

  /// The origin of changes for the history, such as a command line.
  package let origin: String?
  /// The token that sends photos in it; nil for none.
  package let sender: SenderToken?
  /// The request that its first commit carries out, if it has a key.
  private let request: RequestKey?
  private let condition: (@Sendable (CatalogTables) throws -> Void)?
  /// Whether everything done in it is a single change.
  private let isOneChange: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isOneChange: whether everything done in it is a single change, of the first kind that occurs.
  ///   - condition: runs at the start of the first transaction, and prevents it by throwing. It may write.
  package init(
    origin: String? = nil, sender: SenderToken? = nil, isOneChange: Bool = false,
    request: RequestKey? = nil,
    condition: (@Sendable (CatalogTables) throws -> Void)? = nil
  ) {
    (self.origin, self.sender, self.isOneChange) = (origin, sender, isOneChange)
    (self.request, self.condition) = (request, condition)
  }

  /// The number of the last change that was made, undone or redone in it; nil before the first.
  package var change: Int64? { state.withLock { $0.change } }

  /// The time of the newest change that a commit in it has dropped from the history; nil if none was.
  package var droppedUntil: Timestamp? { state.withLock { $0.droppedUntil } }

  func noteDropped(_ time: Timestamp) { state.withLock { $0.droppedUntil = time } }

  /// The change that a commit of this kind belongs to.
  func open(_ kind: ChangeKind) -> OpenChange {
    guard isOneChange else { return OpenChange(kind) }
    return state.withLock { state in
      let open = state.open ?? OpenChange(kind)
      state.open = open
      return open
    }
  }

  /// Checks that the request was not carried out before, and that its condition holds.
  ///
  /// - Returns: the request that the commit carries out; nil for one without a lasting key, and after its first commit.
  /// - Throws: `AnsweredRequestTable.Repeated`, or what the condition throws.
  func check(_ tables: CatalogTables, commit: Int, now: Timestamp) throws -> RequestKey? {
    if state.withLock({ $0.isCommitted }) { return nil }
    if let request { try tables.answeredRequests.begin(request, commit: commit, now: now) }
    try condition?(tables)
    return request.flatMap { $0.isLasting ? $0 : nil }
  }

  /// - Parameter label: the label of the commit's frame; nil when nothing was changed.
  func note(_ label: FrameLabel?) {
    state.withLock { state in
      state.isCommitted = true
      state.change = label?.change?.id ?? state.change
    }
  }
}
