package import Fields
package import Leaflog
internal import Synchronization

/// The totals of a job, and the damage that it has found.
struct DamageResult<Totals: Shown>: Shown {
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
  static let fields: [any AnyParameter] = [folder, copiesAll, isFull]

  private static let folder = Parameter<String>(
    "to", .path, isRequired: true, "A folder on the server's machine, which may be new.")
  private static let copiesAll = Parameter<Bool>("copy", .flag, standard: false)
  private static let isFull = Parameter<Bool>.isFull

  private let path: String
  private let copiesAll: Bool
  private let isFull: Bool

  init(_ body: BodyReader) throws {
    path = try body.known(Self.folder)
    copiesAll = try body.known(Self.copiesAll)
    isFull = try body.known(Self.isFull)
  }

  func check(in library: Library) throws { _ = try place(in: library) }

  private func place(in library: Library) throws -> String {
    try AllowedFolders(of: library).place(path, mayBeNew: true)
  }

  func run(in context: JobContext) async throws -> JobResult<DamageResult<BackupSummary>> {
    try await context.withLibrary(for: .reading) { library in
      var request = BackupRequest(path: try place(in: library))
      request.copiesAll = copiesAll
      request.readsEverything = isFull
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
  static let fields: [any AnyParameter] = [Parameter<Bool>.isFull]

  /// Reads every byte.
  private let isFull: Bool

  init(_ body: BodyReader) throws { isFull = try body.known(.isFull) }

  func run(in context: JobContext) async throws -> JobResult<DamageResult<VerifySummary>> {
    guard isFull else {
      return try await context.withLibrary(for: .reading) { try run($0, context) }
    }
    // Its progress is saved where the library can be written to.
    return try await context.withLibraryWritableIfPossible { try run($0, context) }
  }

  private func run(_ library: Library, _ context: JobContext) throws -> JobResult<
    DamageResult<VerifySummary>
  > {
    var request = VerifyRequest()
    request.readsEverything = isFull
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
  static let fields: [any AnyParameter] = [
    BodyField.plant, policyName, target, minSaving, secondLoss, Parameter<Bool>.isDryRun,
  ]

  private static let policyName = Parameter<StoragePolicy>("policy", .choice)
  private static let target = Parameter<Double>("target", .number(30...95), standard: 80)
  private static let minSaving = Parameter<Double>(
    "minSaving", .number(0...99), standard: 10, "In percent.")
  private static let secondLoss = Parameter<Bool>("secondLoss", .flag, standard: false)

  private let plant: String?
  private let policy: StoragePolicy?
  private let target: Double
  /// In percent.
  private let minSaving: Double
  private let allowsSecondLoss: Bool
  private let isDryRun: Bool

  init(_ body: BodyReader) throws {
    plant = try body.value(BodyField.plant)
    policy = try body.value(Self.policyName)
    target = try body.known(Self.target)
    minSaving = try body.known(Self.minSaving)
    allowsSecondLoss = try body.known(Self.secondLoss)
    isDryRun = try body.known(.isDryRun)
  }

  func check(in library: Library) throws {
    if let plant { _ = try library.plants.reference(matching: plant) }
  }

  struct Result: Shown {
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

  func run(in context: JobContext) async throws -> JobResult<Result> {
    try await context.withLibrary(for: isDryRun ? .reading : .writing) { library in
      var request = RecompressRequest(policy: policy ?? library.policy)
      request.plant = try plant.map { try library.plants.reference(matching: $0).id }
      request.targetScore = target
      request.minSaving = minSaving / 100
      request.allowsSecondLoss = allowsSecondLoss
      request.isDryRun = isDryRun
      let total = try library.timeline.photoCount(of: request.plant)
      context.progress { $0.total = total }
      let result = Mutex(Result())
      let isInterrupted = try await Recompressor(library).run(request) { outcome in
        result.withLock { result in
          result.summary.count(outcome)
          if case .failed(let message) = outcome.result {
            result.failed.note(.init(photo: outcome.entry.id, message: message.withoutFolders))
          }
        }
        context.progress {
          $0.done += 1
          $0.current = outcome.entry.id.description
        }
      }.isInterrupted
      return result.withLock { result in
        result.summary.dryRun = isDryRun ? true : nil
        result.summary.interrupted = isInterrupted ? true : nil
        return JobResult(
          result, JobOutcome(result.summary), isComplete: !isInterrupted)
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
  static let fields: [any AnyParameter] =
    [
      olderThan, grace, thinning, isForced, waived, Parameter<Bool>.isDryRun,
    ] + HourFields.all

  private static let olderThan = Parameter<Span>("olderThan", .span)
  private static let grace = Parameter<Span>("grace", .span)
  private static let thinning = Parameter<Thinning>("thin", .thinning)
  private static let isForced = Parameter<Bool>(
    "force", .flag, standard: false, "Waives all guards about the library itself.")
  private static let waived = Parameter<[PruneGuard]>("waive", .choices(), standard: [])

  private let request: PruneRequest
  /// Whether only the plan is wanted.
  private let isDryRun: Bool

  init(_ body: BodyReader) throws {
    var request = PruneRequest()
    request.olderThan = try body.value(Self.olderThan)?.duration
    request.grace = try body.value(Self.grace)?.duration ?? request.grace
    request.thinning = try body.value(Self.thinning)
    request.hours = try HourFields.hours(body)
    if request.thinning == nil, request.hours.isLimited {
      throw BodyReader.refusal(
        "“between”, “at” and “light” choose what “thin” keeps; give it, too.")
    }
    request.waived = Set(try body.known(Self.waived))
    if try body.known(Self.isForced) { request.waived.formUnion(PruneGuard.ofLibrary) }
    self.request = request
    isDryRun = try body.known(.isDryRun)
  }

  struct Result: Shown {
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

  func run(in context: JobContext) async throws -> JobResult<Result> {
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

extension Parameter<Bool> {
  /// Whether only the plan is wanted.
  static let isDryRun = Parameter(
    "dryRun", .flag, standard: false, "Only reports what it would do.")
  /// Whether every byte is read.
  static let isFull = Parameter("full", .flag, standard: false, "Reads every byte.")
}

extension Kind<String> {
  static let path = Kind(
    .written(TextForm(takes: "a path that begins with /", pattern: #"^/[^\u0000]*$"#)))
}

/// A duration that is not negative, as it is written: `30d`.
private struct Span: WrittenValue {
  let duration: Duration
  let description: String

  init?(written text: String) {
    guard let duration = Duration(text: text), duration >= .zero else { return nil }
    (self.duration, description) = (duration, text)
  }
}

extension Kind<Span> {
  fileprivate static let span = Kind(
    .written(
      TextForm(
        takes: "a duration such as 30d or 1h30m", pattern: #"^\+?([0-9]{1,8}[wdhmsWDHMS])+$"#)))
}

extension Thinning: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .text(let text) = scalar else { return nil }
    self.init(text: text)
  }

  package var scalar: Scalar { .text("\(count)/\(unit.rawValue)") }
}

extension Kind<Thinning> {
  fileprivate static let thinning = Kind(
    .written(
      TextForm(
        takes: "a number of photos for each span, such as 1/week",
        pattern: "^[1-9][0-9]{0,5}/(day|week|month|year)$")))
}
