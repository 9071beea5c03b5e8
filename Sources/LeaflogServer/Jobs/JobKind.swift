internal import Fields
package import Leaflog

/// A request for a job of one kind, and the work it asks for.
package protocol JobKind: Sendable {
  /// The document of its result.
  associatedtype Document: Shown

  /// The name of the kind in requests.
  static var name: String { get }
  /// The unit that its progress counts.
  static var unit: JobProgress.Unit { get }

  /// The right to ask for one, and to see one.
  static var right: AccessRight { get }

  /// The fields of its requests, besides `kind`.
  static var fields: [any AnyParameter] { get }

  /// Reads a request.
  init(_ body: BodyReader) throws

  /// Refuses a request that is known to fail, when it is posted and again before it runs.
  func check(in library: Library) throws

  /// Does the work, on a thread that may block. It ends early when the task is cancelled, and reports that in the
  /// result or by `CancellationError`.
  func run(in context: JobContext) async throws -> JobResult<Document>
}

extension JobKind {
  package static var unit: JobProgress.Unit { .steps }
  package static var right: AccessRight { .administer }
  package func check(in library: Library) throws {}

  /// Does the work, and forgets the type of the document, which differs from kind to kind.
  func kept(in context: JobContext) async throws -> (KeptResult, isComplete: Bool) {
    let result = try await run(in: context)
    return (result.kept, result.isComplete)
  }

  fileprivate static var resultSchema: JSONSchema {
    .named("\(name.prefix(1).uppercased())\(name.dropFirst())Result", .answer(Document.self))
  }
}

/// The result of a job. The type of its document is that of the schema in the service's description.
package struct JobResult<Document: Shown>: Sendable {
  let kept: KeptResult
  /// Whether the job ran to completion.
  let isComplete: Bool

  /// - Parameter outcome: the part of the document that pages show.
  package init(
    _ document: Document, _ outcome: JobOutcome? = nil, file: JobFile? = nil,
    isComplete: Bool = true
  ) {
    guard let node = try? JSONNode(parsing: Document.shown.json(document)) else {
      preconditionFailure("what was written can be read")
    }
    kept = KeptResult(document: node, outcome: outcome, file: file)
    self.isComplete = isComplete
  }
}

/// The parts of a result that are kept with the job.
struct KeptResult: Sendable {
  let document: JSONNode
  let outcome: JobOutcome?
  let file: JobFile?
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
  func read(_ request: [String: Scalar]) throws -> any JobKind {
    let name = Self.kind(all.map { $0.name })
    let wanted = try BodyReader(request.filter { $0.key == name.name }, [name]).known(name)
    guard let kind = all.first(where: { $0.name == wanted }) else {
      preconditionFailure("the name was checked")
    }
    return try kind.init(BodyReader(request, [name] + kind.fields))
  }

  /// Whether a scope includes jobs of a kind.
  func includes(_ name: String, in scope: AccessScope) -> Bool {
    scope.includes(all.first { $0.name == name }?.right ?? .administer)
  }

  /// The schemas of the results of all kinds, such as `ExportDiaryResult`.
  var results: [JSONSchema] { all.map { $0.resultSchema } }

  /// The body of a request for a job of any kind.
  var body: Body { Body(oneOf: all.map { Body([Self.kind([$0.name])] + $0.fields) }) }

  private static func kind(_ names: [String]) -> Parameter<String> {
    Parameter("kind", .name(of: names), isRequired: true)
  }
}

extension Kind<String> {
  fileprivate static func name(of names: [String]) -> Kind { Kind(.choice(names)) }
}

extension Parameter<LocalDay> {
  /// The days that an export covers.
  static let firstDay = Parameter("from", .day)
  static let lastDay = Parameter("to", .day)
}

extension Parameter<RecordedTime> {
  /// The days or times that a film covers.
  static let first = Parameter("from", .time)
  static let last = Parameter("to", .time)
}

/// The fields of a job that choose photos by their time of day and their light.
enum HourFields {
  static let between = Parameter<PhotoHours.Span>(
    "between", .hours, "Only photos of this part of the day, over midnight, too.")
  static let at = Parameter<TimeOfDay>(
    "at", .timeOfDay, "One photo a day: the nearest to this time of day within 30 minutes.")
  static let isLight = Parameter<Bool>(
    "light", .flag, standard: false, "Only photos that are not dark.")

  static let all: [any AnyParameter] = [between, at, isLight]

  static func hours(_ body: BodyReader) throws -> PhotoHours {
    var hours = PhotoHours()
    hours.between = try body.value(between)
    hours.at = try body.value(at)
    hours.excludesDark = try body.known(isLight)
    return hours
  }
}

extension TimeOfDay: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

extension PhotoHours.Span: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

private let clockPattern = "([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?"

extension Kind<TimeOfDay> {
  fileprivate static let timeOfDay = Kind(
    .written(TextForm(takes: "a time of day such as 12:00", pattern: "^\(clockPattern)$")))
}

extension Kind<PhotoHours.Span> {
  fileprivate static let hours = Kind(
    .written(
      TextForm(
        takes: "a part of the day such as 08:00-18:00",
        pattern: "^\(clockPattern)-(\(clockPattern)|24:00)$")))
}

/// The environment of a running job.
package struct JobContext: Sendable {
  let id: String
  private let served: Library
  private let files: JobFiles
  /// Updates the progress shown to clients, from any thread.
  package let progress: @Sendable ((inout JobProgress) -> Void) -> Void

  init(
    _ id: String, _ served: Library, _ files: JobFiles,
    progress: @escaping @Sendable ((inout JobProgress) -> Void) -> Void
  ) {
    (self.id, self.served, self.files, self.progress) = (id, served, files, progress)
  }

  /// Shows a share of the work, from 0 to 1, as a percentage.
  package func show(share: Double) {
    progress {
      $0.total = 100
      $0.done = Int(100 * min(1, max(0, share)))
    }
  }

  /// Runs work on the library, newly opened: with the current settings, and for writing even where the server only
  /// reads.
  package func withLibrary<Value>(
    for access: Library.Access, _ body: (Library) async throws -> Value
  ) async throws -> Value {
    try await work(
      on: Library.open(at: served.path, for: access, clock: served.clock, keys: served.storeKeys),
      body)
  }

  /// Opens a library for writing where that is possible, and for reading elsewhere.
  package func withLibraryWritableIfPossible<Value>(
    _ body: (Library) async throws -> Value
  ) async throws -> Value {
    let library: Library
    do {
      library = try Library.open(
        at: served.path, for: .writing, clock: served.clock, keys: served.storeKeys)
    } catch  where [.readOnly, .noSpace].contains(error.code) {
      library = try Library.open(
        at: served.path, for: .reading, clock: served.clock, keys: served.storeKeys)
    }
    return try await work(on: library, body)
  }

  private func work<Value>(
    on library: Library, _ body: (Library) async throws -> Value
  ) async throws -> Value {
    let start = ContinuousClock.now
    let value: Value
    do { value = try await body(library) } catch {
      library.store.takeSnapshotIfDue(afterWorkOf: .now - start)
      try? library.close()
      throw error
    }
    library.store.takeSnapshotIfDue(afterWorkOf: .now - start)
    try library.close()
    return value
  }

  /// The path to write the result file to.
  func resultPath(ending: String) throws -> String {
    try files.newPath(of: Job.storedName(id, ending: ending))
  }

  /// The file that was written to `resultPath`.
  ///
  /// - Parameter name: the name to keep it under, with the same ending.
  func resultFile(name: String, ending: String, mediaType: String) throws -> JobFile {
    let stored = Job.storedName(id, ending: ending)
    files.protect(stored)
    guard let byteCount = files.byteCount(of: stored) else {
      throw LeaflogError(.failed, "The result no longer exists. Run the job again.")
    }
    return JobFile(name: "\(name).\(ending)", mediaType: mediaType, byteCount: byteCount)
  }
}
