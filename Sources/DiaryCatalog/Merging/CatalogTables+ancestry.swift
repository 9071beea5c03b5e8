internal import Journal

extension CatalogTables {
  /// Whether another catalog is of an earlier state of this one, or of the same.
  package func continues(_ former: CatalogTables) throws -> Bool {
    if let head = try former.heads.current, try heads.contains(head) { return true }
    // A backup that was verified since it was made has a commit of its own, but no change.
    guard let made = try former.settings.backupState, try !former.wasWorkedInSinceBackup,
      let last = try former.heads.all().last(where: { $0.commit <= made.generation })
    else { return false }
    return try heads.contains(last.head)
  }
}
