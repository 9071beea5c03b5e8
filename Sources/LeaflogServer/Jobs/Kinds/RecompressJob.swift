internal import Documents
internal import Leaflog
internal import Synchronization

/// Compresses photos again, under another policy.
struct RecompressJob: JobKind {
  static let name = "recompress"
  static let unit = JobProgress.Unit.photos

  private let plant: String?
  private let policy: StoragePolicy?
  private let target: Double
  /// In percent.
  private let minSaving: Double
  private let allowsSecondLoss: Bool
  private let isDryRun: Bool

  init(_ fields: inout JobFields) throws {
    plant = try fields.text("plant")
    policy = try fields.choice("policy")
    target = try fields.number("target", in: 30...95) ?? 80
    minSaving = try fields.number("minSaving", in: 0...99) ?? 10
    allowsSecondLoss = try fields.flag("secondLoss")
    isDryRun = try fields.flag("dryRun")
  }

  func check(in library: Library) throws {
    if let plant { _ = try library.plants.reference(plant) }
  }

  private struct Result: Encodable {
    struct Failure: Encodable {
      let photo: String
      let message: String
    }

    var summary = RecompressDocument()
    var failed: [Failure] = []
  }

  func run(in context: JobContext) async throws -> JobResult {
    try await context.withLibrary(for: isDryRun ? .reading : .writing) { library in
      var request = RecompressRequest(policy: policy ?? library.policy)
      request.plant = try plant.map { try library.plants.reference($0).id }
      request.targetScore = target
      request.minSaving = minSaving / 100
      request.allowsSecondLoss = allowsSecondLoss
      request.isDryRun = isDryRun
      let total = try library.timeline.photoCount(of: request.plant)
      context.progress { $0.total = total }
      let result = Mutex(Result())
      try await Recompressor(library).run(request) { outcome in
        result.withLock { result in
          result.summary.count(outcome)
          if case .failed(let message) = outcome.result {
            result.failed.note(.init(photo: outcome.entry.id.description, message: message))
          }
        }
        context.progress {
          $0.done += 1
          $0.current = outcome.entry.id.description
        }
      }
      return result.withLock { result in
        result.summary.dryRun = isDryRun ? true : nil
        result.summary.interrupted = Task.isCancelled ? true : nil
        return JobResult(result, isComplete: !Task.isCancelled)
      }
    }
  }
}

extension Timeline {
  /// The number of a plant's photos on the timeline; nil counts all photos, with and without a plant.
  fileprivate func photoCount(of plant: PlantID?) throws -> Int {
    var query = TimelineQuery()
    query.plant = plant
    query.kinds = [.photo]
    return try buckets(query, by: .year).reduce(0) { $0 + $1.count }
  }
}
