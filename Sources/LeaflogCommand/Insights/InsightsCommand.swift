import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog insights`
struct InsightsCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Episodes, symptoms and daily logs of the last days, counted and drawn.",
    discussion: """
      How often and how long, which symptoms, how the weeks went, and what was logged in the seven days \
      before each episode, beside the last sixty days without any. \(Insights.disclaimer)
      """)

  @OptionGroup var span: SpanOptions

  @Option(help: "Draw them instead, as SVG pictures in this folder.", completion: .directory)
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
