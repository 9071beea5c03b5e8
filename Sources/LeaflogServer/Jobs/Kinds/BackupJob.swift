internal import Documents
internal import Leaflog

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

  private struct Result: Encodable {
    let summary: BackupDocument
    let damage: [DamageDocument]
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
        Result(summary: BackupDocument(summary), damage: damage),
        isComplete: !summary.isInterrupted)
    }
  }
}
