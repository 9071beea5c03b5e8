package import Documents
internal import Leaflog

/// The diary as files, made by jobs and downloaded.
package struct ExportPage: Screen {
  package static let template = "export"

  /// The kinds of jobs that make files of the diary.
  package static let kinds = ["report", "csv", "exportDiary"]

  let page: PageFrame
  let problem: PageProblem?
  let hasJobs: Bool
  let jobs: [JobRow]
  let periods: [Option]
  let tables: [Option]

  /// - Parameter jobs: all jobs, newest first.
  package init(_ context: PageContext, jobs: [JobDocument], refusal: Refusal? = nil) throws {
    let words = context.words
    let reader = FieldReader(refusal, words)
    page = try context.frame(words["export"], at: .me)
    problem = context.problem(refusal)
    self.jobs = jobs.filter { Self.kinds.contains($0.kind) }.map { JobRow($0, in: context) }
    hasJobs = !self.jobs.isEmpty
    periods = reader.options(
      "days", reader.text("days", nil) ?? "90",
      Periods.all.map { ("\($0)", context.reader.count("daysCount", $0)) })
    tables = reader.options(
      "table", nil, DiaryCSV.allCases.map { ($0.rawValue, words["table.\($0.rawValue)"]) })
  }
}
