internal import DiaryModel
internal import GRDB

/// Finding what somebody meant, and saying what they may have meant.
extension Catalog {
  /// `kind`: nil takes entries of any.
  static func entry(
    _ idOrPrefix: String, of kind: EntryKind?, _ database: Database
  ) throws -> Entry {
    let prefix = idOrPrefix.lowercased()
    let entries = prefix.isEmpty ? [] : try Self.entries(of: kind, startingWith: prefix, database)
    guard let entry = entries.first else { throw try unknownEntry(idOrPrefix, kind, database) }
    guard entries.count == 1 else {
      throw CatalogError(
        .ambiguous, "“\(idOrPrefix)” could be any of: \(candidates(entries)).")
    }
    return entry
  }

  private static let candidateCount = 5

  private static func entries(
    of kind: EntryKind?, startingWith prefix: String, _ database: Database
  ) throws -> [Entry] {
    try database.entries(
      EntrySelection.sql
        + " WHERE e.publicID >= ? AND e.publicID < ? AND +e.kind = coalesce(?, e.kind) LIMIT ?",
      // g comes after every hexadecimal digit
      [prefix, prefix + "g", kind?.rawValue, candidateCount + 1])
  }

  private static func candidates(_ entries: [Entry]) -> String {
    let names = entries.prefix(candidateCount).map { entry in
      let about = [entry.plant?.name, entry.time.localDay.description].compactMap { $0 }
      return "\(entry.id.description.prefix(12)) (\(about.joined(separator: ", ")))"
    }
    return names.joined(separator: ", ") + (entries.count > candidateCount ? " and more" : "")
  }

  /// Says which ids start in the same way, as far as any does: most wrong ids are mistyped.
  private static func unknownEntry(
    _ id: String, _ kind: EntryKind?, _ database: Database
  ) throws -> CatalogError {
    let shown = shortened(id)
    let noun = kind?.words ?? "entry"
    var prefix = id.lowercased().prefix { $0.isASCII && $0.isHexDigit }.prefix(EntryID.digitCount)
    while prefix.count > 1 {
      let near = try entries(of: kind, startingWith: String(prefix), database)
      if !near.isEmpty {
        return CatalogError(
          .notFound, "No \(noun) has the id “\(shown)”. Some start like it: \(candidates(near)).")
      }
      prefix = prefix.dropLast()
    }
    return CatalogError(
      .notFound, "No \(noun) has the id “\(shown)”. `leaflog timeline` shows their ids.")
  }

  static func unknownPlant(_ name: String, _ database: Database) throws -> CatalogError {
    try unknown("plant", name, database)
  }

  static func unknownActivity(_ name: String, _ database: Database) throws -> CatalogError {
    try unknown("activity", name, database)
  }

  /// - Parameter noun: the table and the command of those that have names.
  private static func unknown(
    _ noun: String, _ name: String, _ database: Database
  ) throws -> CatalogError {
    let shown = shortened(name)
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM \(noun) WHERE deletedAt IS NULL ORDER BY foldedName")
    let typed = Array(foldedName(String(name.prefix(80))))
    let near = names.filter { candidate in
      let folded = Array(foldedName(candidate))
      return !typed.isEmpty && folded.starts(with: typed)
        || editDistance(typed, folded) <= (min(typed.count, folded.count) + 2) / 3
    }
    let hint =
      near.isEmpty
      ? "`leaflog \(noun) list` shows those there are."
      : "Did you mean \(near.prefix(candidateCount).map { "“\($0)”" }.joined(separator: " or "))?"
    return CatalogError(.notFound, "No \(noun) is called “\(shown)”. \(hint)")
  }

  /// How many characters have to be added, dropped or replaced (Levenshtein 1966).
  private static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var distances = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var diagonal = distances[0]
      distances[0] = row + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = min(replaced, distances[column] + 1, diagonal + 1)
      }
    }
    return distances[right.count]
  }
}
