internal import Documents
internal import Leaflog

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

  private struct Result: Encodable {
    let summary: PruneDocument
    let thinned: [ThinnedDocument]

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
      if isDryRun { return JobResult(Result(plan.report, plan, isDryRun: true)) }
      context.progress { $0.total = plan.report.trashed.count + plan.report.unlinked.count }
      let report = try pruner.run(plan) { count in context.progress { $0.done = count } }
      return JobResult(
        Result(report, plan, isDryRun: false), isComplete: !report.isInterrupted)
    }
  }
}
