internal import DiaryCatalog

extension LibraryFace {
  /// Edits entries in one change. Throws `conflict` if a restored episode would share days with another.
  func apply(
    _ edits: [EntryEdit], as kind: ChangeKind, failures: [EditResult.Failure] = [],
    allowOverlap: Bool = false
  ) throws(LeaflogError) -> EditResult {
    let restored = edits.filter { $0.isDeleted == false }.map(\.id)
    let changed = try change(kind) { tables, now in
      if !allowOverlap, !restored.isEmpty {
        try LibraryDiary.overlap(ofRestored: restored, tables).refuse()
      }
      return try tables.entries.apply(edits, now: now)
    }
    return EditResult(
      changed: changed, unchangedCount: edits.count - changed.count, failures: failures)
  }
}
