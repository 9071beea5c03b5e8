internal import Documents
internal import Leaflog
internal import ServiceLifecycle
internal import Synchronization

extension JobQueue: Service {
  /// Runs jobs until the server stops.
  func run() async throws {
    state.withLock { $0.phase = .running }
    startNext()
    // It throws when the task is cancelled, which ends the service just as well.
    try? await gracefulShutdown()
    await stop()
  }

  func startNext() {
    guard let files = try? files.get() else { return }
    let now = library.clock.now
    state.withLock { state in
      guard state.phase == .running, state.atWork == nil, let job = state.list.firstWaiting else {
        return
      }
      let kind = kinds.all.first { $0.name == job.kind }
      let started = state.list.change(job.id) { job in
        job.start(kind?.unit ?? .steps, now: now)
        return job
      }
      if let started { state.tell(of: started) }
      let task = Task(executorPreference: threads) { await self.work(on: job, files) }
      state.atWork = (job.id, task)
    }
  }

  private func work(on job: Job, _ files: JobFiles) async {
    saveOrLog()
    let context = JobContext(job.id, library, files) { [self] in advance(job.id, $0) }
    do {
      let request = try kinds.read(job.request)
      try request.check(in: library)
      let result = try await request.run(in: context)
      end(job, result.isComplete ? .done : endedEarly, result, ifStill: .running)
    } catch is CancellationError {
      end(job, endedEarly, ifStill: .running)
    } catch {
      end(job, .failed, problem: JobProblem(error), ifStill: .running)
    }
    startNext()
  }

  private func advance(_ id: String, _ body: (inout JobProgress) -> Void) {
    state.withLock { state in
      let job = state.list.change(id) { job in job.advance(body) ? job : nil }
      if let job = job ?? nil { state.tell(of: job) }
    }
  }

  /// The state of a job that ended early.
  private var endedEarly: Job.State {
    state.withLock { $0.phase == .running } ? .cancelled : .interrupted
  }

  /// - Returns: false if the job was no longer in the former state.
  @discardableResult
  func end(
    _ job: Job, _ end: Job.State, _ result: JobResult? = nil, problem: JobProblem? = nil,
    ifStill former: Job.State
  ) -> Bool {
    forgetIfDue()
    let now = library.clock.now
    let ended = state.withLock { state -> (Job, [AsyncStream<Job>.Continuation])? in
      guard state.list[job.id]?.state == former else { return nil }
      if state.atWork?.id == job.id { state.atWork = nil }
      let ended = state.list.change(job.id) { job in
        job.end(end, result, problem: problem, now: now)
        return job
      }
      let followers = state.followers.removeValue(forKey: job.id) ?? [:]
      return ended.map { ($0, Array(followers.values)) }
    }
    guard let (ended, followers) = ended else { return false }
    trim()
    saveOrLog()
    // Followers hear of an end only once it is saved, as a power cut could otherwise undo it; and outside the lock,
    // which `finish` may take.
    for follower in followers {
      follower.yield(ended)
      follower.finish()
    }
    return true
  }

  private func stop() async {
    let atWork = state.withLock { state in
      state.phase = .stopped
      return state.atWork
    }
    if let (id, task) = atWork {
      task.cancel()
      await Self.end(of: task, within: patience)
      // A job that does not end in time ends with the process.
      if let job = state.withLock({ $0.list[id] }) { end(job, .interrupted, ifStill: .running) }
    }
    let followers = state.withLock { state in
      defer { state.followers = [:] }
      return state.followers.values.flatMap(\.values)
    }
    for follower in followers { follower.finish() }
    (try? files.get())?.release()
  }

  /// Waits for a task, even if this one is cancelled.
  private static func end(of task: Task<Void, Never>, within patience: Duration) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let waiting = Task {
      await task.value
      end.finish()
    }
    let timeout = Task {
      try? await Task.sleep(for: patience)
      end.finish()
    }
    await Task { for await _ in ends {} }.value
    waiting.cancel()
    timeout.cancel()
  }
}
