internal import DiaryModel
internal import Synchronization

/// The circumstances of commits: who makes them, on what condition, and what became of them.
///
/// One of these belongs to a command or to a request. It is the way in which a request learns the number
/// of its change, and in which its condition is checked in the very transaction that it is for.
package final class CommitContext: Sendable {
  private struct State {
    var isCommitted = false
    var open: OpenChange?
    var change: Int64?
  }

  /// The command line or the like that changes are made by, for the history.
  package let origin: String?
  private let condition: (@Sendable (CatalogTables) throws -> Void)?
  /// Whether all that is done in it is one change.
  private let isOneChange: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isOneChange: whether all that is done in it is one change, of the kind that comes first.
  ///   - condition: runs first in the first transaction, and refuses it by throwing. It may write.
  package init(
    origin: String? = nil, isOneChange: Bool = false,
    condition: (@Sendable (CatalogTables) throws -> Void)? = nil
  ) {
    (self.origin, self.isOneChange, self.condition) = (origin, isOneChange, condition)
  }

  /// The number of the last change that was made, undone or made again in it; nil before the first.
  package var change: Int64? { state.withLock { $0.change } }

  /// The change that a commit of this kind is a part of.
  func open(_ kind: ChangeKind) -> OpenChange {
    guard isOneChange else { return OpenChange(kind) }
    return state.withLock { state in
      let open = state.open ?? OpenChange(kind)
      state.open = open
      return open
    }
  }

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
