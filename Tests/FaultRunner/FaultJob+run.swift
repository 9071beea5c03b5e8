internal import Foundation
internal import Leaflog
internal import Synchronization

extension FaultJob {
  package typealias Report = @Sendable (String) -> Void

  /// Runs the job on the library, which is created if there is none.
  ///
  /// - Returns: whether everything succeeded.
  package func run(on bench: FaultBench, _ say: @escaping Report) async throws -> Bool {
    switch command {
    case .restore: return try restore(on: bench)
    case .repair: return try repair(on: bench)
    default: break
    }
    let library = try bench.open(self)
    if command == .import { bench.pauseBeforeNext() }
    let isGood =
      switch command {
      case .import: try await importAll(library, say)
      case .edit: try edit(library, say)
      case .change: try change(library, say)
      case .recompress: try await recompress(library, say)
      case .prune: try prune(library)
      case .importers: try await importAndDelete(library, say)
      case .pruners: try pruneOnAndOn(library, say)
      case .backup: try backUp(library, on: bench)
      case .bringOver: try bringOver(to: library)
      case .restore, .repair: false
      }
    try library.close()
    return isGood
  }

  private func importAll(_ library: Library, _ say: @escaping Report) async throws -> Bool {
    try await importAll(paths, library, say)
  }

  private func importAll(
    _ paths: [String], _ library: Library, _ say: @escaping Report
  ) async throws -> Bool {
    var request = ImportRequest(paths: paths)
    request.policy = policy
    request.movesFiles = isMove
    request.jobCount = 1
    request.readmission = .all
    let summary = try await Importer(library).run(request) { outcome in
      switch outcome.result {
      case .added(let photo): say("promised \(photo.id)")
      case .duplicate(let id), .restored(let id), .updated(let id): say("promised \(id)")
      case .skipped: break
      case .failed(_, let message): say("failed \(message)")
      }
    }
    return summary.failed == 0
  }

  /// Makes a change of each kind, and one that is undone.
  private func edit(_ library: Library, _ say: Report) throws -> Bool {
    func promise(_ entry: Entry?) { if let entry { say("promised \(entry.id)") } }
    let day = library.today.advanced(by: -3)
    promise(try library.diary.addSymptom(Symptom(name: "ache", severity: try Severity(2))))
    promise(try library.diary.setMood(.happy, on: day))
    promise(try library.diary.setDailyLog(on: day) { $0.stress = 2 })
    let plant = try library.plants.add(PlantDetails(name: "moss"))
    say("plant \(plant.name)")
    let activity = try library.activities.add(ActivityDetails(name: "water", startFrom: day))
    promise(try library.activities.complete(activity.id, on: [day]).changed.first)
    try library.settings.set(.reportName, to: "Jo")
    say("setting Jo")
    promise(try library.quotes.favourite(library.quotes.find(matching: "b12")).entry)
    _ = try library.diary.setMood(.sad, on: day.advanced(by: 1))
    try library.history.undo()
    return true
  }

  /// Makes several calls that are one change.
  private func change(_ library: Library, _ say: Report) throws -> Bool {
    let entries = try library.change("spring") { library in
      let moss = try library.plants.add(PlantDetails(name: "moss"))
      let water = try library.activities.add(
        ActivityDetails(name: "water", startFrom: library.today), plant: moss.id)
      let done = try library.activities.complete(water.id).changed
      return [try library.diary.setMood(.happy, on: library.today)] + done
    }
    for entry in entries { say("promised \(entry.id)") }
    return true
  }

  private func recompress(_ library: Library, _ say: @escaping Report) async throws -> Bool {
    var request = RecompressRequest(policy: policy)
    request.jobCount = 1
    // Small pictures may grow, which does not matter for these tests.
    request.minSaving = -100
    let failed = Mutex(0)
    try await Recompressor(library).run(request) { outcome in
      switch outcome.result {
      case .changed: say("promised \(outcome.entry.id)")
      case .kept: break
      case .failed(let message):
        say("failed \(message)")
        failed.withLock { $0 += 1 }
      }
    }
    return failed.withLock { $0 == 0 }
  }

  private func prune(_ library: Library) throws -> Bool {
    _ = try Pruner(library).run(pruneRequest(grace: .seconds(3600)), now: now)
    return true
  }

  private func pruneRequest(grace: Duration) -> PruneRequest {
    var request = PruneRequest()
    request.waived = Set(PruneGuard.allCases)
    request.olderThan = .zero
    request.grace = grace
    return request
  }

  /// Imports some of the photos at a time, so that others have time to be unlinked. Each time all are deleted, the next
  /// prune purges them and condemns their blobs. Ends together with the prunes.
  private func importAndDelete(_ library: Library, _ say: @escaping Report) async throws -> Bool {
    let prunes = PruneRounds(self.library)
    let probe = try prunes.probe()
    let photos = try paths.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
    }
    var rounds = 0
    while !prunes.isOver {
      // Failures here come from files that were removed in the meantime; only the soundness of the library counts.
      _ = try await importAll(Array(photos.shuffled().prefix(2)), library, say)
      let ids = try library.timeline.page(limit: 1000).elements.map(\.id)
      for id in ids { _ = try? library.photos.delete(.photos([id])) }
      // Sometimes the prune gets a chance to purge them first.
      let next = prunes.count + .random(in: 0...2)
      try probe.wait { prunes.count >= next || prunes.isOver }
      rounds += 1
    }
    say("rounds \(rounds)")
    return true
  }

  /// Prunes until this many blobs have been unlinked, or it is clear that they never will be.
  private func pruneOnAndOn(_ library: Library, _ say: Report) throws -> Bool {
    let prunes = PruneRounds(self.library)
    defer { prunes.end() }
    var (rounds, trashed, unlinked) = (0, 0, 0)
    while unlinked < blobCount, rounds < 100 * blobCount {
      let report = try Pruner(library).run(pruneRequest(grace: .zero))
      trashed += report.trashed.count
      unlinked += report.unlinked.count
      rounds += 1
      prunes.countOne()
    }
    say("rounds \(rounds)")
    say("trashed \(trashed)")
    say("unlinked \(unlinked)")
    return true
  }
}
