internal import DiaryModel
internal import Foundation
internal import GRDB
internal import Journal

/// The journal of a catalog that is open for writing, kept in step with its commits. A catalog may have none; there is
/// nothing to do then.
package struct CatalogJournal {
  private let catalog: Catalog

  package init(of catalog: Catalog) { self.catalog = catalog }

  /// Appends a frame to the journal. A commit whose frame cannot be written is kept as a snapshot, as is the
  /// first one of a new lineage.
  func keep(_ frame: Frame, isNewLineage: Bool) throws {
    guard let journal = catalog.journal else { return }
    do {
      if !isNewLineage { return try journal.frames.append(frame, isKnown: isKnown) }
    } catch let error as UnsettledFrame {
      return try acknowledge(error)
    } catch {}  // If the snapshot below cannot be made either, its error says why.
    do { try journal.keeper.keep(catalog) } catch let error as UnsettledFrame {
      try acknowledge(error)
    }
    try begin(journal.frames, after: frame.commit, frame.head, frame.lineage, at: frame.madeAt)
  }

  /// Notes that a commit is not stored everywhere yet. It cannot be taken back, and the next writer sends it before
  /// anything else.
  ///
  /// - Throws: the cause, when somebody else's commit has come before: then it is not acknowledged.
  private func acknowledge(_ unsettled: UnsettledFrame) throws {
    if unsettled.cause is JournalError { throw unsettled.cause }
    catalog.unsent.withLock { $0 = unsettled.cause }
  }

  /// Runs work before a transaction, which is refused if anything could not be stored.
  private func beforeCommit<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as UnsettledFrame { throw error.cause }
  }

  /// Makes sure that the journal continues from the catalog's last commit, and is stored everywhere it has to be.
  package func settle() throws {
    guard let writer = catalog.writer, let lock = catalog.lock else { return }
    try catalog.using { try lock.withLock { _ = try settle(writer, isFinal: true) } }
  }

  /// Begins a new part of the journal, so that earlier parts can be removed once snapshots cover them.
  package func beginPart() throws {
    guard let writer = catalog.writer, let lock = catalog.lock,
      let journal = catalog.journal?.frames
    else { return }
    try catalog.using {
      try lock.withLock {
        guard let lineage = try settle(writer), let last = try journal.last(), !last.isStart
        else { return }
        try begin(journal, after: last.commit, last.head, lineage, at: catalog.clock())
      }
    }
  }

  /// Restarts the journal after a new snapshot, once `removal` has removed its former parts.
  package func restart(_ removal: () throws -> Void) throws {
    guard let writer = catalog.writer, let lock = catalog.lock else { return }
    try catalog.using {
      try lock.withLock {
        try removal()
        _ = try settle(writer)
      }
    }
  }

  /// Makes sure that the journal ends with the catalog's last commit. If its frame was not appended before a crash, it
  /// is now; if it cannot be, the journal continues after a new snapshot. If the journal is ahead, somebody has put an
  /// older catalog in place, whose commits form a new lineage.
  ///
  /// - Returns: the catalog's lineage; nil before its first commit.
  func settle(_ writer: any DatabaseWriter, isFinal: Bool = false) throws -> UUID? {
    guard let journal = catalog.journal?.frames else {
      return try catalog.read { try $0.settings.lineage }
    }
    var state = try catalog.read { try CommitState($0) }
    var last = try journal.last()
    if let end = last, end.head != state.head,
      let frame = try catalog.read({ try $0.heads.newestFrame }),
      frame.parent == end.head, frame.lineage == end.lineage, end.schema == Schema.version
    {
      // A crash came between the commit and its frame.
      try beforeCommit { try journal.append(frame, isKnown: isKnown) }
      last = frame
    }
    if let last, last.head == state.head, last.schema == Schema.version,
      try journal.settle(isFinal: isFinal, isKnown: isKnown)
    {
      catalog.unsent.withLock { $0 = nil }
      return state.lineage
    }
    if let last, last.commit > state.commit { state = try startOver(after: last, writer) }
    if state.commit > 0 { try beforeCommit { try catalog.journal?.keeper.keep(catalog) } }
    // Before the first commit there is nothing to keep, and no lineage yet.
    let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try begin(
      journal, after: state.commit, state.head, state.lineage ?? none, at: catalog.clock())
    return state.lineage
  }

  /// The newest commit of a catalog.
  private struct CommitState {
    let commit: Int
    let lineage: UUID?
    let head: Head

    init(_ tables: CatalogTables) throws {
      commit = try tables.settings.generation
      lineage = try tables.settings.lineage
      head = try tables.heads.current ?? .none
    }
  }

  /// Begins a lineage of an older catalog that somebody has put in place, behind the commits of the one before it.
  private func startOver(after last: Frame, _ writer: any DatabaseWriter) throws -> CommitState {
    try writer.write { database in
      let tables = CatalogTables(database: database)
      try tables.settings.set(.isOlderThanBefore, "true")
      try tables.beginLineage(at: last.commit + 1, now: catalog.clock())
      return try CommitState(tables)
    }
  }

  private func isKnown(_ head: Head) throws -> Bool {
    try catalog.read { try $0.heads.contains(head) }
  }

  private func begin(
    _ journal: any FrameLog, after commit: Int, _ head: Head, _ lineage: UUID, at time: Timestamp
  ) throws {
    try journal.begin(
      Frame(startAfter: commit, head, lineage: lineage, schema: Schema.version, madeAt: time),
      keepsAll: CatalogAge(of: catalog).isOlderThanBefore())
  }
}

/// Lines of commits that a catalog replaces: what has to be known of them for ever.
package struct ReplacedLines: Sendable {
  package var heads: [HeadTable.Ancestor] = []
  package var requests: [AnsweredRequestTable.CarriedOut] = []

  package init() {}

  /// Adds the lines that lead to a catalog.
  package mutating func add(_ catalog: Catalog) throws {
    let (heads, requests) = try catalog.read {
      try ($0.heads.all(), $0.answeredRequests.carriedOut())
    }
    self.heads += heads
    self.requests += requests
  }
}

extension CatalogTables {
  /// Whether another catalog is of an earlier state of this one, or of the same.
  package func continues(_ former: CatalogTables) throws -> Bool {
    if let head = try former.heads.current, try heads.contains(head) { return true }
    // A backup that was verified since it was made has a commit of its own, but no change.
    guard let made = try former.settings.backupState, try !former.wasWorkedInSinceBackup
    else { return false }
    return try heads.contains(made.head)
  }

  /// Takes over the heads and the requests of lines that the catalog replaces.
  ///
  /// - Returns: the newest heads among them that were not known; nil without any.
  func take(over replaced: ReplacedLines) throws -> [Head]? {
    let tips = try heads.tips(of: replaced.heads)
    try heads.add(replaced.heads)
    try answeredRequests.add(replaced.requests)
    return tips.isEmpty ? nil : tips
  }

  /// Begins a lineage of commits in a catalog whose contents come from its present head.
  ///
  /// - Parameters:
  ///   - commit: the number of the commit that it begins with.
  ///   - replaced: the lines of commits that it replaces.
  func beginLineage(
    at commit: Int, replacing replaced: ReplacedLines = ReplacedLines(), now: Timestamp
  ) throws {
    let lineage = UUID()
    try settings.set(.lineage, lineage.uuidString)
    try settings.setGeneration(commit)
    let tips = try take(over: replaced)
    try heads.add(
      Frame(
        commit: commit, lineage: lineage, schema: Schema.version, madeAt: now,
        after: heads.current ?? .none,
        label: FrameLabel(replaced: tips).encoded(), changeset: Data()))
  }
}

extension Catalog {
  /// The version of the schema, which each frame names.
  package static var schemaVersion: UInt32 { Schema.version }
}
