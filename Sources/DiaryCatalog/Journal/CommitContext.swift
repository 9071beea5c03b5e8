internal import Synchronization

/// The circumstances of commits: who makes them, on what condition, and what became of them.
///
/// One of these belongs to a command or to a request. It is the way in which a request learns the number
/// of its change, and in which its condition is checked in the very transaction that it is for.
package final class CommitContext: Sendable {
  private struct State {
    var isCommitted = false
    var change: Int64?
  }

  /// The command line or the like that changes are made by, for the history.
  package let origin: String?
  private let condition: (@Sendable (CatalogTables) throws -> Void)?
  private let state = Mutex(State())

  /// - Parameter condition: runs first in the first transaction, and refuses it by throwing. It may write.
  package init(
    origin: String? = nil, condition: (@Sendable (CatalogTables) throws -> Void)? = nil
  ) {
    (self.origin, self.condition) = (origin, condition)
  }

  /// The number of the last change that was made, undone or made again in it; nil before the first.
  package var change: Int64? { state.withLock { $0.change } }

  func check(_ tables: CatalogTables) throws {
    if state.withLock({ $0.isCommitted }) { return }
    try condition?(tables)
  }

  /// - Parameter label: of the commit's frame; nil when nothing was changed.
  func note(_ label: Frame.Label?) {
    state.withLock { state in
      state.isCommitted = true
      state.change = label?.change?.id ?? state.change
    }
  }
}
