internal import Foundation
internal import Leaflog

/// The jobs of a library, oldest first: all that wait or run, and the newest of those that have ended.
struct JobList: Codable, Sendable {
  /// The number of jobs kept.
  static let maxCount = 100

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
  var isFull: Bool { jobs.count { !$0.state.isEnd } >= Self.maxCount }
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

  /// Removes the oldest ended jobs beyond the limit.
  ///
  /// - Returns: the removed jobs.
  mutating func trim() -> [Job] {
    let surplus = Array(jobs.filter(\.state.isEnd).prefix(max(0, jobs.count - Self.maxCount)))
    let ids = Set(surplus.map(\.id))
    jobs.removeAll { ids.contains($0.id) }
    return surplus
  }

  /// Ends the jobs that were running when the last server died.
  mutating func endLost(now: Timestamp) {
    for index in jobs.indices where jobs[index].state == .running { jobs[index].endLost(now: now) }
  }
}
