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
      if !isNewLineage { return try journal.frames.append(frame) }
    } catch let error as UnsettledFrame {
      // The next writer settles it before anything else. Until then it is not reported as durable.
      throw error.cause
    } catch {}  // If the snapshot below cannot be made either, its error says why.
    try journal.keeper.keep(catalog)
    try begin(journal.frames, after: frame.commit, frame.lineage, at: frame.madeAt)
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
        try begin(journal, after: last.commit, lineage, at: catalog.clock())
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

  /// Makes sure that the journal ends with the catalog's last commit. If it does not, as after a crash between
  /// the two, it continues after a new snapshot. If it is ahead, somebody has put an older catalog in place,
  /// whose commits form a new lineage.
  ///
  /// - Returns: the catalog's lineage; nil before its first commit.
  func settle(_ writer: any DatabaseWriter, isFinal: Bool = false) throws -> UUID? {
    guard let journal = catalog.journal else {
      return try catalog.read { try $0.settings.lineage }
    }
    var (commit, lineage) = try catalog.read { try ($0.settings.generation, $0.settings.lineage) }
    let last = try journal.frames.last()
    if let last, last.commit == commit, last.schema == Schema.version,
      lineage == nil || last.lineage == lineage, try journal.frames.settle(isFinal: isFinal)
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
        try settings.setGeneration(commit)
      }
    }
    if commit > 0 { try journal.keeper.keep(catalog) }
    // Before the first commit there is nothing to keep, and no lineage yet.
    let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try begin(journal.frames, after: commit, lineage ?? none, at: catalog.clock())
    return lineage
  }

  private func begin(
    _ journal: any FrameLog, after commit: Int, _ lineage: UUID, at time: Timestamp
  ) throws {
    try journal.begin(
      Frame(startAfter: commit, lineage: lineage, schema: Schema.version, madeAt: time),
      keepsAll: CatalogAge(of: catalog).isOlderThanBefore())
  }
}

extension Catalog {
  /// The version of the schema, which each frame names.
  package static var schemaVersion: UInt32 { Schema.version }
}
