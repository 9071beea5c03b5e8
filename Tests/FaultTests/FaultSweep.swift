import Dispatch
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Runs a scenario once for each of its operations, with something going wrong there, and looks at what
/// is left.
struct FaultSweep {
  let scenario: FaultScenario
  /// What an untouched run comes to.
  private let expected: LibraryState
  private let before: Set<String>
  private let trace: [Character]

  static var isLong: Bool { ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil }

  init(_ scenario: FaultScenario) async throws {
    self.scenario = scenario
    let trial = try scenario.trial()
    before = try Self.photos(in: trial.library)
    let outcome = try trial.run()
    try #require(outcome.status == 0, "\(outcome.output)")
    trace = outcome.trace
    let library = try Library.open(at: trial.library)
    expected = try LibraryState(library)
    try library.close()
  }

  /// Every operation; of SQLite's single writes, between its syncs, the short run tries some.
  private var positions: [Int] {
    var pages = 0
    return trace.indices.filter { position in
      guard trace[position] == "p" else { return true }
      pages += 1
      return Self.isLong || pages % 8 == 1
    }
  }

  /// - Parameter losesPromises: how many points lose what was promised is counted then, and no fault.
  @discardableResult
  func run(_ kind: String, _ options: String..., countsLosses: Bool = false) async throws -> Int {
    let positions = positions
    let scenario = scenario
    let (losses, hits) = await withTaskExecutorPreference(Threads()) {
      await withTaskGroup(of: (Bool, Bool).self) { group in
        var rest = positions[...]
        var (losses, hits) = (0, 0)
        for _ in 0..<2 {
          guard let next = rest.popFirst() else { break }
          group.addTask { await attempt("\(kind)@\(next)", options, countsLosses) }
        }
        while let (isLoss, isHit) = await group.next() {
          if isLoss { losses += 1 }
          if isHit { hits += 1 }
          if let next = rest.popFirst() {
            group.addTask { await attempt("\(kind)@\(next)", options, countsLosses) }
          }
        }
        return (losses, hits)
      }
    }
    let lost = countsLosses ? ", \(losses) lost something" : ""
    print("faults: \(scenario.name), \(kind): \(hits) of \(trace.count) points\(lost)")
    #expect(hits > positions.count * 9 / 10, "the points have moved")
    return losses
  }

  private func attempt(
    _ fault: String, _ options: [String], _ countsLosses: Bool
  ) async -> (isLoss: Bool, isHit: Bool) {
    do {
      let trial = try scenario.trial()
      let outcome = try options.isEmpty
        ? trial.run("--fault", fault) : trial.run("--fault", fault, options[0])
      var problems = try look(trial, outcome)
      if countsLosses { return (!problems.isEmpty, outcome.isHit) }
      if problems.isEmpty { problems = try await finish(trial, outcome) }
      for problem in problems {
        Issue.record("\(scenario.name), \(fault): \(problem)\n\(outcome.output)")
      }
      return (!problems.isEmpty, outcome.isHit)
    } catch {
      Issue.record("\(scenario.name), \(fault): \(error)")
      return (true, true)
    }
  }

  /// Straight after: nothing that was promised is lost, nor anything that was there before.
  private func look(_ trial: FaultScenario.Trial, _ outcome: FaultScenario.Outcome) throws
    -> [String]
  {
    guard Library.exists(at: trial.library) else {
      return outcome.promised.isEmpty && before.isEmpty ? [] : ["the library is gone"]
    }
    let library = try Library.open(at: trial.library)
    defer { try? library.close() }
    var problems: [String] = []
    for id in outcome.promised {
      do { _ = try library.photo(id) } catch { problems.append("\(id): \(error)") }
    }
    for id in before {
      do { _ = try library.photo(id) } catch where expected.photos[id] != nil {
        problems.append("\(id), which was there before: \(error)")
      } catch {}
    }
    problems += try Self.damage(library)
    if outcome.status == 0, problems.isEmpty {
      let state = try LibraryState(library)
      if state != expected {
        problems.append("false success: \(state.difference(from: expected))")
      }
    }
    problems += try sourcesGone(trial, library)
    return problems
  }

  /// The next run brings it to the same end, and the next import leaves no temporary file.
  private func finish(_ trial: FaultScenario.Trial, _ outcome: FaultScenario.Outcome) async throws
    -> [String]
  {
    var problems: [String] = []
    if try await !trial.runAgain() { problems.append("the next run fails") }
    let library = try Library.open(at: trial.library)
    defer { try? library.close() }
    let state = try LibraryState(library)
    if state != expected {
      problems.append("after the next run: \(state.difference(from: expected))")
    }
    problems += try Self.damage(library)
    _ = try await Importer(library).run(ImportRequest(paths: [])) { _ in }
    let left = trial.folder.files(below: "library/tmp")
    if !left.isEmpty { problems.append("left in tmp: \(left)") }
    return problems
  }

  /// A source file that is gone has its photo in the library, byte for byte.
  private func sourcesGone(_ trial: FaultScenario.Trial, _ library: Library) throws -> [String] {
    let left = Set(trial.folder.files(below: "photos"))
    return try scenario.base.files(below: "photos").filter { !left.contains($0) }.compactMap {
      let data = try Data(contentsOf: URL(fileURLWithPath: scenario.base.file("photos/" + $0)))
      let id = EntryID(sourceDigest: data.withUnsafeBytes { BlobID(hashing: $0) })
      let photo = try? library.photo(id.description)
      return photo == nil ? "\($0) is gone and not in the library" : nil
    }
  }

  private static func damage(_ library: Library) throws -> [String] {
    var request = VerifyRequest()
    request.isFull = true
    var found: [String] = []
    _ = try Verifier(library).run(request) { found.append($0.message) }
    return found
  }

  private static func photos(in path: String) throws -> Set<String> {
    guard Library.exists(at: path) else { return [] }
    let library = try Library.open(at: path)
    defer { try? library.close() }
    return Set(try library.timeline.page(limit: 1000).elements.map(\.id.description))
  }
}

/// Waiting for processes is nothing for Swift's own threads.
final class Threads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    DispatchQueue.global().async { job.runSynchronously(on: executor) }
  }
}
