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
        try writer.write { database in
          let tables = CatalogTables(database: database)
          for frame in frames { try frame.apply(to: tables) }
        }
      }
    }
  }

  /// Passes over commits whose frames are gone, so that the one after `commit` is next.
  package func skip(to commit: Int) throws {
    guard let writer, let lock else {
      throw CatalogError(.readOnly, "The library was opened for reading.")
    }
    try Self.translating {
      try lock.withLock {
        try writer.write { try SettingTable(database: $0).setGeneration(commit) }
      }
    }
  }

  /// Begins a new line of commits, so that frames and snapshots of the former are never applied to this
  /// catalog. Its count goes on behind all that were counted before.
  ///
  /// - Returns: the new lineage.
  @discardableResult
  package func beginLineage(after generation: Int?) throws -> UUID {
    let lineage = UUID()
    try write { tables in
      if let generation, try tables.settings.generation <= generation {
        try tables.settings.setGeneration(generation)
      }
      try tables.settings.set(.lineage, lineage.uuidString)
    }
    return lineage
  }
}

extension Frame {
  fileprivate func apply(to tables: CatalogTables) throws {
    let number = try tables.settings.generation
    guard commit == number + 1, schema == Schema.version,
      try number == 0 || lineage == tables.settings.lineage
    else {
      throw CatalogError(
        .conflict, "The journal's commit \(commit) does not follow the catalog's \(number).")
    }
    if number == 0 { try tables.settings.set(.lineage, lineage.uuidString) }
    do { try changeset.apply(to: tables.database.sqliteConnection) } catch is Changeset.Obstacle {
      throw CatalogError(
        .conflict, "The journal's commit \(commit) does not fit the catalog.")
    }
    try DerivedRows(tables: tables).retag(changeset)
    let history = tables.history
    if label.dropsHistory ?? false { try history.removeAll() }
    if let row = label.change {
      try history.set(row)
      if label.isStep ?? false {
        try history.addStep(changeset, commit: commit, to: row.id)
      }
    }
    try tables.settings.setGeneration(commit)
  }
}
