package import DiaryModel
internal import Foundation
internal import GRDB

/// Undoing and redoing changes.
extension Catalog {
  /// Undoes a change, all or nothing: what it did to each row is reverted, while what others did to other
  /// columns and rows stays.
  ///
  /// - Parameters:
  ///   - id: the change; nil means the newest that is not undone.
  ///   - confirm: called for each rendition that a photo gets back; throws when its blob is gone.
  /// - Throws: `CatalogError` with code `notFound` when there is no such change, and `conflict` when what
  ///   it touched was changed again since.
  package func undo(
    _ id: Int64?, confirm: (Rendition) throws -> Void
  ) throws -> Change {
    try move(id, isUndo: true, confirm)
  }

  /// Redoes a change that was undone.
  ///
  /// - Parameter id: the change; nil means the one undone last.
  package func redo(
    _ id: Int64?, confirm: (Rendition) throws -> Void
  ) throws -> Change {
    try move(id, isUndo: false, confirm)
  }

  private func move(
    _ id: Int64?, isUndo: Bool, _ confirm: (Rendition) throws -> Void
  ) throws -> Change {
    let row = try commit { tables, commit in
      let history = tables.history
      var row = try history.change(id, isUndo: isUndo)
      let steps = try history.steps(of: row.id)
      let now = clock()
      for step in isUndo ? steps.reversed() : steps {
        let move = ChangeMove(
          tables: tables, changeset: try history.changeset(ofStep: step), isInverted: isUndo)
        do { try move.run(now: now, confirm) } catch let conflict as ChangeMove.Conflict {
          throw try conflict.error(after: step, besides: row.id, history)
        }
      }
      row.undoneBy = isUndo ? Int64(commit) : nil
      try history.set(row)
      return (row, { _ in FrameLabel(change: row) })
    }
    guard let change = Change(row) else {
      throw CatalogError(.damaged, "The history has a change of a kind that is not known.")
    }
    return change
  }
}

extension HistoryTable {
  /// The change to undo or to redo.
  ///
  /// - Parameter id: nil means the newest that is not undone, or the one undone last.
  fileprivate func change(_ id: Int64?, isUndo: Bool) throws -> ChangeRow {
    guard let id else {
      guard let row = try isUndo ? lastDone() : lastUndone() else {
        throw CatalogError(.notFound, "There is nothing to \(isUndo ? "undo" : "redo").")
      }
      return row
    }
    guard let row = try change(id) else {
      throw CatalogError(
        .notFound,
        try id > 0 && id < nextID()
          ? "The change \(id) is no longer kept, and cannot be undone."
          : "There is no change \(id).")
    }
    guard (row.undoneBy == nil) == isUndo else {
      throw CatalogError(
        .conflict,
        isUndo ? "The change \(id) is undone already." : "The change \(id) is not undone."
      )
    }
    return row
  }
}
