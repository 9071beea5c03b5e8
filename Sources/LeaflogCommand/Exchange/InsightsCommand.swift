import ArgumentParser
internal import Fields
internal import Foundation
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
    if global.json { return context.output.print(json: insights) }
    InsightsText(insights: insights, terminal: context.output.terminal).lines.forEach(
      context.output.print)
  }
}

/// The span of days that insights or a report cover.
struct SpanOptions: ParsableArguments {
  @Option(help: "The first day: 2026-03-01, or a month.")
  var from: DayArgument?

  @Option(help: "The last day. Default: today.")
  var to: DayArgument?

  @Option(help: "The number of days, including the last. Default: 90, unless --from is given.")
  var days: Int?

  func validate() throws {
    if from != nil, days != nil { throw ValidationError("Give --from or --days, not both.") }
    if let days, !LibraryInsights.dayCounts.contains(days) {
      throw ValidationError(
        "--days takes 1 to \(LibraryInsights.dayCounts.upperBound) days, not \(days).")
    }
  }

  func insights(of library: Library) throws -> Insights {
    let last = try to?.lastDay(in: library) ?? library.today
    guard let first = try from?.firstDay(in: library) else {
      return try library.insights.compute(days: days ?? 90, today: last)
    }
    guard first <= last else {
      throw LeaflogError(
        .invalidRequest, "--from, \(first), is later than the last day, \(last).")
    }
    return try library.insights.compute(days: last.dayNumber - first.dayNumber + 1, today: last)
  }
}

/// The charts of a span as files.
private struct InsightsPictures {
  let insights: Insights
  /// The folder to write to; created if missing.
  let folder: String

  private struct Made: Shown {
    let paths: [String]
    let missingGlyphCount: Int

    static let shown = Fields<Made>([
      Field(adding: "paths", .texts) { $0.paths },
      Field(adding: "missingGlyphCount", .count) { $0.missingGlyphCount },
      Field(adding: "disclaimer", .text) { _ in Insights.disclaimer },
    ])
  }

  func write(_ context: CommandContext) throws {
    let place = context.path(folder)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    var paths: [String] = []
    var missing = 0
    for picture in InsightsPicture.allCases {
      let document = try insights.svg(picture)
      let path = "\(folder)/\(picture.rawValue).svg"
      try document.write(to: context.path(path))
      paths.append(path)
      missing += document.missingGlyphCount
    }
    if context.options.json {
      context.output.print(json: Made(paths: paths, missingGlyphCount: missing))
    } else if !context.options.quiet {
      for path in paths { context.output.print("Wrote \(TextLayout.singleLine(path))") }
      context.output.print(Insights.disclaimer)
    }
    DocumentOutput.warn(ofMissing: missing, context)
  }
}
