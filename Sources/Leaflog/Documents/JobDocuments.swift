package import Fields

/// The progress of a job.
package struct JobProgress: Codable, Hashable, Sendable {
  /// The unit in which a kind of job counts its progress.
  package enum Unit: String, Codable, CaseIterable, FieldValue {
    case files, photos, percent
    /// Parts of the work that have no more specific name.
    case steps
  }

  package var done: Int
  /// Nil until it is known.
  package var total: Int?
  package let unit: Unit
  /// The item being processed, such as a file's name, if any.
  package var current: String?

  package init(unit: Unit) {
    self.unit = unit
    done = 0
  }
}

/// A file that is the result of a job.
package struct JobFile: Codable, Hashable, Sendable {
  /// The name to save it under.
  package let name: String
  package let mediaType: String
  package let byteCount: Int

  package init(name: String, mediaType: String, byteCount: Int) {
    (self.name, self.mediaType, self.byteCount) = (name, mediaType, byteCount)
  }
}

/// The reason why a job failed.
package struct JobProblem: Codable, Hashable, Sendable {
  /// The code of the library's error; nil for other errors.
  package let code: String?
  package let detail: String
  package let remedy: String?

  package init(code: String?, detail: String, remedy: String?) {
    (self.code, self.detail, self.remedy) = (code, detail, remedy)
  }
}

/// The state of a job.
package enum JobState: String, Codable, CaseIterable, FieldValue {
  case waiting, running
  /// It ran to completion.
  case done
  case failed
  /// It was cancelled. Work already done is kept.
  case cancelled
  /// The server stopped before it finished, cleanly or not.
  case interrupted

  package var isEnd: Bool { self != .waiting && self != .running }
}

/// The outcome of a finished job, as far as pages show it.
package enum JobOutcome: Codable, Hashable, Sendable {
  case verified(fileCount: Int, byteCount: Int, damageCount: Int)
  case backedUp(fileCount: Int, byteCount: Int, copiedCount: Int, damageCount: Int)
  case recompressed(photoCount: Int, freedByteCount: Int, failureCount: Int)
  case pruned(Pruned)

  /// The photos, entries, plants and files that a prune removed.
  package struct Pruned: Codable, Hashable, Sendable {
    package let photoCount: Int
    /// Entries that are not photos.
    package let entryCount: Int
    package let plantCount: Int
    /// Files that were condemned, moved to the store's trash, or unlinked.
    package let fileCount: Int
    package let freedByteCount: Int
    /// When another run goes on, in milliseconds since 1970; nil unless nothing was removed.
    package let delayedUntil: Int64?
  }
}

extension JobOutcome {
  package init(_ summary: VerifySummary) {
    self = .verified(
      fileCount: summary.blobCount, byteCount: summary.byteCount,
      damageCount: summary.damageCount)
  }

  package init(_ summary: BackupSummary) {
    self = .backedUp(
      fileCount: summary.blobCount, byteCount: summary.byteCount,
      copiedCount: summary.copiedCount, damageCount: summary.damageCount)
  }

  package init(_ totals: RecompressDocument) {
    self = .recompressed(
      photoCount: totals.changed, freedByteCount: totals.formerByteCount - totals.byteCount,
      failureCount: totals.failed)
  }

  package init(_ report: PruneReport) {
    self = .pruned(
      Pruned(
        photoCount: report.purgedPhotoCount, entryCount: report.purgedEntryCount,
        plantCount: report.purgedPlantCount,
        fileCount: report.condemned.count + report.trashed.count + report.unlinked.count,
        freedByteCount: report.unlinked.byteCount,
        delayedUntil: report.delayedUntil?.milliseconds))
  }
}

/// A job. What is not known yet is left out.
package struct JobDocument: Shown {
  package let id: String
  package let kind: String
  package let request: [String: Scalar]
  package let state: JobState
  package let progress: JobProgress?
  package let createdAt: Timestamp
  package let startedAt: Timestamp?
  package let endedAt: Timestamp?
  package let result: JSONNode?
  package let outcome: JobOutcome?
  package let file: JobFile?
  package let problem: JobProblem?
  /// The id of the job that this one retries.
  package let retryOf: String?
  /// Whether whoever sees it may cancel, repeat and remove it.
  package var isControlled = true

  package init(
    id: String, kind: String, request: [String: Scalar], state: JobState, progress: JobProgress?,
    createdAt: Timestamp, startedAt: Timestamp?, endedAt: Timestamp?, result: JSONNode?,
    outcome: JobOutcome?, file: JobFile?, problem: JobProblem?, retryOf: String?
  ) {
    (self.id, self.kind, self.request, self.state) = (id, kind, request, state)
    self.progress = progress
    (self.createdAt, self.startedAt, self.endedAt) = (createdAt, startedAt, endedAt)
    (self.result, self.outcome, self.file) = (result, outcome, file)
    (self.problem, self.retryOf) = (problem, retryOf)
  }

  package static let shown = Fields<JobDocument>([
    Field(adding: "id", .jobID) { $0.id }, Field(adding: "kind", .text) { $0.kind },
    // The request as posted.
    Field(adding: "request", json: { JSONNode(of: $0.request.mapValues { JSONNode(of: $0) }) }),
    Field(adding: "state", .choice) { $0.state },
    Field(adding: "progress", JobProgress.shown) { $0.progress },
    Field(adding: "createdAt", .moment) { $0.createdAt },
    Field(adding: "startedAt", .moment) { $0.startedAt },
    Field(adding: "endedAt", .moment) { $0.endedAt },
    Field(adding: "result", json: { $0.result }),
    Field(adding: "file", JobFile.shown) { $0.file },
    Field(adding: "problem", JobProblem.shown) { $0.problem },
    Field(adding: "retryOf", .jobID) { $0.retryOf },
  ]).named("Job")
}

extension Kind<String> {
  fileprivate static let jobID = Kind(
    .written(TextForm(takes: "16 hexadecimal digits", pattern: "^[0-9a-f]{16}$")))
}

extension JobProgress {
  fileprivate static let shown = Fields<JobProgress>([
    Field(adding: "done", .count) { $0.done }, Field(adding: "total", .count) { $0.total },
    Field(adding: "unit", .choice) { $0.unit }, Field(adding: "current", .text) { $0.current },
  ])
}

extension JobFile {
  fileprivate static let shown = Fields<JobFile>([
    Field(adding: "name", .text) { $0.name },
    Field(adding: "mediaType", .mediaType) { $0.mediaType },
    Field(adding: "byteCount", .byteCount) { $0.byteCount },
  ])
}

extension JobProblem {
  fileprivate static let shown = Fields<JobProblem>([
    Field(adding: "code", .text) { $0.code }, Field(adding: "detail", .text) { $0.detail },
    Field(adding: "remedy", .text) { $0.remedy },
  ])
}
