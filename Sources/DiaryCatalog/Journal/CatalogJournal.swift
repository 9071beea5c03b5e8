internal import DiaryModel
package import Foundation
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
    try catalog.checkAlone()
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
  /// is now; if it cannot be, the journal continues after a new snapshot. If the journal is ahead, an older catalog was
  /// put in place, or its write-ahead log is lost: then the frames that follow are applied.
  ///
  /// - Returns: the catalog's lineage; nil before its first commit.
  /// - Throws: `CatalogError` with code `damaged` when the journal is ahead and does not lead on from the catalog. Nothing
  ///   is changed then, as a newer catalog can be rebuilt.
  func settle(_ writer: any DatabaseWriter, isFinal: Bool = false) throws -> UUID? {
    guard let journal = catalog.journal?.frames else {
      return try catalog.read { try $0.place.lineage }
    }
    var state = try catalog.read { try CommitState($0) }
    var last = try journal.last()
    if let end = last, end.head != state.head,
      let frame = try catalog.read({ try $0.heads.newestFrame }),
      frame.parent == end.head, frame.lineage == end.lineage
    {
      // A crash came between the commit and its frame.
      try beforeCommit { try journal.append(frame, isKnown: isKnown) }
      last = frame
    }
    if let last, last.head == state.head,
      try journal.settle(isFinal: isFinal, isKnown: isKnown)
    {
      catalog.unsent.withLock { $0 = nil }
      return state.lineage
    }
    if let last, !last.isStart, try !isKnown(last.head) {
      guard try catchUp(to: last, writer) else { throw behind(last) }
      state = try catalog.read { try CommitState($0) }
      if try journal.settle(isFinal: isFinal, isKnown: isKnown) {
        catalog.unsent.withLock { $0 = nil }
        return state.lineage
      }
    }
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
      lineage = try tables.place.lineage
      head = try tables.heads.current ?? .none
    }
  }

  /// Applies the frames that lead from the catalog's newest commit to the end of the journal, under the library's lock.
  ///
  /// Nothing is applied unless all of them are there. They are applied in batches, each of which leads to the state that
  /// its last frame names; a crash in between leaves the rest for the next process.
  ///
  /// - Returns: false when they do not lead there.
  private func catchUp(to last: Frame, _ writer: any DatabaseWriter) throws -> Bool {
    guard let journal = catalog.journal?.frames else { return false }
    let start = try catalog.read { try CommitState($0) }
    var head = start.head
    try journal.read(last.lineage, after: start.commit) { frames in
      for frame in frames where frame.parent == head { head = frame.head }
    }
    guard head == last.head, start.commit == 0 || start.lineage == last.lineage else {
      return false
    }
    try journal.read(last.lineage, after: start.commit) { frames in
      try writer.write { database in
        let tables = CatalogTables(database: database)
        for frame in frames where try tables.heads.current ?? .none == frame.parent {
          try frame.apply(to: tables, isAfterGap: false)
        }
      }
    }
    return true
  }

  /// Brings the catalog up to date with the schema of this program, after a snapshot and as a commit. Without any commit,
  /// there is nothing to keep, and nothing that anyone could follow.
  func migrate() throws {
    guard let writer = catalog.writer, let lock = catalog.lock else { return }
    try catalog.using {
      try lock.withLock {
        // If the journal is ahead, this applies its frames, one of which may lead to the newest version.
        let lineage = try settle(writer)
        guard try catalog.read({ try Schema.version(of: $0.database) }) < Schema.current.newest
        else { return }
        if lineage != nil { try beforeCommit { try catalog.journal?.keeper.keep(catalog) } }
        let frame = try writer.write { database in
          let tables = CatalogTables(database: database)
          let former = try Schema.version(of: database)
          try Schema.current.migrate(database, to: Schema.current.newest)
          guard let lineage else { return nil as Frame? }
          return try tables.addCommit(
            tables.settings.generation + 1, FrameLabel(formerSchema: former), lineage,
            now: catalog.clock())
        }
        guard let frame else { return }
        try keep(frame, isNewLineage: false)
        GenerationNote(ofCatalogAt: catalog.path).advance(to: frame.commit)
      }
    }
  }

  private func behind(_ last: Frame) -> CatalogError {
    CatalogError(
      .damaged,
      "The journal has commits up to \(last.commit) that this catalog does not have and does not lead to. Nothing was "
        + "changed.", remedy: .repair)
  }

  /// Applies the frames of commits that the catalog has lost, if the journal leads on from it. Otherwise nothing is done.
  func catchUp() throws {
    guard let writer = catalog.writer, let lock = catalog.lock, let journal = catalog.journal
    else { return }
    try lock.withLock {
      guard let last = try journal.frames.last(), !last.isStart, try !isKnown(last.head) else {
        return
      }
      _ = try catchUp(to: last, writer)
    }
  }

  private func isKnown(_ head: Head) throws -> Bool {
    try catalog.read { try $0.heads.contains(head) }
  }

  private func begin(
    _ journal: any FrameLog, after commit: Int, _ head: Head, _ lineage: UUID, at time: Timestamp
  ) throws {
    try journal.begin(
      Frame(startAfter: commit, head, lineage: lineage, madeAt: time),
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
    try former.heads.current.map { try heads.contains($0) } ?? false
  }

  /// Takes over the heads and the requests of lines that the catalog replaces.
  ///
  /// - Returns: the heads that were not known; nil without any.
  func take(over replaced: ReplacedLines) throws -> [HeadTable.Ancestor]? {
    let added = try heads.add(replaced.heads)
    try answeredRequests.add(replaced.requests)
    return added.isEmpty ? nil : added
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
    try place.set(.lineage, lineage.uuidString)
    try addCommit(commit, FrameLabel(replaced: take(over: replaced)), lineage, now: now)
  }

  /// Continues behind commits whose frames are lost.
  func skip(to commit: Int, now: Timestamp) throws {
    let lineage = try place.lineage ?? UUID()
    try place.set(.lineage, lineage.uuidString)
    try addCommit(commit, FrameLabel(), lineage, now: now)
  }

  /// Adds a commit that changes no row.
  @discardableResult
  func addCommit(
    _ commit: Int, _ label: FrameLabel, _ lineage: UUID, now: Timestamp
  ) throws -> Frame {
    try settings.setGeneration(commit)
    let frame = try Frame(
      commit: commit, lineage: lineage, schema: UInt32(Schema.version(of: database)), madeAt: now,
      after: heads.current ?? .none, state: state.sum, label: label.encoded(), changeset: Data())
    try heads.add(frame)
    return frame
  }
}

/// The parts of a commit that are not in its changeset: the label of its frame.
package struct FrameLabel: Sendable, Hashable, Codable {
  /// The row of the change that the commit makes, undoes or redoes, as it is afterwards.
  var change: ChangeRow?
  /// Whether the changeset is a step of the change; otherwise it undoes or redoes the change.
  var isStep: Bool?
  /// Whether the history was dropped.
  var dropsHistory: Bool?
  /// The highest ids that tables have ever had, where the commit has changed them.
  var counters: [String: Int64]?
  /// The heads of other lines that this commit replaces or continues, as a merge does.
  var replaced: [HeadTable.Ancestor]?
  /// The requests that those lines have carried out.
  var requests: [RequestKey]?
  /// The request that the commit carries out.
  var request: RequestKey?
  /// The version of the schema before the commit, which brings it to that of the frame and does nothing else.
  var formerSchema: Int?

  /// The change in words, for when the frame itself is lost: what was typed, or the kind of change.
  package var words: String? { change.map { $0.origin ?? $0.kind } }
}

extension FrameLabel {
  /// - Throws: `CatalogError` with code `damaged` for a label that this version does not understand.
  init(of frame: Frame) throws {
    do { self = try JSONDecoder().decode(FrameLabel.self, from: frame.label) } catch {
      throw CatalogError(.damaged, "The label of the journal's commit \(frame.commit) is damaged.")
    }
  }

  func encoded() throws -> Data { try JSONEncoder.stable.encode(self) }

  /// The words in a frame's label; nil where there are none, or where they cannot be read.
  package static func words(in label: Data) -> String? {
    (try? JSONDecoder().decode(FrameLabel.self, from: label))?.words
  }
}

/// Keeps a whole catalog durably, for commits that no frame in the journal covers.
package protocol CatalogKeeper: Sendable {
  /// Takes a snapshot of a catalog, and stores it everywhere it has to be. Called under the library's lock.
  ///
  /// - Throws: `UnsettledFrame` when the snapshot was taken, but is not yet stored where else it has to be.
  func keep(_ catalog: Catalog) throws
}
