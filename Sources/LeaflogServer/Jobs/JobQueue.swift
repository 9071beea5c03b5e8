internal import Documents
internal import Leaflog
internal import Logging
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
  let threads = BlockingExecutor()
  let state = Mutex(State())
  /// Keeps writes in order.
  let writing = Mutex<Void>(())

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

  /// All jobs, newest first.
  func all() throws -> [Job] {
    _ = try files.get()
    return state.withLock { $0.list.newestFirst }
  }

  func job(_ id: String) throws -> Job {
    _ = try files.get()
    guard let job = state.withLock({ $0.list[id] }) else { throw Self.unknown }
    return job
  }

  /// A job's result, and the path of its file.
  func result(of id: String) throws -> (file: JobFile, path: String) {
    let job = try job(id)
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

  /// Adds a job to the queue.
  func add(_ request: JSONValue, retryOf: String? = nil) throws -> Job {
    try checkOpen()
    let work = try kinds.read(request)
    try work.check(in: library)
    forgetIfDue()
    let job = Job(
      kind: type(of: work).name, request: request, retryOf: retryOf, now: library.clock.now)
    try state.withLock { state in
      guard !state.list.isFull else {
        throw Problem(.tooManyRequests, "There are already \(JobList.maxCount) jobs waiting.")
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
    startNext()
    return job
  }

  func retry(_ id: String) throws -> Job {
    let job = try job(id)
    guard job.state.isEnd else {
      throw LeaflogError(.conflict, "This job has not ended.")
    }
    return try add(job.request, retryOf: id)
  }

  /// Cancels a job that is waiting or running, and removes one that has ended.
  ///
  /// - Returns: the job; nil when it was removed.
  func delete(_ id: String) throws -> Job? {
    try checkOpen()
    let job = try job(id)
    switch job.state {
    case .waiting where end(job, .cancelled, ifStill: .waiting): return try self.job(id)
    case .waiting, .running:
      state.withLock { $0.atWork.flatMap { $0.id == id ? $0.task : nil } }?.cancel()
      return try self.job(id)
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
