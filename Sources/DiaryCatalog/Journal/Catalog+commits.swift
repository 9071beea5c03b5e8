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
  /// The write-ahead log is folded into the database when it has grown past this.
  private static let checkpointByteCount = 16 << 20

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
        let lineage = try settleJournal(writer)
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
          try keep(frame, isNewLineage: lineage.map { $0 != frame.lineage } ?? false)
          noteGeneration(frame.commit)
        }
        if logByteCount(writer.path) > Self.checkpointByteCount {
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
    let commit = try Self.generation(database) + 1
    let tables = CatalogTables(database: database)
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
    let number = try max(commit, Self.generation(database) + 1)
    try Self.setGeneration(number, database)
    let changeset = try recorder.changeset()
    guard let lineage = try tables.settings.lineage else {
      throw CatalogError(.damaged, "The catalog does not say to which line of commits it belongs.")
    }
    let frame = try Frame(
      commit: number, lineage: lineage, madeAt: clock(), label: label(changeset),
      changeset: changeset)
    return (value, frame)
  }

  /// Appends the frame to the journal. A commit whose frame cannot be written is kept as a snapshot, and so
  /// is the first of a new lineage.
  private func keep(_ frame: Frame, isNewLineage: Bool) throws {
    guard let journal else { return }
    do {
      if !isNewLineage { return try journal.append(frame) }
    } catch let error as UnsettledFrame {
      // The next writer settles it before anything else. Until then it is not reported as safe.
      throw error.cause
    } catch {}  // The snapshot below says why when it cannot be made either.
    try journal.keepWhole(self)
    try journal.begin(
      Frame(startAfter: frame.commit, lineage: frame.lineage, madeAt: frame.madeAt),
      keepsAll: isOlderThanBefore())
  }

  /// Sees to it that the journal goes on from the catalog's last commit, and is everywhere it has to be.
  package func settleJournal() throws {
    guard let writer, let lock else { return }
    try Self.translating { try lock.withLock { _ = try settleJournal(writer, isFinal: true) } }
  }

  /// Begins a new part of the journal, so that those before it can go when snapshots have all of them.
  package func beginJournalPart() throws {
    guard let writer, let lock, let journal else { return }
    try Self.translating {
      try lock.withLock {
        guard let lineage = try settleJournal(writer), let last = try journal.last(), !last.isStart
        else { return }
        try journal.begin(
          Frame(startAfter: last.commit, lineage: lineage, madeAt: clock()),
          keepsAll: isOlderThanBefore())
      }
    }
  }

  /// Lets the journal begin anew behind a snapshot, after `removal` has taken away what it had.
  package func restartJournal(_ removal: () throws -> Void) throws {
    guard let writer, let lock else { return }
    try Self.translating {
      try lock.withLock {
        try removal()
        _ = try settleJournal(writer)
      }
    }
  }

  /// A journal that does not end with the catalog's last commit, as after a crash between the two, goes
  /// on behind a snapshot. Where it is ahead, somebody has put an older catalog in place: what is done
  /// to that is a line of its own.
  ///
  /// - Returns: the catalog's lineage; nil before its first commit.
  private func settleJournal(_ writer: DatabasePool, isFinal: Bool = false) throws -> UUID? {
    guard let journal else { return try writer.read(Self.lineage) }
    var (commit, lineage) = try writer.read { try (Self.generation($0), Self.lineage($0)) }
    let last = try journal.last()
    if let last, last.commit == commit, last.schema == Schema.version,
      lineage == nil || last.lineage == lineage, try journal.settle(isFinal: isFinal)
    {
      return lineage
    }
    if let last, last.commit > commit {
      lineage = UUID()
      commit = last.commit + 1
      try writer.write { [lineage, commit] database in
        let settings = SettingTable(database: database)
        try settings.set(.isOlderThanBefore, "true")
        try settings.set(.lineage, lineage?.uuidString ?? "")
        try Self.setGeneration(commit, database)
      }
    }
    if commit > 0 { try journal.keepWhole(self) }
    // Before the first commit there is nothing to keep, and no lineage yet.
    let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try journal.begin(
      Frame(startAfter: commit, lineage: lineage ?? none, madeAt: clock()),
      keepsAll: isOlderThanBefore())
    return lineage
  }

  private static func lineage(_ database: Database) throws -> UUID? {
    try SettingTable(database: database).lineage
  }

  private func logByteCount(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
