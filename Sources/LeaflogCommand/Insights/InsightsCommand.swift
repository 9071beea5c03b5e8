import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog insights`
struct InsightsCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Show statistics on recent episodes, symptoms and daily logs.",
    discussion: """
      Frequency and duration of episodes, symptoms, weekly averages, and the logs of the seven days \
      before each episode compared with the last sixty days without one. \(Insights.disclaimer)
      """)

  @OptionGroup var span: SpanOptions

  @Option(help: "Write them as SVG charts into this folder instead.", completion: .directory)
  var svg: String?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let insights = try span.insights(of: context.openLibrary(for: .reading))
    if let svg { return try InsightsPictures(insights: insights, folder: svg).write(context) }
    if global.json { return context.output.print(json: InsightsDocument(insights)) }
    InsightsText(insights: insights, terminal: context.output.terminal).lines.forEach(
      context.output.print)
  }
}
