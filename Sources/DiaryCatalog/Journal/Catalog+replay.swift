internal import DiaryModel
package import Foundation
internal import GRDB
package import Journal

/// Bringing a catalog up to date with the frames of another one, or of one that was lost.
extension Catalog {
  /// Applies the next frames in order, in one transaction. Afterwards the catalog has the changes of each
  /// frame in all its tables.
  ///
  /// - Parameter isAfterGap: whether commits were skipped before: then the frames need not follow the catalog's head, nor
  ///   lead to the state that they name.
  /// - Throws: `CatalogError` with code `conflict` for a frame that is not the next one of the catalog's
  ///   lineage, that does not fit, or that does not lead to the state that it names; in that case nothing is applied.
  package func apply(_ frames: [Frame], isAfterGap: Bool = false) throws {
    let (writer, lock) = try writing()
    try using {
      try lock.withLock {
        try writer.write { database in
          let tables = CatalogTables(database: database)
          for frame in frames { try frame.apply(to: tables, isAfterGap: isAfterGap) }
        }
      }
    }
  }

  /// Skips commits whose frames are gone, so that the one after `commit` is next. A frame without changes takes the place
  /// of the last of them, as each catalog has a newest frame.
  package func skip(to commit: Int) throws {
    let (writer, lock) = try writing()
    try using {
      try lock.withLock {
        try writer.write { database in
          try CatalogTables(database: database).skip(to: commit, now: clock())
        }
      }
    }
  }

  /// Continues the lines of commits that lead to another catalog of the library, whose changes this one has taken over.
  /// Their heads are ancestors from then on, and their requests are carried out.
  package func join(_ other: Catalog) throws {
    var lines = ReplacedLines()
    try lines.add(other)
    try commit { [lines] tables, _ in
      let requests = try tables.answeredRequests.unknown(among: lines.requests)
      let heads = try tables.take(over: lines)
      return (
        (), { _ in FrameLabel(replaced: heads, requests: requests.isEmpty ? nil : requests) }
      )
    }
  }

  /// Begins a new lineage of commits, so that frames and snapshots of the previous one are never applied to
  /// this catalog. Its commits are numbered after all earlier ones.
  ///
  /// - Parameter replaced: the lines of commits that it replaces, whose heads are its ancestors from now on.
  /// - Returns: the new lineage.
  @discardableResult
  package func beginLineage(
    after generation: Int?, replacing replaced: ReplacedLines = ReplacedLines()
  ) throws -> UUID {
    let lineage = UUID()
    try commit { tables, _ in
      if let generation, try tables.settings.generation <= generation {
        try tables.settings.setGeneration(generation)
      }
      try tables.place.set(.lineage, lineage.uuidString)
      let heads = try tables.take(over: replaced)
      return ((), { _ in FrameLabel(replaced: heads) })
    }
    return lineage
  }
}

extension Frame {
  /// Applies the frame within a transaction.
  ///
  /// - Throws: `CatalogError` with code `conflict` when it does not fit.
  func apply(to tables: CatalogTables, isAfterGap: Bool) throws {
    let number = try tables.settings.generation
    guard commit == number + 1,
      try number == 0 || lineage == tables.place.lineage,
      try isAfterGap || tables.heads.current.map({ $0 == parent }) ?? true
    else {
      throw CatalogError(
        .conflict, "The journal's commit \(commit) does not follow the catalog's \(number).")
    }
    let label = try FrameLabel(of: self)
    try meetSchema(of: tables.database, isFirst: number == 0 || isAfterGap, label)
    if number == 0 { try tables.place.set(.lineage, lineage.uuidString) }
    let changeset = Changeset(bytes: changeset)
    _ = try tables.state.following {
      do { try changeset.apply(to: tables.database.sqliteConnection) } catch is Changeset.Blocker {
        throw CatalogError(
          .conflict, "The journal's commit \(commit) does not fit the catalog.")
      }
      try tables.state.setCounters(label.counters ?? [:])
    }
    try DerivedRows(tables: tables).retag(changeset)
    try tables.heads.add(label.replaced ?? [])
    guard try isAfterGap || tables.state.sum == state else {
      throw CatalogError(
        .conflict, "The journal's commit \(commit) does not lead to the state that it names.")
    }
    for request in label.requests ?? [] {
      try tables.answeredRequests.add(request, commit: commit)
    }
    if let request = label.request { try tables.answeredRequests.add(request, commit: commit) }
    let history = tables.history
    if label.dropsHistory ?? false {
      try history.removeAll()
      try tables.place.set(.isForgetting, "true")
    }
    if let row = label.change {
      try history.set(row)
      if label.isStep ?? false {
        _ = try history.addStep(
          changeset.limited(to: ChangeMove.isMoved), commit: commit, to: row)
      }
    }
    if number > 0 { try tables.commits.note(commit, label, changeset) }
    try tables.settings.setGeneration(commit)
    try tables.heads.add(self)
  }

  /// Brings a catalog to the version of the schema that the frame was written with, if the frame leads there, or if what
  /// led there is not to be applied.
  private func meetSchema(of database: Database, isFirst: Bool, _ label: FrameLabel) throws {
    guard schema <= Schema.current.newest else {
      throw CatalogError(
        .tooNew,
        "A newer version of Leaflog wrote the journal's commit \(commit). Update Leaflog here, too."
      )
    }
    let version = try Schema.version(of: database)
    if isFirst || label.formerSchema == version {
      try Schema.current.migrate(database, to: Int(schema))
    }
    guard try Schema.version(of: database) == schema else {
      throw CatalogError(
        .conflict,
        "The journal's commit \(commit) was written with version \(schema) of the catalog's schema, and the catalog has "
          + "\(version).")
    }
  }
}
