internal import DiaryCatalog

extension Library {
  /// A page of the history, the newest change first.
  ///
  /// - Parameters:
  ///   - before: an id greater than all of the page; nil begins with the newest.
  ///   - limit: how many at most.
  public func history(before: Int64? = nil, limit: Int) throws(LeaflogError) -> History {
    try read { try $0.history.page(before: before, limit: max(0, limit)) }
  }

  /// Undoes a change as a whole. Later changes of other rows, and of other fields of the same rows,
  /// stay. Photos that an import had added leave the diary; their files stay in the store until it is
  /// pruned.
  ///
  /// - Parameter change: its id; nil is the newest that is not undone.
  /// - Returns: the change, as it is now.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `conflict` when fields
  ///   that it touched were changed again since, or files that it would bring back were pruned.
  @discardableResult
  public func undo(_ change: Int64? = nil) throws(LeaflogError) -> Change {
    try translating { try catalog.undo(change, confirm: blobs.confirm) }
  }

  /// Makes an undone change again.
  ///
  /// - Parameter change: its id; nil is the one that was undone last.
  @discardableResult
  public func redo(_ change: Int64? = nil) throws(LeaflogError) -> Change {
    try translating { try catalog.redo(change, confirm: blobs.confirm) }
  }
}
