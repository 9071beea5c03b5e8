import ArgumentParser
internal import Leaflog

/// `leaflog symptom list`
struct SymptomList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "The symptoms of a day, or of any span, most recent first.",
    discussion: "Today's, unless a day or a span is given.")

  @Argument(help: "A day: 2026-03-01, yesterday.")
  var day: DayArgument?

  @Option(help: "Only this symptom.", completion: .symptomNames)
  var name: String?

  @Option(help: "How often and how strong, by day, week, month or year instead.")
  var by: BucketUnit?

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if day != nil, list.from != nil || list.to != nil || by != nil {
      throw ValidationError("Give a day, or --from, --to and --by.")
    }
  }

  private var hasSpan: Bool { list.from != nil || list.to != nil || name != nil }

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    if let by {
      return tell(
        try library.symptomBuckets(
          by: by, name: name, from: list.firstDay(in: library), to: list.lastDay(in: library)))
    }
    let shown = try day?.day(in: library) ?? (hasSpan ? nil : library.today)
    let page = try library.symptoms(
      named: name, from: shown ?? list.firstDay(in: library),
      to: shown ?? list.lastDay(in: library),
      at: (list.before ?? list.after).map { .cursor($0) } ?? .start, limit: list.limit)
    list.tell(
      page, in: library, global,
      nothing: shown.map { "No symptoms on \($0)." } ?? "No symptoms in that span.")
  }

  private struct BucketDocument: Encodable {
    let bucket: String
    let count: Int
    let averageSeverity: Double
  }

  private func tell(_ buckets: [SymptomBucket]) {
    if global.json {
      let documents = buckets.map {
        BucketDocument(bucket: $0.name, count: $0.count, averageSeverity: $0.averageSeverity)
      }
      return Output.result(JSON.line(["buckets": documents]))
    }
    if buckets.isEmpty, !global.quiet { return Output.error("No symptoms in that span.") }
    let chart = BarChart(terminal: .output)
    chart.lines(
      buckets.map {
        BarChart.Bar(
          name: $0.name, value: Double($0.count), label: "\($0.count)",
          note: "severity " + Quantities.decimal($0.averageSeverity, digits: 1))
      }
    ).forEach(Output.result)
  }
}
