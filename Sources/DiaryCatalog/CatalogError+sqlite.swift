internal import GRDB

extension CatalogError {
  init(_ error: DatabaseError) {
    let reason = error.message ?? "error \(error.extendedResultCode.rawValue)"
    self =
      switch (error.resultCode, UniqueIndex(error)) {
      case (.SQLITE_FULL, _):
        CatalogError(
          .noSpace, "No space left for the catalog. Make room on the disk and run it again.")
      case (.SQLITE_READONLY, _), (.SQLITE_CANTOPEN, _), (.SQLITE_PERM, _):
        CatalogError(.readOnly, "The catalog cannot be written or opened: \(reason).")
      case (_, .day): CatalogError(.conflict, "That day has one already; there is one a day.")
      case (_, .completion): CatalogError(.conflict, "It was done on that day already.")
      case (_, .name): CatalogError(.nameTaken, "Another one has that name by now.")
      case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _):
        CatalogError(.damaged, "The catalog is damaged: \(reason).", remedy: .repair)
      default: CatalogError(.failed, "The catalog failed: \(reason).")
      }
  }
}

/// A unique index that rejected a row. SQLite names its columns only in the message of the error
/// (sqlite.org/rescode.html#constraint_unique).
enum UniqueIndex {
  /// The names of plants and activities.
  case name
  /// The once-a-day kinds of entries.
  case day
  /// The days on which an activity was done.
  case completion

  init?(_ error: DatabaseError) {
    guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE, let columns = error.message else {
      return nil
    }
    if columns.contains("entry.localDay") {
      self = .day
    } else if columns.contains("completion.day") {
      self = .completion
    } else if columns.contains("foldedName") {
      self = .name
    } else {
      return nil
    }
  }
}
