import ArgumentParser
internal import Leaflog

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
