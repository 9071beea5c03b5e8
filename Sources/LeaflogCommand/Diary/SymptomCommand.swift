import ArgumentParser
internal import Leaflog

/// `leaflog symptom`
struct SymptomCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symptom", abstract: "Log symptoms, and look back at them.",
    subcommands: [
      SymptomAdd.self, SymptomList.self, EntryShow<SymptomNoun>.self, SymptomEdit.self,
      EntryDelete<SymptomNoun>.self, EntryRestore<SymptomNoun>.self, SymptomNames.self,
    ], defaultSubcommand: SymptomList.self)
}

private enum SymptomNoun: DiaryNoun {
  static let kind = EntryKind.symptom
  static let command = "symptom"
  static let noun = "symptom"
}

extension [String] {
  /// The elements separated by commas; nil when there are none.
  var listed: String? { isEmpty ? nil : joined(separator: ", ") }
}

/// `leaflog symptom add`
private struct SymptomAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Log a symptom.",
    discussion: """
      leaflog symptom add headache --severity moderate --at 14:30 --medication ibuprofen

      Symptoms from more than 48 hours ago need confirmation, or --yes.
      """)

  @Argument(help: "The symptom.", completion: .symptomNames)
  var name: String

  @Option(help: "1 to 5, or mild, moderate or severe; `leaflog settings` defines custom labels.")
  var severity: String?

  @Option(help: "The time: 14:30, 2026-03-01T09:30, or just a day. Default: now.")
  var at: TimeArgument?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @Option(parsing: .unconditionalSingleValue, help: "A medication taken for it; can be repeated.")
  var medication: [String] = []

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard severity != nil else {
      throw ValidationError("Give the severity: --severity with 1 to 5 or a label.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let symptom = Symptom(
      name: name, severity: try library.diary.severityScales().severity(severity ?? ""),
      medications: medication)
    let time = try at?.time(in: library)
    let entry = try Answer.confirming(context, in: library) { confirmed in
      try library.diary.addSymptom(
        symptom, at: time, notes: note, tags: tagging.tag, confirmed: confirmed)
    }
    guard let entry else { return }
    try HealthNotice.show(in: library, context)
    if global.json {
      context.output.print(json: entry)
    } else if !global.quiet {
      TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines([entry])
        .forEach(context.output.print)
    }
  }
}

/// `leaflog symptom edit`
private struct SymptomEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a symptom.",
    discussion: """
      --tag and --medication replace the existing ones; '' removes tags, medications or notes.
      """)

  @Argument(help: "Its id, or a prefix of it.")
  var entry: String

  @Option(parsing: .unconditional, help: "The symptom.", completion: .symptomNames)
  var name: String?

  @Option(help: "1 to 5, or a label.")
  var severity: String?

  @Option(help: "The time: 14:30, 2026-03-01T09:30, or just a day.")
  var at: TimeArgument?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @Option(parsing: .unconditionalSingleValue, help: "A medication taken for it; can be repeated.")
  var medication: [String] = []

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  private var isUnchanged: Bool {
    name == nil && severity == nil && at == nil && note == nil && tagging.tag.isEmpty
      && medication.isEmpty
  }

  func validate() throws {
    guard !isUnchanged else {
      throw ValidationError(
        "Nothing to change. Give at least one of --name, --severity, --at, --note, --tag or "
          + "--medication.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.diary.entry(matching: entry, of: .symptom)
    let felt = try severity.map { try library.diary.severityScales().severity($0) }
    let result = try library.diary.editSymptom(
      found, at: at.map { try $0.time(of: found, in: library) }, notes: note, tags: tagging.tags
    ) { symptom in
      symptom.name = name ?? symptom.name
      symptom.severity = felt ?? symptom.severity
      if !medication.isEmpty { symptom.medications = medication }
    }
    if global.json {
      context.output.print(json: result.changed.first ?? found)
    } else {
      try SymptomNoun.report(context).report(result, done: "Changed", in: library)
    }
  }
}

/// `leaflog symptom list`
private struct SymptomList: LeaflogSubcommand {
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
      return report(Array(buckets.suffix(list.givenLimit ?? buckets.count)), context)
    }
    let shown = try day?.day(in: library) ?? (hasSpan ? nil : library.today)
    let page = try library.diary.symptoms(
      named: name, from: shown ?? list.firstDay(in: library),
      to: shown ?? list.lastDay(in: library),
      at: (list.before ?? list.after).map { .cursor($0) } ?? .start, limit: list.limit)
    list.report(
      page, in: library, context,
      nothing: shown.map { "No symptoms on \($0)." } ?? nothing)
  }

  private var nothing: String {
    name.map { "No symptom \($0.quoted)" + (list.hasSpan ? " in that span." : " yet.") }
      ?? list.nothing("symptoms")
  }

  private func report(_ buckets: [SymptomBucket], _ context: CommandContext) {
    if global.json {
      return context.output.print(json: BucketList(buckets: buckets))
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

/// `leaflog symptom names`
private struct SymptomNames: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "names", abstract: "List logged names, most likely first.")

  @Argument(help: "A prefix of the names.")
  var prefix = ""

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let names = try library.diary.symptomNames(startingWith: prefix, today: library.today)
    if global.json {
      return context.output.print(
        json: Listing(items: names))
    }
    let rows = names.map { name -> [TextTable.Cell] in
      [
        .init(TextLayout.singleLine(name.name)),
        "\(Quantities.count(name.count, "time")), last \(name.lastDay.agoText(on: library.today))",
      ]
    }
    TextTable(context.output.terminal, [.init(limit: 40), .init()], rows).lines
      .forEach(context.output.print)
  }
}
