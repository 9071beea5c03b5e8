internal import DiaryCatalog

/// The changes that were made in a library and their origins, with undo and redo.
public struct LibraryHistory: LibraryFace {
  let library: Library
}

extension LibraryHistory {
  /// A page of changes, the newest first.
  ///
  /// - Parameters:
  ///   - before: an id greater than all ids of the page; nil begins with the newest change.
  ///   - limit: the maximum number of changes.
  public func page(before: Int64? = nil, limit: Int) throws(LeaflogError) -> History {
    try read { try $0.history.page(before: before, limit: max(0, limit)) }
  }

  /// Undoes a change as a whole. Later changes of other rows, and of other fields of the same rows,
  /// stay. Photos that an import had added leave the diary; their files stay in the store until it is
  /// pruned.
  ///
  /// - Parameter change: the id of the change; nil undoes the newest that is not undone.
  /// - Returns: the change, as it is now.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `conflict` when fields
  ///   that it touched were changed again since, or files that it would bring back were pruned.
  @discardableResult
  public func undo(_ change: Int64? = nil) throws(LeaflogError) -> Change {
    try translating { try catalog.undo(change, confirm: blobs.confirm) }
  }

  /// Redoes an undone change.
  ///
  /// - Parameter change: the id of the change; nil redoes the one that was undone last.
  @discardableResult
  public func redo(_ change: Int64? = nil) throws(LeaflogError) -> Change {
    try translating { try catalog.redo(change, confirm: blobs.confirm) }
  }

  /// The id of the last change that was made through this value of the library; nil when none was.
  package var lastChange: Int64? { catalog.context.change }

  /// A function that reads the mark of the last commit, by whichever process. It never waits, and returns nil when the
  /// mark cannot be read at once.
  package func commitWatch() throws(LeaflogError) -> @Sendable () -> CommitMark? {
    let watch = try translating { try CommitWatch(catalog) }
    return { watch.mark }
  }
}
