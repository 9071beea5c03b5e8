internal import Synchronization

/// A job as it goes on. A reader that is slow gets the newest state when it is ready, and holds up nobody.
struct JobFeed: Sendable {
  /// The job as it is, and as it changes; it ends with the job, and when the server stops.
  let states: AsyncStream<Job>
  /// Sends the present state once more.
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
  /// Sends a job to those that follow it.
  func tell(of job: Job) {
    for follower in followers[job.id, default: [:]].values { follower.yield(job) }
  }
}
