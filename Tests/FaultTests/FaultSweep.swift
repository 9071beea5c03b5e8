import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Runs a scenario once for each of its operations, with something going wrong there, and looks at what
/// is left.
struct FaultSweep: Sendable {
  let scenario: FaultScenario
  /// The outcome of an untouched run.
  private let expected: LibraryState
  /// The photos that were there before.
  private let before: Set<String>
  private let trace: [Character]

  static var isLong: Bool { ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil }

  init(_ scenario: FaultScenario) async throws {
    self.scenario = scenario
    let trial = try scenario.trial()
    // What was lost before a repair is not there before.
    before = scenario.command == .repair ? [] : try Self.photos(in: trial.library)
    let outcome = try FaultServer().run(trial.words)
    try #require(outcome.status == 0, "\(outcome.output)")
    trace = outcome.trace
    let library = try Library.open(at: trial.library)
    expected = try LibraryState(library)
    try library.close()
  }

  /// The operations at which something goes wrong: all of them in the long run, or when they are not to be sampled. The
  /// short run tries each step of the order of writes once. Operations are the same step if they are of one kind, and those
  /// before and after them as well: a row of equal ones has a first, a last and one between.
  private func positions(isSampled: Bool) -> [Int] {
    if Self.isLong || !isSampled { return Array(trace.indices) }
    var steps: Set<[Character]> = []
    return trace.indices.filter { position in
      let step = trace[max(0, position - 1)...min(trace.count - 1, position + 1)]
      return steps.insert(Array(step)).inserted
    }
  }

  /// - Parameters:
  ///   - isTwice: whether the run after it meets the same, at another of its operations.
  ///   - countsLosses: whether losing something is counted, and is no failure. The journal is taken away for it, as it would
  ///     lead on to what the database has lost.
  /// - Returns: at how many points something was lost.
  @discardableResult
  func run(
    _ kind: String, _ options: [String] = [], isTwice: Bool = false, countsLosses: Bool = false
  ) async throws -> Int {
    // Of losses there are few, and one has to be found; behind the last promise, near the end.
    let positions =
      countsLosses ? positions(isSampled: false).reversed() : positions(isSampled: true)
    let waiting = Shared(positions[...])
    let results = Shared([Int: (isHit: Bool, problems: [String])]())
    // One more than there are processors, as each waits for its processes now and then.
    let workerCount = ProcessInfo.processInfo.activeProcessorCount + 1
    await withTaskExecutorPreference(Threads()) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<workerCount {
          group.addTask {
            do {
              let server = try FaultServer()
              while let next = waiting.withLock({ $0.popFirst() }) {
                let points = isTwice ? [next, (next * 7 + 3) % trace.count] : [next]
                let result = try await attempt(
                  points.map { options + ["--fault", "\(kind)@\($0)"] }, server,
                  withoutJournal: countsLosses)
                results.withLock { $0[next] = result }
                if countsLosses, !Self.isLong, !result.problems.isEmpty {
                  waiting.withLock { $0 = [] }
                }
              }
            } catch { Issue.record("\(scenario.name), \(kind): \(error)") }
          }
        }
      }
    }
    let tried = results.withLock { $0.sorted { $0.key < $1.key } }
    let hits = tried.count { $0.value.isHit }
    let losses = tried.count { !$0.value.problems.isEmpty }
    if !countsLosses {
      for (position, result) in tried {
        for problem in result.problems {
          Issue.record("\(scenario.name), \(kind)@\(position): \(problem)")
        }
      }
    }
    let lost = countsLosses ? ", \(losses) lost something" : ""
    print("faults: \(scenario.name), \(kind): \(hits) of \(trace.count) points\(lost)")
    let isDone = tried.count == positions.count || countsLosses && losses > 0
    #expect(isDone && hits > tried.count * 9 / 10, "the points have moved")
    return losses
  }

  /// Makes the disk refuse one read after another, or one file after another for ever.
  func runUnreadable(_ kind: String) async throws {
    let server = try FaultServer()
    let trial = try scenario.trial()
    let count = withExtendedLifetime(trial) {
      server.run(trial.words + ["--unreadable", "\(kind)@-1"]).reads.count
    }
    var hitCount = 0
    for position in 0..<count {
      let result = try await attempt(
        [["--unreadable", "\(kind)@\(position)"]], server, withoutJournal: false)
      if result.isHit { hitCount += 1 }
      for problem in result.problems {
        Issue.record("\(scenario.name), \(kind)@\(position): \(problem)")
      }
    }
    print("faults: \(scenario.name), unreadable \(kind): \(hitCount) of \(count)")
    #expect(hitCount > 0)
  }

  /// - Parameter runs: the further words of one run after another.
  private func attempt(
    _ runs: [[String]], _ server: FaultServer, withoutJournal: Bool
  ) async throws -> (isHit: Bool, problems: [String]) {
    let trial = try scenario.trial()
    let outcomes = runs.map { server.run(trial.words + $0) }
    guard let first = outcomes.first, let outcome = outcomes.last else { return (false, []) }
    if withoutJournal { try? FileManager.default.removeItem(atPath: trial.library + "/journal") }
    // It finishes, says that it failed, or was killed as planned; it never crashes.
    var problems =
      [0, 1, 128 + SIGKILL].contains(outcome.status) ? [] : ["it ended with \(outcome.status)"]
    // Until a repair is done there need not be a catalog.
    if scenario.command != .repair || outcome.status == 0 { problems += try look(trial, outcome) }
    if problems.isEmpty { problems += try scenario.problems(trial, outcome.status == 0) }
    if problems.isEmpty, Self.isLong || runs.contains(where: Self.isPowerCut) {
      problems = try lookWithoutCatalog(trial, outcome)
    }
    // What was half done by hand cannot be done again as if nothing had been.
    if problems.isEmpty, ![.edit, .change].contains(scenario.command) {
      problems = try await finish(trial) + scenario.problems(trial, true)
    }
    let output = outcomes.map(\.output).joined(separator: "\n")
    return (first.isHit || first.reads.isHit, problems.map { $0 + "\n" + output })
  }

  private static func isPowerCut(_ words: [String]) -> Bool {
    words.last?.hasPrefix("power-cut") ?? false
  }

  /// Straight after: nothing that was promised is lost, nor anything that was there before.
  private func look(_ trial: FaultScenario.Trial, _ outcome: FaultOutcome) throws
    -> [String]
  {
    guard Library.exists(at: trial.library) else {
      return outcome.promised.isEmpty && before.isEmpty ? [] : ["the library is gone"]
    }
    let library = try Library.open(at: trial.library)
    defer { try? library.close() }
    var problems = missing(outcome, in: library)
    for id in before {
      do { _ = try library.photos.find(matching: id) } catch  where expected.photos[id] != nil {
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

  private func missing(_ outcome: FaultOutcome, in library: Library) -> [String] {
    var problems: [String] = []
    for id in outcome.promised {
      do { _ = try library.diary.entry(matching: id) } catch { problems.append("\(id): \(error)") }
    }
    for name in outcome.plants {
      do { _ = try library.plants.find(matching: name) } catch {
        problems.append("\(name): \(error)")
      }
    }
    for value in outcome.settings where (try? library.settings.value(of: .reportName)) != value {
      problems.append("the setting \(value) is gone")
    }
    return problems
  }

  /// And when the catalog is lost on top of it: all that was promised comes back from the journal.
  private func lookWithoutCatalog(
    _ trial: FaultScenario.Trial, _ outcome: FaultOutcome
  ) throws -> [String] {
    guard Library.exists(at: trial.library) else { return [] }
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    try FileManager.default.copyItem(atPath: trial.library, toPath: path)
    for ending in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: path + "/catalog.sqlite" + ending) {
      try FileManager.default.removeItem(atPath: path + "/catalog.sqlite" + ending)
    }
    let report = try CatalogRescue(at: path).run()
    let library = try Library.open(at: path)
    defer { try? library.close() }
    var problems = missing(outcome, in: library).map { "without the catalog, \($0)" }
    if report.losses.contains(where: { !$0.changes.isEmpty }) {
      problems.append("without the catalog, \(report.losses)")
    }
    return problems
  }

  /// The next run brings it to the same end, and the next import leaves no temporary file.
  private func finish(_ trial: FaultScenario.Trial) async throws
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
      let photo = try? library.photos.find(id)
      return photo == nil ? "\($0) is gone and not in the library" : nil
    }
  }

  private static func damage(_ library: Library) throws -> [String] {
    var request = VerifyRequest()
    request.readsEverything = true
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

/// A value that tasks share.
private final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in body(&value) }
  }
}
