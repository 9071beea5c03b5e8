internal import Fields
internal import Leaflog
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The jobs of a library. One runs at a time, as jobs compete for the disk; the others wait.
///
/// Methods block briefly while the list is written.
final class JobQueue: Sendable {
  enum Phase { case starting, running, stopped }

  struct State {
    var phase = Phase.starting
    var list = JobList()
    var atWork: (id: String, task: Task<Void, Never>)?
    /// The followers of each job, by job id and number.
    var followers: [String: [Int: AsyncStream<Job>.Continuation]] = [:]
    var nextFollower = 0
  }

  let library: Library
  let kinds: JobKinds
  let files: Result<JobFiles, LeaflogError>
  let logger: Logger
  /// How long a job may take to end when the server stops.
  let patience: Duration
  let state = Mutex(State())
  /// Keeps writes in order.
  let writing = Mutex<Void>(())
  /// Held until what a request has changed is saved, so that its repetition waits for that.
  private let changing = Mutex<Void>(())

  /// Takes over the jobs of the last server. If another server has the library's jobs, or their files cannot be read,
  /// every method throws that error.
  init(_ library: Library, kinds: JobKinds, patience: Duration, logger: Logger) {
    (self.library, self.kinds) = (library, kinds)
    (self.patience, self.logger) = (patience, logger)
    files = Result { () throws(LeaflogError) in try JobFiles(of: library) }
    guard let files = try? files.get() else { return }
    var list = JobList()
    if let data = files.list() {
      if let kept = JobList(data) {
        list = kept
      } else {
        logger.error("the list of jobs is damaged")
      }
    }
    list.endLost(now: library.clock.now)
    files.removeAll(but: list.storedNames)
    let kept = list
    state.withLock { $0.list = kept }
  }

  // MARK: Reading

  /// All jobs that a scope includes, newest first.
  func all(for scope: AccessScope) throws -> [Job] {
    _ = try files.get()
    return state.withLock { $0.list.newestFirst }.filter { kinds.includes($0.kind, in: scope) }
  }

  /// All jobs that a client sees, newest first.
  func documents(for client: JobClient) throws -> [JobDocument] {
    try all(for: client.scope).map { job in
      var document = JobDocument(job)
      document.isControlled = client.controls(job)
      return document
    }
  }

  /// A job that a scope includes.
  func job(_ id: String, for scope: AccessScope) throws -> Job {
    _ = try files.get()
    guard let job = state.withLock({ $0.list[id] }), kinds.includes(job.kind, in: scope) else {
      throw Self.unknown
    }
    return job
  }

  /// A job's result, and the path of its file.
  func result(of id: String, for scope: AccessScope) throws -> (file: JobFile, path: String) {
    let job = try job(id, for: scope)
    guard let file = job.file, let name = job.storedName else {
      throw LeaflogError(.notFound, "This job has no result file.")
    }
    let files = try files.get()
    guard files.byteCount(of: name) == file.byteCount else {
      throw LeaflogError(.notKept, "The file is no longer available. Run the job again.")
    }
    return (file, files.path(of: name))
  }

  static let unknown = LeaflogError(.notFound, "There is no such job.")

  // MARK: Writing

  /// The job that a request with the same key has added or cancelled before; nil when there is none any more.
  private func known(by key: ClientRequest.Key?, for client: JobClient) throws -> Job? {
    guard let key else { return nil }
    let now = library.clock.now
    let job = try state.withLock { state in
      try state.list.newestFirst.first { try $0.isKnown(by: key, now: now) }
    }
    guard let job else { return nil }
    guard kinds.includes(job.kind, in: client.scope) else { throw Problem.notAllowed }
    return job
  }

  /// Adds a job to the queue, of a kind that the client's scope includes.
  ///
  /// - Parameter key: the request's, if it has one. A repetition gets the job that was added before.
  func add(
    _ request: [String: Scalar], retryOf: String? = nil, by key: ClientRequest.Key? = nil,
    for client: JobClient
  ) throws -> Job {
    try checkOpen()
    // Before the checks, whose outcome may be another by now.
    if let known = try changing.withLock({ _ in try known(by: key, for: client) }) { return known }
    let work = try kinds.read(request)
    guard client.scope.includes(type(of: work).right) else { throw Problem.notAllowed }
    try work.check(in: library)
    forgetIfDue()
    let job = Job(
      kind: type(of: work).name, request: request, retryOf: retryOf, holder: client.holder,
      key: key, now: library.clock.now)
    let added = try changing.withLock { _ in
      if let known = try known(by: key, for: client) { return known }
      try keep(job)
      return job
    }
    startNext()
    return added
  }

  private func keep(_ job: Job) throws {
    try state.withLock { state in
      guard !state.list.isFull(for: job.holder) else {
        throw Problem(.tooManyRequests, "There are already too many jobs waiting.")
      }
      state.list.add(job)
    }
    trim()
    do { try save() } catch {
      state.withLock { state in
        if state.list[job.id]?.state == .waiting { state.list.remove(job.id) }
      }
      throw error
    }
  }

  /// - Parameter key: as for adding a job.
  func retry(
    _ id: String, by key: ClientRequest.Key? = nil, for client: JobClient
  ) throws -> Job {
    try checkOpen()
    // The former job may be removed by now.
    if let known = try changing.withLock({ _ in try known(by: key, for: client) }) { return known }
    let job = try job(id, under: client)
    guard job.state.isEnd else {
      throw LeaflogError(.conflict, "This job has not ended.")
    }
    return try add(job.request, retryOf: id, by: key, for: client)
  }

  /// A job that a client controls.
  private func job(_ id: String, under client: JobClient) throws -> Job {
    let job = try job(id, for: client.scope)
    guard client.controls(job) else { throw Problem.notAllowed }
    return job
  }

  /// Cancels a job that is waiting or running, and removes one that has ended.
  ///
  /// - Parameter key: the request's, if it has one. A repetition does not remove the job that it has cancelled before.
  /// - Returns: the job; nil when it was removed.
  func delete(
    _ id: String, by key: ClientRequest.Key? = nil, for client: JobClient
  ) throws -> Job? {
    try checkOpen()
    return try changing.withLock { _ in
      let known = try known(by: key, for: client)
      if let known, known.state.isEnd { return known }
      return try cancelOrRemove(known ?? job(id, under: client), key, for: client.scope)
    }
  }

  private func cancelOrRemove(
    _ job: Job, _ key: ClientRequest.Key?, for scope: AccessScope
  ) throws -> Job? {
    let id = job.id
    if let key, !job.state.isEnd {
      state.withLock { $0.list.change(id) { $0.cancel(by: key) } }
      // The server may die before the job ends.
      try save()
    }
    switch job.state {
    case .waiting where end(job, .cancelled, ifStill: .waiting): return try self.job(id, for: scope)
    case .waiting, .running:
      state.withLock { $0.atWork.flatMap { $0.id == id ? $0.task : nil } }?.cancel()
      return try self.job(id, for: scope)
    case .done, .failed, .cancelled, .interrupted:
      state.withLock { $0.list.remove(id) }
      if let name = job.storedName { try files.get().remove(name) }
      try save()
      return nil
    }
  }

  private func checkOpen() throws {
    _ = try files.get()
    guard state.withLock({ $0.phase != .stopped }) else {
      throw LeaflogError(.locked, "The server is shutting down.")
    }
  }
}

extension JobQueue: Service {
  /// Runs jobs until the server stops.
  func run() async throws {
    state.withLock { $0.phase = .running }
    startNext()
    // It throws when the task is cancelled, which ends the service just as well.
    try? await gracefulShutdown()
    await stop()
  }

  private func startNext() {
    guard let files = try? files.get(), !library.isOnReadOnlyDisk else { return }
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
      if let started { state.report(of: started) }
      let task = Task { await Library.work { await self.work(on: job, files) } }
      state.atWork = (job.id, task)
    }
  }

  private func work(on job: Job, _ files: JobFiles) async {
    saveOrLog()
    let context = JobContext(job.id, library, files) { [self] in advance(job.id, $0) }
    do {
      guard isAllowed(job) else { throw CancellationError() }
      let request = try kinds.read(job.request)
      try request.check(in: library)
      let (result, isComplete) = try await request.kept(in: context)
      end(job, isComplete ? .done : endedEarly, result, ifStill: .running)
    } catch is CancellationError {
      end(job, endedEarly, ifStill: .running)
    } catch {
      end(job, .failed, problem: JobProblem(error), ifStill: .running)
    }
    startNext()
  }

  /// Whether the client of a job that controls no others still has its token.
  private func isAllowed(_ job: Job) -> Bool {
    guard let holder = job.holder else { return true }
    let token = TokenID(holder).flatMap { try? library.tokens.find($0) }
    return token?.isValid(on: library.calendarDay) ?? false
  }

  private func advance(_ id: String, _ body: (inout JobProgress) -> Void) {
    state.withLock { state in
      let job = state.list.change(id) { job in job.advance(body) ? job : nil }
      if let job = job ?? nil { state.report(of: job) }
    }
  }

  /// The state of a job that ended early.
  private var endedEarly: Job.State {
    state.withLock { $0.phase == .running } ? .cancelled : .interrupted
  }

  /// - Returns: false if the job was no longer in the former state.
  @discardableResult
  func end(
    _ job: Job, _ end: Job.State, _ result: KeptResult? = nil, problem: JobProblem? = nil,
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

/// The live state of a job. A slow reader gets the newest state when it is ready, and holds up nobody.
struct JobFeed: Sendable {
  /// The current state of the job, then each change. Ends with the job, or when the server stops.
  let states: AsyncStream<Job>
  /// Sends the current state once more.
  let `repeat`: @Sendable () -> Void
}

extension JobQueue {
  func follow(_ id: String, for scope: AccessScope) throws -> JobFeed {
    let job = try job(id, for: scope)
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
  func report(of job: Job) {
    for follower in followers[job.id, default: [:]].values { follower.yield(job) }
  }
}

/// The list on disk.
extension JobQueue {
  func save() throws {
    let files = try files.get()
    try writing.withLock { _ in try files.write(list: state.withLock { $0.list }.data) }
  }

  /// Saves the list or logs the failure, for changes that have happened whether or not they can be saved.
  private func saveOrLog() {
    do { try save() } catch {
      logger.error("the list of jobs was not written", metadata: ["code": "\(code(of: error))"])
    }
  }

  private func code(of error: any Error) -> String {
    (error as? LeaflogError)?.code.rawValue ?? "\(type(of: error))"
  }

  /// Drops the jobs that have ended if text has been erased for good in the meantime.
  private func forgetIfDue() {
    guard (try? files.get())?.isForgotten == true else { return }
    state.withLock { $0.list.removeEnded() }
  }

  func trim() {
    let surplus = state.withLock { $0.list.trim() }
    guard let files = try? files.get() else { return }
    for name in surplus.compactMap(\.storedName) { files.remove(name) }
  }
}
