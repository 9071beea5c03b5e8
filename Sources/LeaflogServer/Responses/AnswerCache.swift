internal import Synchronization

/// Answers in memory that hold until the next commit to the catalog, whichever process makes it. Those that were
/// not asked for lately go when the bound is reached.
final class AnswerCache<Answer: Sendable>: Sendable {
  private struct Known {
    let answer: Answer
    let byteCount: Int
  }

  private struct State {
    /// The count of commits that all of them are of.
    var commit: Int?
    var recent: [String: Known] = [:]
    var former: [String: Known] = [:]
    var recentByteCount = 0

    mutating func keep(_ known: Known, for key: String, within byteCount: Int) {
      if recentByteCount + known.byteCount > byteCount / 2 {
        (former, recent, recentByteCount) = (recent, [:], 0)
      }
      recent[key] = known
      recentByteCount += known.byteCount
    }
  }

  private let commitCount: @Sendable () -> Int?
  private let byteCount: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - byteCount: the bound of all answers together.
  ///   - commitCount: how many commits the catalog has seen; nil when it cannot tell.
  init(byteCount: Int, commitCount: @escaping @Sendable () -> Int?) {
    (self.byteCount, self.commitCount) = (byteCount, commitCount)
  }

  /// The answer to a request, as it was made since the last commit, or made now.
  ///
  /// - Parameter make: gives an answer and its size in bytes.
  func answer(
    to key: String, _ make: () async throws -> (Answer, byteCount: Int)
  ) async throws -> Answer {
    // Before the answer is made: what is committed meanwhile makes it an old one.
    let commit = commitCount()
    if let answer = known(key, commit) { return answer }
    let (answer, byteCount) = try await make()
    keep(Known(answer: answer, byteCount: byteCount + key.utf8.count), for: key, commit)
    return answer
  }

  private func known(_ key: String, _ commit: Int?) -> Answer? {
    state.withLock { state in
      guard let commit else { return nil }
      guard state.commit == commit else {
        state = State(commit: commit)
        return nil
      }
      if let known = state.recent[key] { return known.answer }
      guard let known = state.former[key] else { return nil }
      state.keep(known, for: key, within: byteCount)
      return known.answer
    }
  }

  private func keep(_ known: Known, for key: String, _ commit: Int?) {
    state.withLock { state in
      guard let commit, state.commit == commit, known.byteCount <= byteCount / 8,
        state.recent[key] == nil
      else { return }
      state.keep(known, for: key, within: byteCount)
    }
  }
}
