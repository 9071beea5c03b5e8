internal import Documents
internal import Leaflog

/// Writes one table of the diary as CSV.
struct CSVJob: JobKind {
  static let name = "csv"

  private let table: DiaryCSV
  private let firstDay: LocalDay?
  private let lastDay: LocalDay?

  init(_ fields: inout JobFields) throws {
    table = try fields.required("table", fields.choice("table"))
    firstDay = try fields.day("from")
    lastDay = try fields.day("to")
    if table == .activity, firstDay != nil || lastDay != nil {
      throw JobFields.refusal("Activities have no dates; omit “from” and “to”.")
    }
  }

  func run(in context: JobContext) async throws -> JobResult {
    try await context.withLibrary(for: .reading) { library in
      let path = try context.resultPath(ending: "csv")
      let summary = try DiaryExporter(library).writeCSV(
        table, from: firstDay, to: lastDay, to: .file(path))
      return JobResult(
        DiaryExportDocument(summary, path: nil),
        file: try context.resultFile(
          name: String(table.fileName.dropLast(".csv".count)), ending: "csv",
          mediaType: "text/csv; charset=utf-8; header=present"))
    }
  }
}
