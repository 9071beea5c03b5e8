package import Documents
package import Leaflog

/// A request for a job of one kind, and the work it asks for.
package protocol JobKind: Sendable {
  /// The name of the kind in requests.
  static var name: String { get }
  /// The unit that its progress counts.
  static var unit: JobProgress.Unit { get }

  /// Reads a request.
  init(_ fields: inout JobFields) throws

  /// Refuses a request that is known to fail, when it is posted and again before it runs.
  func check(in library: Library) throws

  /// Does the work, on a thread that may block. It ends early when the task is cancelled, and reports that in the
  /// result or by `CancellationError`.
  func run(in context: JobContext) async throws -> JobResult
}

extension JobKind {
  package static var unit: JobProgress.Unit { .steps }
  package func check(in library: Library) throws {}
}

/// The result of a job.
package struct JobResult: Sendable {
  let document: JSONValue
  let file: JobFile?
  /// Whether the job ran to completion.
  let isComplete: Bool

  package init(_ document: some Encodable, file: JobFile? = nil, isComplete: Bool = true) {
    self.document = JSONValue(document)
    (self.file, self.isComplete) = (file, isComplete)
  }
}

/// The kinds of jobs that a server accepts.
package struct JobKinds: Sendable {
  package let all: [any JobKind.Type]

  package init(_ all: [any JobKind.Type]) { self.all = all }

  package static let standard = JobKinds([
    VerifyJob.self, PruneJob.self, RecompressJob.self, BackupJob.self, ImportFolderJob.self,
    ExportDiaryJob.self, ReportJob.self, CSVJob.self, TimeLapseJob.self,
  ])

  /// Reads a request: an object with `kind` and the fields of that kind.
  func read(_ request: JSONValue) throws -> any JobKind {
    var fields = try JobFields(request)
    let name = try fields.required("kind", fields.text("kind"))
    guard let kind = all.first(where: { $0.name == name }) else {
      let names = all.map { $0.name }.joined(separator: ", ")
      throw JobFields.refusal("“kind” must be one of \(names).")
    }
    let request = try kind.init(&fields)
    try fields.finish()
    return request
  }
}
