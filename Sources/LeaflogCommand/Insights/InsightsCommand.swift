import ArgumentParser
internal import Leaflog

/// `leaflog insights`
struct InsightsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Episodes, symptoms and daily logs of the last days, counted and drawn.",
    discussion: """
      How often and how long, which symptoms, how the weeks went, and what was logged in the seven days \
      before each episode, beside the last sixty days without any. \(Insights.disclaimer)
      """)

  @Option(help: "How many days, today among them: 30, 90, 365 or any number up to 3660.")
  var days = 90

  @Option(help: "Draw them instead, as SVG pictures in this folder.", completion: .directory)
  var svg: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard Library.insightsDays.contains(days) else {
      throw ValidationError("--days takes 1 to 3660, not \(days).")
    }
  }

  func run() throws {
    let insights = try global.openLibrary(for: .reading).insights(days: days, today: .today)
    if let svg { return try InsightsPictures(insights: insights, folder: svg).write(global) }
    if global.json { return Output.result(JSON.line(InsightsDocument(insights))) }
    InsightsText(insights: insights, terminal: .output).lines.forEach(Output.result)
  }
}
