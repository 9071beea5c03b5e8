package import DiaryModel
internal import Foundation
internal import GRDB
internal import Synchronization

/// A change that may take several commits.
package final class OpenChange: Sendable {
  let kind: ChangeKind
  /// Its row in the history, once a commit has done something.
  let id = Mutex<Int64?>(nil)

  package init(_ kind: ChangeKind) { self.kind = kind }
}

extension Catalog {
  /// One transaction that is no change of anybody's, such as those of maintenance.
  package func write<Value>(_ body: (CatalogTables) throws -> Value) throws -> Value {
    try commit { tables, _ in try (body(tables), { _ in Frame.Label() }) }
  }

  /// One transaction that can be undone.
  ///
  /// - Parameter body: gets the moment of the change, which no other change has.
  package func change<Value>(
    _ kind: ChangeKind, now: Timestamp, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws -> Value {
    try change(context.open(kind), now: now, body)
  }

  /// One transaction of a change that several make.
  package func change<Value>(
    _ change: OpenChange, now: Timestamp, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws -> Value {
    try commit { tables, commit in
      let history = tables.history
      let open = try change.id.withLock { $0 }.flatMap { try history.change($0) }
      let time = try open.map { Timestamp(milliseconds: $0.madeAt) } ?? history.time(now)
      return try (
        body(tables, time),
        { changeset in
          guard !changeset.isEmpty else { return Frame.Label() }
          var row =
            try open
            ?? ChangeRow(
              id: history.nextID(), kind: change.kind.rawValue, origin: self.context.origin,
              madeAt: time.milliseconds)
          row.byteCount += changeset.bytes.count
          try row.counts.add(changeset, tables.database)
          try history.set(row)
          try history.addStep(changeset, commit: commit, to: row.id)
          return Frame.Label(change: row, isStep: true)
        }
      )
    } committed: { label in
      // Under the library's lock still, as another commit of the same change may be waiting.
      if let id = label.change?.id { change.id.withLock { $0 = id } }
    }
  }

  /// One transaction, durable when it returns: in the database first, and then as a frame in the journal.
  /// A commit that changed nothing is none.
  ///
  /// - Parameter body: gets the number that the commit will have, and returns what makes the label of its
  ///   frame from its changeset.
  /// - Throws: what `body` throws, with nothing changed; and when the commit could neither be written
  ///   into the journal nor be kept as a snapshot.
  func commit<Value>(
    _ body: (CatalogTables, Int) throws -> (Value, (Changeset) throws -> Frame.Label),
    committed: (Frame.Label) -> Void = { _ in }
  ) throws -> Value {
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    return try Self.translating {
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
        if let frame {
          try journal.keep(frame, isNewLineage: lineage.map { $0 != frame.lineage } ?? false)
          GenerationNote(ofCatalogAt: path).advance(to: frame.commit)
        }
        if WriteAheadLog(ofCatalogAt: path).byteCount > WriteAheadLog.maxByteCount {
          try Self.unlessDiskIsFull {
            _ = try writer.writeWithoutTransaction { try $0.checkpoint(.passive) }
          }
        }
        return value
      }
    }
  }

  private func recorded<Value>(
    _ database: Database,
    _ body: (CatalogTables, Int) throws -> (Value, (Changeset) throws -> Frame.Label)
  ) throws -> (Value, Frame?) {
    let tables = CatalogTables(database: database)
    let commit = try tables.settings.generation + 1
    // No part of what is recorded: each frame says it.
    if try tables.settings.lineage == nil {
      try tables.settings.set(.lineage, UUID().uuidString)
    }
    let recorder = try ChangesetRecorder(database)
    let before = database.totalChangesCount
    try context.check(tables)
    let (value, label) = try body(tables, commit)
    guard database.totalChangesCount > before else { return (value, nil) }
    // A new lineage goes on behind the count of another one.
    let number = try max(commit, tables.settings.generation + 1)
    try tables.settings.setGeneration(number)
    let changeset = try recorder.changeset()
    guard let lineage = try tables.settings.lineage else {
      throw CatalogError(.damaged, "The catalog does not say to which line of commits it belongs.")
    }
    let frame = try Frame(
      commit: number, lineage: lineage, madeAt: clock(), label: label(changeset),
      changeset: changeset)
    return (value, frame)
  }
}
