internal import Documents
internal import Fields
internal import Leaflog
internal import Synchronization

/// The totals of a job, and the damage that it has found.
private struct DamageResult<Totals: Shown>: Shown {
  let summary: Totals
  let damage: [DamageDocument]

  static var shown: Fields<DamageResult> {
    Fields([
      Field(adding: "summary", Totals.shown) { $0.summary },
      Field(adding: "damage", each: DamageDocument.shown) { $0.damage },
    ])
  }
}

/// Brings a backup of the library up to date, in a folder that the server may use.
struct BackupJob: JobKind {
  static let name = "backup"
  static let unit = JobProgress.Unit.percent

  private let path: String
  private let copiesAll: Bool
  private let isFull: Bool

  init(_ fields: inout JobFields) throws {
    path = try fields.required("to", fields.text("to"))
    copiesAll = try fields.flag("copy")
    isFull = try fields.flag("full")
  }

  func check(in library: Library) throws { _ = try place(in: library) }

  private func place(in library: Library) throws -> String {
    try AllowedFolders(of: library).place(path, mayBeNew: true)
  }

  func run(in context: JobContext) async throws -> JobResult {
    try await context.withLibrary(for: .reading) { library in
      var request = BackupRequest(path: try place(in: library))
      request.copiesAll = copiesAll
      request.isFull = isFull
      var damage: [DamageDocument] = []
      let summary = try Backup(library).run(request, progress: { context.show(share: $0) }) {
        found in
        damage.note(DamageDocument(found, remedy: found.remedy?.wordsOfService))
      }
      return JobResult(
        DamageResult(summary: summary, damage: damage), JobOutcome(summary),
        isComplete: !summary.isInterrupted)
    }
  }
}

/// Checks that everything is there and undamaged.
struct VerifyJob: JobKind {
  static let name = "verify"
  static let unit = JobProgress.Unit.percent

  /// Reads every byte.
  private let isFull: Bool

  init(_ fields: inout JobFields) throws { isFull = try fields.flag("full") }

  func run(in context: JobContext) async throws -> JobResult {
    guard isFull else {
      return try await context.withLibrary(for: .reading) { try run($0, context) }
    }
    // Its progress is saved where the library can be written to.
    return try await context.withLibraryWritableIfPossible { try run($0, context) }
  }

  private func run(_ library: Library, _ context: JobContext) throws -> JobResult {
    var request = VerifyRequest()
    request.isFull = isFull
    var damage: [DamageDocument] = []
    let summary = try Verifier(library).run(request, progress: context.show(share:)) { found in
      damage.note(DamageDocument(found, remedy: found.remedy?.wordsOfService))
    }
    return JobResult(
      DamageResult(summary: summary, damage: damage), JobOutcome(summary),
      isComplete: summary.isComplete)
  }
}

extension Array {
  /// Adds an element to a list in a job's result, unless the list is already too long to be kept.
  mutating func note(_ element: Element) {
    if count < 200 { append(element) }
  }
}

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

  private struct Result: Shown {
    struct Failure: Shown {
      let photo: EntryID
      let message: String

      static let shown = Fields<Failure>([
        Field(adding: "photo", .id) { $0.photo }, Field(adding: "message", .text) { $0.message },
      ])
    }

    var summary = RecompressDocument()
    var failed: [Failure] = []

    static let shown = Fields<Result>([
      Field(adding: "summary", RecompressDocument.shown) { $0.summary },
      Field(adding: "failed", each: Failure.shown) { $0.failed },
    ])
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
            result.failed.note(.init(photo: outcome.entry.id, message: message))
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
        return JobResult(
          result, JobOutcome(result.summary), isComplete: !Task.isCancelled)
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

/// Removes unreferenced files from the store.
struct PruneJob: JobKind {
  static let name = "prune"
  static let unit = JobProgress.Unit.files

  private let request: PruneRequest
  /// Whether only the plan is wanted.
  private let isDryRun: Bool

  init(_ fields: inout JobFields) throws {
    func span(_ text: String) -> Duration? {
      Duration(text: text).flatMap { $0 < .zero ? nil : $0 }
    }
    var request = PruneRequest()
    request.olderThan = try fields.value("olderThan", like: "30d", span)
    request.grace = try fields.value("grace", like: "1d", span) ?? request.grace
    request.thinning = try fields.value("thin", like: "1/week") { Thinning(text: $0) }
    request.isForced = try fields.flag("force")
    self.request = request
    isDryRun = try fields.flag("dryRun")
  }

  private struct Result: Shown {
    let summary: PruneDocument
    let thinned: [ThinnedDocument]

    static let shown = Fields<Result>([
      Field(adding: "summary", PruneDocument.shown) { $0.summary },
      Field(adding: "thinned", each: ThinnedDocument.shown) { $0.thinned },
    ])

    init(_ report: PruneReport, _ plan: PrunePlan, isDryRun: Bool) {
      let isDone = !report.isInterrupted && report.delayedUntil == nil
      let thinned = isDone || isDryRun ? plan.thinned : []
      summary = PruneDocument(report, thinned: thinned.count, isDryRun: isDryRun)
      var listed: [ThinnedDocument] = []
      for entry in thinned { listed.note(ThinnedDocument(entry)) }
      self.thinned = listed
    }
  }

  func run(in context: JobContext) async throws -> JobResult {
    try await context.withLibrary(for: isDryRun ? .reading : .writing) { library in
      let pruner = Pruner(library)
      let plan = try pruner.plan(request)
      if isDryRun {
        return JobResult(Result(plan.report, plan, isDryRun: true), JobOutcome(plan.report))
      }
      context.progress { $0.total = plan.report.trashed.count + plan.report.unlinked.count }
      let report = try pruner.run(plan) { count in context.progress { $0.done = count } }
      return JobResult(
        Result(report, plan, isDryRun: false), JobOutcome(report),
        isComplete: !report.isInterrupted)
    }
  }
}
