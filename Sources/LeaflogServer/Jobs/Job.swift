internal import Fields
internal import Foundation
internal import Leaflog

/// A long-running task that clients do not wait for.
struct Job: Codable, Sendable {
  typealias State = JobState

  /// Sixteen random hexadecimal digits.
  let id: String
  let kind: String
  /// The request as posted.
  let request: [String: Scalar]
  /// The job that this one retries.
  let retryOf: String?
  /// The token of a client that controls no jobs but its own; nil for all others.
  let holder: String?
  /// The key of the request that added it, and those of requests that cancelled it, by which repetitions are known.
  let key: ClientRequest.Key?
  private(set) var cancelKeys: [ClientRequest.Key]?
  private(set) var state = State.waiting
  private(set) var progress: JobProgress?
  /// Milliseconds since 1970, like the other times.
  let createdAt: Int64
  private(set) var startedAt: Int64?
  private(set) var endedAt: Int64?
  private(set) var result: JSONNode?
  private(set) var outcome: JobOutcome?
  private(set) var file: JobFile?
  private(set) var problem: JobProblem?
  /// The number of changes so far, and so of the latest event.
  private(set) var revision = 1

  init(
    kind: String, request: [String: Scalar], retryOf: String? = nil, holder: String? = nil,
    key: ClientRequest.Key? = nil, now: Timestamp
  ) {
    (id, self.key) = (Self.randomID(), key)
    (self.kind, self.request, self.retryOf, self.holder) = (kind, request, retryOf, holder)
    createdAt = now.milliseconds
  }

  private static func randomID() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func start(_ unit: JobProgress.Unit, now: Timestamp) {
    state = .running
    startedAt = now.milliseconds
    progress = JobProgress(unit: unit)
    revision += 1
  }

  /// Records a request that cancels it. Several clients may do so before it ends.
  mutating func cancel(by key: ClientRequest.Key) {
    let keys = cancelKeys ?? []
    cancelKeys = keys.filter { $0 != key }.suffix(Self.maxCancelKeyCount - 1) + [key]
  }

  private static let maxCancelKeyCount = 16

  /// Whether a request with a key has added or cancelled it before.
  ///
  /// - Throws: `LeaflogError.usedKey` when the key came with another request.
  func isKnown(
    by another: ClientRequest.Key, now: Timestamp
  ) throws(LeaflogError) -> Bool {
    let added = Timestamp(milliseconds: createdAt)
    if try another.isRepetition(of: key, from: added, now: now) { return true }
    let cancelled = endedAt.map { Timestamp(milliseconds: $0) } ?? now
    for key in cancelKeys ?? []
    where try another.isRepetition(of: key, from: cancelled, now: now) { return true }
    return false
  }

  /// - Returns: whether the progress has changed.
  mutating func advance(_ body: (inout JobProgress) -> Void) -> Bool {
    guard state == .running, var next = progress else { return false }
    body(&next)
    guard next != progress else { return false }
    progress = next
    revision += 1
    return true
  }

  mutating func end(
    _ state: State, _ result: KeptResult? = nil, problem: JobProblem? = nil, now: Timestamp
  ) {
    self.state = state
    endedAt = now.milliseconds
    progress?.current = nil
    (self.result, outcome, file) = (result?.document, result?.outcome, result?.file)
    self.problem = problem
    revision += 1
  }

  /// Ends a job that was running when its server died. Events may have reported more changes than were saved, so the
  /// numbers of further ones start above all of them.
  mutating func endLost(now: Timestamp) {
    revision += 1 << 32
    end(.interrupted, now: now)
  }

  /// The name of its result file in the library; nil when there is none.
  var storedName: String? {
    file.map { Self.storedName(id, ending: String($0.name.split(separator: ".").last ?? "")) }
  }

  static func storedName(_ id: String, ending: String) -> String { "\(id).\(ending)" }
}

/// A client that adds, cancels, repeats or removes jobs.
struct JobClient: Sendable {
  let scope: AccessScope
  /// The token of a client that controls no jobs but its own; nil for one that may change the diary.
  let holder: String?

  init(_ scope: AccessScope, _ holder: AccessToken?) {
    self.scope = scope
    self.holder = scope.includes(.writeDiary) ? nil : holder?.id.description
  }

  func controls(_ job: Job) -> Bool { holder == nil || holder == job.holder }
}

extension JobDocument {
  init(_ job: Job) {
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
    self.init(
      id: job.id, kind: job.kind, request: job.request, state: job.state, progress: job.progress,
      createdAt: time(job.createdAt), startedAt: job.startedAt.map(time),
      endedAt: job.endedAt.map(time), result: job.result, outcome: job.outcome, file: job.file,
      problem: job.problem, retryOf: job.retryOf)
  }
}

/// The jobs of a library, oldest first: all that wait or run, and the newest of those that have ended.
struct JobList: Codable, Sendable {
  /// The number of jobs kept.
  static let maxCount = 100
  /// The number kept of the jobs of a client that controls no others.
  static let maxCountOfHolder = 10

  private var format = 1
  private(set) var jobs: [Job] = []

  init() {}

  /// Decodes a saved list; nil when it cannot be read.
  init?(_ data: Data) {
    guard let list = try? JSONDecoder().decode(JobList.self, from: data), list.format == 1 else {
      return nil
    }
    self = list
  }

  var data: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("a list of jobs can be encoded")
    }
    return data
  }

  var newestFirst: [Job] { jobs.reversed() }
  var firstWaiting: Job? { jobs.first { $0.state == .waiting } }
  /// Whether there is no room for another job, as none of those kept has ended.
  ///
  /// - Parameter holder: the client, if it controls no jobs but its own.
  func isFull(for holder: String?) -> Bool {
    jobs.count { !$0.state.isEnd && $0.holder == holder }
      >= (holder == nil ? Self.maxCount : Self.maxCountOfHolder)
  }
  var storedNames: Set<String> { Set(jobs.compactMap(\.storedName)) }

  subscript(id: String) -> Job? { jobs.first { $0.id == id } }

  mutating func add(_ job: Job) { jobs.append(job) }

  /// - Returns: the result of the body; nil when there is no such job.
  mutating func change<Value>(_ id: String, _ body: (inout Job) -> Value) -> Value? {
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
    return body(&jobs[index])
  }

  mutating func remove(_ id: String) { jobs.removeAll { $0.id == id } }

  /// Removes all jobs that have ended.
  mutating func removeEnded() { jobs.removeAll(where: \.state.isEnd) }

  /// Removes the oldest ended jobs beyond the limits.
  ///
  /// - Returns: the removed jobs.
  mutating func trim() -> [Job] {
    Set(jobs.compactMap(\.holder)).flatMap { holder in
      trim(to: Self.maxCountOfHolder) { $0.holder == holder }
    } + trim(to: Self.maxCount) { _ in true }
  }

  private mutating func trim(to count: Int, _ belongs: (Job) -> Bool) -> [Job] {
    let all = jobs.filter(belongs)
    let surplus = Array(all.filter(\.state.isEnd).prefix(max(0, all.count - count)))
    let ids = Set(surplus.map(\.id))
    jobs.removeAll { ids.contains($0.id) }
    return surplus
  }

  /// Ends the jobs that were running when the last server died.
  mutating func endLost(now: Timestamp) {
    for index in jobs.indices where jobs[index].state == .running { jobs[index].endLost(now: now) }
  }
}

extension JobProblem {
  /// The error as stored with its job. The text of unforeseen errors is left out, as it may contain words of the diary.
  init(_ error: any Error) {
    switch error {
    case let error as LeaflogError:
      self.init(
        code: error.code.rawValue, detail: error.messageForClients,
        remedy: error.remedy?.wordsOfService)
    case let problem as Problem:
      self.init(code: nil, detail: problem.detail ?? problem.status.reasonPhrase, remedy: nil)
    default:
      self.init(code: nil, detail: "The job failed; see the server's log.", remedy: nil)
    }
  }
}
