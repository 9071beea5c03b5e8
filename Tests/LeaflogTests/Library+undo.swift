import Leaflog
import Testing

extension LibraryHistory {
  /// Undoes the newest change of a kind that is not undone.
  @discardableResult
  func undo(_ kind: ChangeKind) throws -> Change {
    let changes = try page(limit: 1000).changes
    return try undo(try #require(changes.first { $0.kind == kind && !$0.isUndone }).id)
  }
}
