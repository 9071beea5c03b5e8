import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog symptom list`
struct SymptomList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the symptoms of a day or of any span, most recent first.",
    discussion: "Default: today's.")

  @Argument(help: ArgumentHelp("A day: 2026-03-01, yesterday.", valueName: "day"))
  var word: DayArgument?

  @Option(help: "The day, as an option.")
  var on: DayArgument?

  @Option(parsing: .unconditional, help: "Only this symptom.", completion: .symptomNames)
  var name: String?

  @Option(help: "Show counts and mean severity by day, week, month or year instead.")
  var by: BucketUnit?

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if word != nil, on != nil { throw ValidationError("Give only one day.") }
    if day != nil, list.from != nil || list.to != nil || by != nil {
      throw ValidationError("Give a day, or --from, --to and --by.")
    }
  }

  private var day: DayArgument? { word ?? on }

  private var hasSpan: Bool { list.hasSpan || name != nil }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    if let by {
      let buckets = try library.diary.symptomBuckets(
        by: by, name: name, from: list.firstDay(in: library), to: list.lastDay(in: library))
      // The most recent ones, as on a page.
      return tell(Array(buckets.suffix(list.givenLimit ?? buckets.count)), context)
    }
    let shown = try day?.day(in: library) ?? (hasSpan ? nil : library.today)
    let page = try library.diary.symptoms(
      named: name, from: shown ?? list.firstDay(in: library),
      to: shown ?? list.lastDay(in: library),
      at: (list.before ?? list.after).map { .cursor($0) } ?? .start, limit: list.limit)
    list.tell(
      page, in: library, context,
      nothing: shown.map { "No symptoms on \($0)." } ?? nothing)
  }

  private var nothing: String {
    name.map { "No symptom \($0.quoted)" + (list.hasSpan ? " in that span." : " yet.") }
      ?? list.nothing("symptoms")
  }

  private struct BucketDocument: Encodable {
    let bucket: String
    let count: Int
    let averageSeverity: Double
  }

  private func tell(_ buckets: [SymptomBucket], _ context: CommandContext) {
    if global.json {
      let documents = buckets.map {
        BucketDocument(bucket: $0.name, count: $0.count, averageSeverity: $0.averageSeverity.asMean)
      }
      return context.output.print(json: ["buckets": documents])
    }
    if buckets.isEmpty, !global.quiet { return context.error.print(nothing) }
    let chart = BarChart(terminal: context.output.terminal)
    chart.lines(
      buckets.map {
        BarChart.Bar(
          name: $0.name, value: Double($0.count), label: "\($0.count)",
          note: "severity " + Quantities.decimal($0.averageSeverity, digits: 1))
      }
    ).forEach(context.output.print)
  }
}
