package import Leaflog
internal import Synchronization

/// A memory cache of answers that are valid until the next commit to the catalog, by whichever process. Answers that
/// have not been used recently are evicted at the limit.
package final class AnswerCache<Answer: Sendable>: Sendable {
  private struct Known {
    let answer: Answer
    let byteCount: Int
  }

  private struct State {
    /// The last commit when the answers were made.
    var commit: CommitMark?
    var recent: [String: Known] = [:]
    var former: [String: Known] = [:]
    var recentByteCount = 0
    /// Answers that are being made.
    var underWay: [String: Task<Answer, any Error>] = [:]

    mutating func keep(_ known: Known, for key: String, within byteCount: Int) {
      if recentByteCount + known.byteCount > byteCount / 2 {
        (former, recent, recentByteCount) = (recent, [:], 0)
      }
      recent[key] = known
      recentByteCount += known.byteCount
    }
  }

  private let lastCommit: @Sendable () -> CommitMark?
  private let byteCount: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - byteCount: the limit for all answers together.
  ///   - lastCommit: the mark of the catalog's last commit; nil when it is unknown.
  package init(byteCount: Int, lastCommit: @escaping @Sendable () -> CommitMark?) {
    (self.byteCount, self.lastCommit) = (byteCount, lastCommit)
  }

  /// The cached answer to a request, or a new one, which is made once however many ask for it meanwhile.
  ///
  /// - Parameter make: returns an answer and its size in bytes; nil for one that is not kept.
  package func answer(
    to key: String, _ make: @escaping @Sendable () async throws -> (Answer, byteCount: Int?)
  ) async throws -> Answer {
    // Read before the answer is made: a commit in the meantime makes it stale.
    guard let commit = lastCommit() else { return try await make().0 }
    if let answer = known(key, commit) { return answer }
    let task = state.withLock { state in
      if state.commit == commit, let task = state.underWay[key] { return task }
      // It goes on if the one who asked first leaves: others may have joined.
      let task = Task { [self] in
        defer { end(key, commit) }
        let (answer, byteCount) = try await make()
        if let byteCount {
          keep(Known(answer: answer, byteCount: byteCount + key.utf8.count), for: key, commit)
        }
        return answer
      }
      if state.commit == commit { state.underWay[key] = task }
      return task
    }
    return try await task.value
  }

  private func end(_ key: String, _ commit: CommitMark) {
    state.withLock { if $0.commit == commit { $0.underWay[key] = nil } }
  }

  private func known(_ key: String, _ commit: CommitMark) -> Answer? {
    state.withLock { state in
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

  private func keep(_ known: Known, for key: String, _ commit: CommitMark) {
    state.withLock { state in
      guard state.commit == commit, known.byteCount <= byteCount / 8,
        state.recent[key] == nil
      else { return }
      state.keep(known, for: key, within: byteCount)
    }
  }
}
