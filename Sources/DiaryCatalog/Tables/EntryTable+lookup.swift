package import DiaryModel
internal import GRDB

/// Finding entries by id.
extension EntryTable {
  /// The entry with this id or an unambiguous start of it, even in the trash.
  ///
  /// - Parameter kind: the kind of the entry; nil means any.
  package func find(_ idOrPrefix: String, of kind: EntryKind? = nil) throws -> Entry {
    let prefix = idOrPrefix.lowercased()
    let entries = prefix.isEmpty ? [] : try entries(of: kind, startingWith: prefix)
    guard let entry = entries.first else { throw try unknown(idOrPrefix, kind) }
    guard entries.count == 1 else {
      throw CatalogError(.ambiguous, "“\(idOrPrefix)” could be any of: \(candidates(entries)).")
    }
    return entry
  }

  private func entries(of kind: EntryKind?, startingWith prefix: String) throws -> [Entry] {
    try fetch(
      EntrySelection.sql
        + " WHERE e.publicID >= ? AND e.publicID < ? AND +e.kind = coalesce(?, e.kind) LIMIT ?",
      // g comes after every hexadecimal digit
      [prefix, prefix + "g", kind?.rawValue, CatalogError.candidateCount + 1])
  }

  private func candidates(_ entries: [Entry]) -> String {
    let names = entries.prefix(CatalogError.candidateCount).map { entry in
      let about = [entry.plant?.name, entry.time.date].compactMap { $0 }
      return "\(entry.id.description.prefix(12)) (\(about.joined(separator: ", ")))"
    }
    return names.joined(separator: ", ") + (entries.count > names.count ? " and more" : "")
  }

  /// The error for an unknown id. It names the entries that share the longest start with it: most wrong ids are
  /// mistyped.
  private func unknown(_ id: String, _ kind: EntryKind?) throws -> CatalogError {
    let message = "No \(kind?.words ?? "entry") has the id “\(shortened(id))”."
    var prefix = id.lowercased().prefix { $0.isASCII && $0.isHexDigit }.prefix(EntryID.digitCount)
    while prefix.count > 1 {
      let near = try entries(of: kind, startingWith: String(prefix))
      if !near.isEmpty {
        return CatalogError(.notFound, message + " Some start like it: \(candidates(near)).")
      }
      prefix = prefix.dropLast()
    }
    return CatalogError(.notFound, message, remedy: .listEntries)
  }
}
