internal import DiaryModel

/// Errors for names that match nothing or several things.
extension CatalogError {
  /// How many candidates a message names.
  static let candidateCount = 5

  static func ambiguousName(_ name: String, _ candidates: [String]) -> CatalogError {
    let names = candidates.prefix(candidateCount).joined(separator: ", ")
    return CatalogError(.ambiguous, "“\(name)” could be any of: \(names).")
  }

  /// The error for an unknown name, which suggests similar ones, or has `list` as its remedy.
  ///
  /// - Parameters:
  ///   - noun: what has the name, such as “plant”.
  ///   - names: all existing names, in the order in which to suggest them.
  static func unknownName(
    _ name: String, _ noun: String, among names: [String], _ list: Remedy
  ) -> CatalogError {
    let typed = Array(foldedName(String(name.prefix(80))))
    let near = names.filter { candidate in
      let folded = Array(foldedName(candidate))
      return !typed.isEmpty && folded.starts(with: typed)
        || editDistance(typed, folded) <= (min(typed.count, folded.count) + 2) / 3
    }
    let message = "No \(noun) is called “\(shortened(name))”."
    guard !near.isEmpty else { return CatalogError(.notFound, message, remedy: list) }
    let meant = near.prefix(candidateCount).map { "“\($0)”" }.joined(separator: " or ")
    return CatalogError(.notFound, message + " Did you mean \(meant)?")
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
