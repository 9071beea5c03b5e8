internal import Documents
internal import Leaflog

/// Checks that everything is there and undamaged.
struct VerifyJob: JobKind {
  static let name = "verify"
  static let unit = JobProgress.Unit.percent

  /// Reads every byte.
  private let isFull: Bool

  init(_ fields: inout JobFields) throws { isFull = try fields.flag("full") }

  private struct Result: Encodable {
    let summary: VerifyDocument
    let damage: [DamageDocument]
  }

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
      Result(summary: VerifyDocument(summary), damage: damage), isComplete: summary.isComplete)
  }
}

extension Array {
  /// Adds an element to a list in a job's result, unless the list is already too long to be kept.
  mutating func note(_ element: Element) {
    if count < 200 { append(element) }
  }
}
