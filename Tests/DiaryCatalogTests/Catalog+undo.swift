import DiaryCatalog
import DiaryModel
import TestSupport

extension Catalog {
  /// Undoes the newest change of a kind that is not undone.
  ///
  /// - Returns: to how many things it had done something; nil when there is no such change.
  func undo(_ kind: ChangeKind) throws -> Int? {
    let changes = try history(before: nil, limit: 1000).changes
    guard let last = changes.first(where: { $0.kind == kind && !$0.isUndone }) else { return nil }
    let change = try undo(last.id) { _ in }
    return change.counts.reduce(0) { $0 + $1.added + $1.changed + $1.deleted }
  }
}

/// Everything that a catalog holds but its history.
func dump(_ path: String) throws -> [String] { try CatalogDump(path: path).lines.sorted() }
