internal import Synchronization

/// The live state of a job. A slow reader gets the newest state when it is ready, and holds up nobody.
struct JobFeed: Sendable {
  /// The current state of the job, then each change. Ends with the job, or when the server stops.
  let states: AsyncStream<Job>
  /// Sends the current state once more.
  let `repeat`: @Sendable () -> Void
}

extension JobQueue {
  func follow(_ id: String) throws -> JobFeed {
    let job = try job(id)
    // Only the newest state waits to be read.
    let (states, follower) = AsyncStream<Job>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      let job = state.list[id] ?? job
      follower.yield(job)
      guard !job.state.isEnd, state.phase != .stopped else { return nil }
      state.nextFollower += 1
      state.followers[id, default: [:]][state.nextFollower] = follower
      return state.nextFollower
    }
    guard let number else {
      follower.finish()
      return JobFeed(states: states, repeat: {})
    }
    follower.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.followers[id]?.removeValue(forKey: number) }
    }
    return JobFeed(states: states) { [weak self] in
      self?.state.withLock { state in
        guard let follower = state.followers[id]?[number], let job = state.list[id] else { return }
        follower.yield(job)
      }
    }
  }
}

extension JobQueue.State {
  /// Sends a job to its followers.
  func tell(of job: Job) {
    for follower in followers[job.id, default: [:]].values { follower.yield(job) }
  }
}
