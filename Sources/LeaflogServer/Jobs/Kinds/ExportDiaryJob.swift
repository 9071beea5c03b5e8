internal import Documents
internal import Leaflog

/// Writes everything but the photos as JSON, from which the same diary can be recreated.
struct ExportDiaryJob: JobKind {
  static let name = "exportDiary"

  init(_ fields: inout JobFields) throws {}

  func run(in context: JobContext) async throws -> JobResult {
    try await context.withLibrary(for: .reading) { library in
      let path = try context.resultPath(ending: "json")
      let summary = try DiaryExporter(library).writeJSON(to: .file(path))
      return JobResult(
        DiaryExportDocument(summary, path: nil),
        file: try context.resultFile(
          name: "\(library.name)-diary-\(library.today)", ending: "json",
          mediaType: "application/json"))
    }
  }
}
