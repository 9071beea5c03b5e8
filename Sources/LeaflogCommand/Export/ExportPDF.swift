import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog export pdf`
struct ExportPDF: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pdf",
    abstract: "Export episodes, symptoms and daily logs as a PDF report for a doctor.",
    discussion: """
      Episodes with dates, durations and notes, the frequency of each symptom, severity over time, \
      averages of sleep, stress and exercise, sugar, and every symptom entry, on A4. Covers the last \
      90 days by default. `leaflog settings set report.name NAME` puts a name on it. \(Insights.disclaimer)
      """)

  @OptionGroup var destination: DocumentOutput
  @OptionGroup var span: SpanOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try destination.validate(json: global.json) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let insights = try span.insights(of: library)
    let made = try library.insights.doctorReport(insights)
    try destination.write(
      made.document, context,
      report: ReportDocument(made, of: insights, path: destination.output),
      text: "\(insights.firstDay) to \(insights.lastDay), "
        + "\(Quantities.count(made.pageCount, "page")), \(Quantities.bytes(made.document.bytes.count))"
    )
  }
}
