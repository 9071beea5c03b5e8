internal import DiaryModel
internal import Synchronization

/// The context of commits: who makes them, under which condition, and with which result.
///
/// Each belongs to a command or a request. Through it, a request learns the number of its change, and has
/// its condition checked in the very transaction that it is for.
package final class CommitContext: Sendable {
  private struct State {
    var isCommitted = false
    var open: OpenChange?
    var change: Int64?
  }

  /// The origin of changes for the history, such as a command line.
  package let origin: String?
  /// The request that its first commit carries out, if it has a key.
  private let request: RequestKey?
  private let condition: (@Sendable (CatalogTables) throws -> Void)?
  /// Whether everything done in it is a single change.
  private let isOneChange: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isOneChange: whether everything done in it is a single change, of the first kind that occurs.
  ///   - condition: runs at the start of the first transaction, and prevents it by throwing. It may write.
  package init(
    origin: String? = nil, isOneChange: Bool = false, request: RequestKey? = nil,
    condition: (@Sendable (CatalogTables) throws -> Void)? = nil
  ) {
    (self.origin, self.isOneChange, self.condition) = (origin, isOneChange, condition)
    self.request = request
  }

  /// The number of the last change that was made, undone or redone in it; nil before the first.
  package var change: Int64? { state.withLock { $0.change } }

  /// The change that a commit of this kind belongs to.
  func open(_ kind: ChangeKind) -> OpenChange {
    guard isOneChange else { return OpenChange(kind) }
    return state.withLock { state in
      let open = state.open ?? OpenChange(kind)
      state.open = open
      return open
    }
  }

  /// Checks that the request was not carried out before, and that its condition holds.
  ///
  /// - Returns: the request that the commit carries out; nil for one without a lasting key, and after its first commit.
  /// - Throws: `AnsweredRequestTable.Repeated`, or what the condition throws.
  func check(_ tables: CatalogTables, commit: Int, now: Timestamp) throws -> RequestKey? {
    if state.withLock({ $0.isCommitted }) { return nil }
    if let request { try tables.answeredRequests.begin(request, commit: commit, now: now) }
    try condition?(tables)
    return request.flatMap { $0.isLasting ? $0 : nil }
  }

  /// - Parameter label: the label of the commit's frame; nil when nothing was changed.
  func note(_ label: FrameLabel?) {
    state.withLock { state in
      state.isCommitted = true
      state.change = label?.change?.id ?? state.change
    }
  }
}
