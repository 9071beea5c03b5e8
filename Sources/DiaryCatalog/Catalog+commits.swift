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
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try commit { database, _ in try (body(database), { _ in Frame.Label() }) }
  }

  /// One transaction that can be undone.
  ///
  /// - Parameter body: gets the moment of the change, which no other change has.
  func change<Value>(
    _ kind: ChangeKind, now: Timestamp, _ body: (Database, Timestamp) throws -> Value
  ) throws -> Value {
    try change(OpenChange(kind), now: now, body)
  }

  /// One transaction of a change that several make.
  func change<Value>(
    _ change: OpenChange, now: Timestamp, _ body: (Database, Timestamp) throws -> Value
  ) throws -> Value {
    var id: Int64?
    let value = try commit { database, commit in
      let history = HistoryTable(database: database)
      let open = try change.id.withLock { $0 }.flatMap { try history.change($0) }
      let time = try open.map { Timestamp(milliseconds: $0.madeAt) } ?? history.time(now)
      return try (
        body(database, time),
        { changeset in
          guard !changeset.isEmpty else { return Frame.Label() }
          var row =
            try open
            ?? ChangeRow(
              id: history.nextID(), kind: change.kind.rawValue, origin: self.origin,
              madeAt: time.milliseconds)
          row.byteCount += changeset.bytes.count
          try row.counts.add(changeset, database)
          try history.set(row)
          try history.addStep(changeset, commit: commit, to: row.id)
          id = row.id
          return Frame.Label(change: row, isStep: true)
        }
      )
    }
    if let id { change.id.withLock { $0 = id } }
    return value
  }

  /// One transaction, durable when it returns: in the database first, and then as a frame in the journal.
  /// A commit that changed nothing is none.
  ///
  /// - Parameter body: gets the number that the commit will have, and returns what makes the label of its
  ///   frame from its changeset.
  /// - Throws: what `body` throws, with nothing changed; and when the commit could neither be written
  ///   into the journal nor be kept as a snapshot.
  func commit<Value>(
    _ body: (Database, Int) throws -> (Value, (Changeset) throws -> Frame.Label)
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
    _ body: (Database, Int) throws -> (Value, (Changeset) throws -> Frame.Label)
  ) throws -> (Value, Frame?) {
    let commit = try Self.generation(database) + 1
    // No part of what is recorded: each frame says it.
    if try Self.lineage(database) == nil {
      try Self.set(.lineage, UUID().uuidString, database)
    }
    let recorder = try ChangesetRecorder(database)
    let before = database.totalChangesCount
    let (value, label) = try body(database, commit)
    guard database.totalChangesCount > before else { return (value, nil) }
    // A new lineage goes on behind the count of another one.
    let number = try max(commit, Self.generation(database) + 1)
    try Self.setGeneration(number, database)
    let changeset = try recorder.changeset()
    guard let lineage = try Self.lineage(database) else {
      throw CatalogError(.damaged, "The catalog does not say to which line of commits it belongs.")
    }
    let frame = try Frame(
      commit: number, lineage: lineage, madeAt: clock(), label: label(changeset),
      changeset: changeset)
    return (value, frame)
  }

  /// What cannot be kept as a frame is kept as a snapshot, and so is what a new lineage begins with.
  private func keep(_ frame: Frame, isNewLineage: Bool) throws {
    guard let journal else { return }
    do {
      if !isNewLineage { return try journal.append(frame) }
    } catch {}  // The snapshot below says why when it cannot be made either.
    try journal.keepWhole(self)
    try journal.begin(
      Frame(startAfter: frame.commit, lineage: frame.lineage, madeAt: frame.madeAt),
      keepsAll: hasReplacedNewer)
  }

  /// Whether it stands in the place of a newer one, of which nothing may go before a repair has looked at
  /// it.
  package var hasReplacedNewer: Bool {
    get throws { try isOlderThanBefore() }
  }

  /// Sees to it that the journal goes on from the catalog's last commit.
  package func settleJournal() throws {
    guard let writer, let lock else { return }
    try Self.translating { try lock.withLock { _ = try settleJournal(writer) } }
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
          keepsAll: hasReplacedNewer)
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
  private func settleJournal(_ writer: DatabasePool) throws -> UUID? {
    guard let journal else { return try writer.read(Self.lineage) }
    var (commit, lineage) = try writer.read { try (Self.generation($0), Self.lineage($0)) }
    let last = try journal.last()
    if let last, last.commit == commit, last.schema == Schema.version,
      lineage == nil || last.lineage == lineage
    {
      return lineage
    }
    if let last, last.commit > commit {
      lineage = UUID()
      commit = last.commit + 1
      try writer.write { [lineage, commit] database in
        try Self.set(.isOlderThanBefore, "true", database)
        try Self.set(.lineage, lineage?.uuidString ?? "", database)
        try Self.setGeneration(commit, database)
      }
    }
    if commit > 0 { try journal.keepWhole(self) }
    // Before the first commit there is nothing to keep, and no lineage yet.
    let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try journal.begin(
      Frame(startAfter: commit, lineage: lineage ?? none, madeAt: clock()),
      keepsAll: hasReplacedNewer)
    return lineage
  }

  /// The line of commits that the catalog belongs to; nil before the first.
  static func lineage(_ database: Database) throws -> UUID? {
    try String.fetchOne(
      database, sql: "SELECT value FROM setting WHERE key = ?",
      arguments: [SettingKey.lineage.rawValue]
    ).flatMap(UUID.init(uuidString:))
  }

  private func logByteCount(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
