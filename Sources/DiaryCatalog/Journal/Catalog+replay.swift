internal import DiaryModel
package import Foundation
internal import GRDB

/// Bringing a catalog up to date by the frames of another one, or of the one that was lost.
extension Catalog {
  /// Applies frames in one transaction: those that are next, in their order. What a frame did, the catalog
  /// has afterwards table by table.
  ///
  /// - Throws: `CatalogError` with code `conflict` for a frame that is not the next one of the catalog's
  ///   lineage, or that does not fit; nothing is applied then.
  package func apply(_ frames: [Frame]) throws {
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    try Self.translating {
      try lock.withLock {
        try writer.write { database in for frame in frames { try Self.apply(frame, database) } }
      }
    }
  }

  /// Passes over commits whose frames are gone, so that the one after `commit` is next.
  package func skip(to commit: Int) throws {
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    try Self.translating {
      try lock.withLock { try writer.write { try Self.setGeneration(commit, $0) } }
    }
  }

  private static func apply(_ frame: Frame, _ database: Database) throws {
    let commit = try generation(database)
    let tables = CatalogTables(database: database)
    guard frame.commit == commit + 1, frame.schema == Schema.version,
      try commit == 0 || frame.lineage == tables.settings.lineage
    else {
      throw CatalogError(
        .conflict, "The journal's commit \(frame.commit) does not follow the catalog's \(commit).")
    }
    if commit == 0 { try tables.settings.set(.lineage, frame.lineage.uuidString) }
    do { try frame.changeset.apply(to: database.sqliteConnection) } catch is Changeset.Obstacle {
      throw CatalogError(
        .conflict, "The journal's commit \(frame.commit) does not fit the catalog.")
    }
    try DerivedRows(tables: tables).retag(frame.changeset)
    let history = tables.history
    if frame.label.dropsHistory ?? false { try history.removeAll() }
    if let row = frame.label.change {
      try history.set(row)
      if frame.label.isStep ?? false {
        try history.addStep(frame.changeset, commit: frame.commit, to: row.id)
      }
    }
    try setGeneration(frame.commit, database)
  }

  /// Begins a new line of commits, so that frames and snapshots of the former are never applied to this
  /// catalog. Its count goes on behind all that were counted before.
  ///
  /// - Returns: the new lineage.
  @discardableResult
  package func beginLineage(after generation: Int?) throws -> UUID {
    let lineage = UUID()
    try write { tables in
      if let generation, try Self.generation(tables.database) <= generation {
        try Self.setGeneration(generation, tables.database)
      }
      try tables.settings.set(.lineage, lineage.uuidString)
    }
    return lineage
  }
}
