package import Fields

/// The totals of an import.
package struct ImportSummaryDocument: Shown {
  private let summary: ImportSummary
  private let isDryRun: Bool

  package init(_ summary: ImportSummary, isDryRun: Bool) {
    (self.summary, self.isDryRun) = (summary, isDryRun)
  }

  package static let shown = Fields<ImportSummaryDocument>([
    Field(adding: "added", .count) { $0.summary.added },
    Field(adding: "duplicate", .count) { $0.summary.duplicate },
    Field(adding: "restored", .count) { $0.summary.restored },
    // Only with `--update`.
    Field(adding: "updated", .count) { $0.summary.updated == 0 ? nil : $0.summary.updated },
    Field(adding: "skipped", .count) { $0.summary.skipped },
    Field(adding: "failed", .count) { $0.summary.failed },
    Field(adding: "guessedDates", .count) { $0.summary.guessedDates },
    Field(adding: "repeatedHours", .count) { $0.summary.repeatedHours },
    Field(adding: "sourceByteCount", .byteCount) { $0.summary.sourceByteCount },
    Field(adding: "storedByteCount", .byteCount) { $0.summary.storedByteCount },
    Field(adding: "seconds", .seconds) { $0.summary.duration.roundedSeconds },
    // Plants of folders of one name with different parents.
    Field(adding: "mixedPlants", each: mixedPlant) { $0.summary.mixedPlants },
    Field(adding: "dryRun", .flag) { $0.isDryRun ? true : nil },
    Field(adding: "interrupted", .flag) { $0.summary.isInterrupted ? true : nil },
  ])

  private static let mixedPlant = Fields<MixedPlant>([
    Field(adding: "plant", .text) { $0.name }, Field(adding: "folders", .texts) { $0.folders },
  ])
}

/// The outcome of importing one file.
package struct OutcomeDocument: Shown {
  private enum Outcome: String, CaseIterable, FieldValue {
    case added, duplicate, restored, updated, skipped, failed
  }

  private let path: String
  private let outcome: Outcome
  private var reason: String?
  private var message: String?
  private let photo: EntryID?
  private var added: ImportedPhoto?
  private var storedByteCount: Int?
  private var warnings: [ImportWarning]?

  package init(_ outcome: FileOutcome, isDryRun: Bool = false) {
    (path, photo) = (outcome.path, outcome.photo)
    switch outcome.result {
    case .added(let photo):
      self.outcome = .added
      added = photo
      storedByteCount = isDryRun ? nil : photo.storedByteCount
    case .duplicate: self.outcome = .duplicate
    case .restored: self.outcome = .restored
    case .updated: self.outcome = .updated
    case .skipped(let reason): (self.outcome, self.reason) = (.skipped, reason.rawValue)
    case .failed(let reason, let message):
      (self.outcome, self.reason, self.message) = (.failed, reason.rawValue, message)
    }
    if photo != nil || !outcome.warnings.isEmpty { warnings = outcome.warnings }
  }

  package static let shown = Fields<OutcomeDocument>([
    Field(adding: "path", .text) { $0.path },
    Field(adding: "outcome", .choice) { $0.outcome },
    // Why it was skipped, or failed.
    Field(adding: "reason", .importReason) { $0.reason },
    Field(adding: "message", .text) { $0.message },
    Field(adding: "photo", .id) { $0.photo },
    Field(adding: "plant", .text) { $0.added?.plantName },
    Field(adding: "capturedAt", .captureTime) { $0.added?.time.recorded },
    Field(adding: "captureSource", .choice) { $0.added?.captureSource },
    Field(adding: "sourceByteCount", .byteCount) { $0.added?.sourceByteCount },
    Field(adding: "storedByteCount", .byteCount) { $0.storedByteCount },
    Field(adding: "warnings", .choices()) { $0.warnings },
  ]).named("Outcome")
}

extension Kind<String> {
  fileprivate static let importReason = Kind(
    .choice(
      Set(SkipReason.allCases.map(\.rawValue) + FailureReason.allCases.map(\.rawValue)).sorted()))
}

extension FailureReason: FieldValue {}

/// The result of importing a diary.
extension DiaryImportReport: Shown {
  package static let shown = Fields<DiaryImportReport>([
    Field(adding: "added", counts) { $0.added },
    Field(adding: "present", counts) { $0.present },
    Field(adding: "replaced", counts) { $0.replaced },
    Field(adding: "warnings", .texts) { $0.warnings },
    Field(adding: "repeated", .count) { $0.repeatedCount },
    Field(adding: "ignoredFields", .texts) { $0.ignoredFields },
    Field(adding: "separator", .choice) { $0.separator },
    Field(adding: "dryRun", .flag) { $0.isDryRun ? true : nil },
    Field(adding: "interrupted", .flag) { $0.isInterrupted ? true : nil },
  ])

  private static let counts = Fields<[Part: Int]>(
    Part.all.map { part in Field(adding: part.name, .count) { $0[part] } })
}

extension CSVSeparator: FieldValue {}

/// An export of the diary.
package struct DiaryExportDocument: Shown {
  private let summary: DiaryExportSummary
  private let path: String?

  /// - Parameter path: the path as it was given, if any.
  package init(_ summary: DiaryExportSummary, path: String?) {
    (self.summary, self.path) = (summary, path)
  }

  package static let shown = Fields<DiaryExportDocument>([
    Field(adding: "path", .text) { $0.path },
    Field(adding: "byteCount", .byteCount) { $0.summary.byteCount },
    Field(adding: "entries", .count) { $0.summary.entryCount },
    // The number of rows of each table.
    Field(adding: "rows", .counts()) { $0.summary.rowCounts },
    Field(adding: "interrupted", .flag) { $0.summary.isInterrupted ? true : nil },
  ])
}

/// A generated doctor's report.
package struct ReportDocument: Shown {
  private let made: GeneratedReport
  private let days: ClosedRange<LocalDay>
  private let path: String?

  /// - Parameter path: the path as it was given, if any.
  package init(_ made: GeneratedReport, of insights: Insights, path: String?) {
    (self.made, self.path) = (made, path)
    days = insights.firstDay...insights.lastDay
  }

  package static let shown = Fields<ReportDocument>([
    Field(adding: "path", .text) { $0.path },
    Field(adding: "firstDay", .day) { $0.days.lowerBound },
    Field(adding: "lastDay", .day) { $0.days.upperBound },
    Field(adding: "pageCount", .count) { $0.made.pageCount },
    Field(adding: "byteCount", .byteCount) { $0.made.document.bytes.count },
    Field(adding: "missingGlyphCount", .count) { $0.made.document.missingGlyphCount },
  ])
}

/// A finished time-lapse.
package struct TimeLapseDocument: Shown {
  private let made: TimeLapseSummary
  private let path: String?

  /// - Parameter path: the path as it was given, if any.
  package init(_ made: TimeLapseSummary, path: String?) { (self.made, self.path) = (made, path) }

  package static let shown = Fields<TimeLapseDocument>([
    Field(adding: "path", .text) { $0.path },
    Field(adding: "frames", .count) { $0.made.frameCount },
    Field(adding: "aligned", .count) { $0.made.alignedCount },
    Field(adding: "width", .pixels) { $0.made.size.width },
    Field(adding: "height", .pixels) { $0.made.size.height },
    Field(adding: "seconds", .seconds) { $0.made.duration.seconds },
    Field(adding: "byteCount", .byteCount) { $0.made.byteCount },
    // The views that were aligned by themselves, as those of a camera before and after it was moved.
    Field(adding: "scenes", each: scene) { $0.made.scenes },
    // The photos that could not be shown.
    Field(adding: "failed", each: failure) { $0.made.failures },
  ])

  private static let scene = Fields<TimeLapseSummary.Scene>([
    Field(adding: "firstDay", .day) { $0.firstDay },
    Field(adding: "frames", .count) { $0.frameCount },
  ])

  private static let failure = Fields<TimeLapseSummary.Failure>([
    Field(adding: "photo", .id) { $0.id }, Field(adding: "message", .text) { $0.message },
  ])
}
