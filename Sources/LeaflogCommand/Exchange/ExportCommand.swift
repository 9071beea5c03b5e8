import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the diary for a doctor, a calendar, or another program.",
    subcommands: [
      ExportPDF.self, ExportCSV.self, ExportJSON.self, ExportCalendar.self,
    ])
}

/// `leaflog export json`
private struct ExportJSON: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "json", abstract: "Export everything except the photos as JSON.",
    discussion: """
      `leaflog import-diary` recreates the same diary from it, including the trash. Photos are not \
      included: use `leaflog photo export` for them, or `leaflog backup` for everything.
      """)

  @Option(name: .shortAndLong, help: "The file, or - for standard output.", completion: .file())
  var output: String

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("Give the output file with -o.") }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let summary = try DiaryExporter(library).writeJSON(into: ExportDestination(output, context))
    DiaryExportText.report(summary, output, context)
  }
}

extension ExportDestination {
  /// Creates a destination from a file's path, or `-`.
  init(_ output: String, _ context: CommandContext) {
    self = output == "-" ? .stream { context.output.write($0) } : .file(context.path(output))
  }
}

/// Reports the result of an export.
private enum DiaryExportText {
  /// Prints nothing if the diary itself went to standard output.
  static func report(_ summary: DiaryExportSummary, _ path: String, _ context: CommandContext) {
    guard path != "-" else { return }
    if context.options.json {
      return context.output.print(json: DiaryExportDocument(summary, path: path))
    }
    guard !context.options.quiet else { return }
    let rows = summary.rowCounts.map { counts in
      Quantities.count(counts.values.reduce(0, +), "row")
    }
    context.output.print(
      "Wrote \(rows ?? Quantities.entries(summary.entryCount)), "
        + "\(Quantities.bytes(summary.byteCount)), to \(TextLayout.singleLine(path)).")
  }
}

/// `leaflog export csv`
private struct ExportCSV: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Export the diary as CSV tables, one per kind of entry.",
    discussion: """
      Writes \(DiaryCSV.ofDiary.map(\.fileName).joined(separator: ", ")) \
      into a folder, or one of them to a file with --kind. The files are UTF-8, with fields \
      separated by commas. Open them in LibreOffice with "Format quoted field as text", which \
      keeps texts that look like numbers or formulas as they are. List items are separated by \
      semicolons. The trash is not exported. `leaflog import-diary` can read the tables.

      --kind photo writes a row for each photo, which other programs can join with their measurements: \
      its plant, the moment in UTC, the name of its file, its digest and more. It is not imported; \
      the photos themselves are exported by `leaflog photo export`.
      """)

  @Option(name: .shortAndLong, help: "The folder; with --kind the file, or - for standard output.")
  var output: String

  @Option(help: "Only \(alternatives(DiaryCSV.allCases.map(\.rawValue))).")
  var kind: DiaryCSV?

  @Option(help: "With --kind, only entries of this plant: a name or an id.", completion: .plants)
  var plant: String?

  @Option(help: "The first day to export.")
  var from: DayArgument?

  @Option(help: "The last day to export.")
  var to: DayArgument?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("Give the output folder with -o.") }
    if output == "-", kind == nil {
      throw ValidationError("Standard output takes only one table. Name it with --kind.")
    }
    if plant != nil, kind == nil {
      throw ValidationError("--plant takes one kind of entry. Name it with --kind.")
    }
    if plant != nil, kind == .activity {
      throw ValidationError("Only entries can be chosen by their plant; omit --plant.")
    }
    if kind == .activity, from != nil || to != nil {
      throw ValidationError("Activities have no dates; omit --from and --to.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let exporter = DiaryExporter(library)
    let (first, last) = (try from?.firstDay(in: library), try to?.lastDay(in: library))
    let summary =
      if let kind {
        try exporter.writeCSV(
          kind, of: try plant.map { try library.plants.reference(matching: $0).id }, from: first,
          to: last,
          into: ExportDestination(output, context))
      } else {
        try exporter.writeCSV(from: first, to: last, intoFolder: context.path(output))
      }
    DiaryExportText.report(summary, output, context)
  }
}

extension DiaryCSV: ExpressibleByArgument {}

/// `leaflog export pdf`
private struct ExportPDF: LeaflogSubcommand {
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

  @Option(help: "The language of the report: en, de, or with a region, such as de-AT.")
  var language: ReportLanguage = .english

  @OptionGroup var global: GlobalOptions

  func validate() throws { try destination.validate(json: global.json) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let insights = try span.insights(of: library)
    let made = try library.insights.doctorReport(insights, language: language)
    try destination.write(
      made.document, context,
      report: ReportDocument(made, of: insights, path: destination.output),
      text: "\(insights.firstDay) to \(insights.lastDay), "
        + "\(Quantities.count(made.pageCount, "page")), \(Quantities.bytes(made.document.bytes.count))"
    )
  }
}

extension ReportLanguage: ExpressibleByArgument {
  static var allValueStrings: [String] { known }
}

/// `leaflog export ics`
private struct ExportCalendar: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "ics",
    abstract: "Export reminders and due activities for a calendar application.",
    discussion: """
      Contains the daily reminder, if it is on, and each activity with an interval on its due days. \
      Import it again after a change: events are replaced, not duplicated.
      """)

  @OptionGroup var destination: DocumentOutput

  @Flag(help: "Also the days on which activities were done.")
  var completions = false

  @OptionGroup var global: GlobalOptions

  private struct Made: Shown {
    let path: String
    let eventCount: Int
    let byteCount: Int

    static let shown = Fields<Made>([
      Field(adding: "path", .text) { $0.path },
      Field(adding: "eventCount", .count) { $0.eventCount },
      Field(adding: "byteCount", .byteCount) { $0.byteCount },
    ])
  }

  func validate() throws { try destination.validate(json: global.json) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let made = try library.insights.calendar(today: library.today, hasCompletions: completions)
    try destination.write(
      made.document, context,
      report: Made(
        path: destination.output, eventCount: made.eventCount,
        byteCount: made.document.bytes.count),
      text: Quantities.count(made.eventCount, "event"))
  }
}

/// The destination of an exported document: a file, or standard output.
struct DocumentOutput: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The file to write, or - for standard output. An existing file is replaced.",
    completion: .file())
  var output: String

  var isStandardOutput: Bool { output == "-" }

  /// - Throws: when the document and its report would be mixed.
  func validate(json: Bool) throws {
    if output.isEmpty { throw ValidationError("Give the output file with -o.") }
    if isStandardOutput, json {
      throw ValidationError("-o - and --json both write to standard output. Omit one of them.")
    }
  }

  /// - Parameters:
  ///   - report: the result for `--json`.
  ///   - text: the result for people, after the file's name.
  func write(
    _ document: GeneratedDocument, _ context: CommandContext, report: some Shown, text: String
  ) throws {
    if isStandardOutput {
      context.output.write(document.bytes)
    } else {
      try document.write(to: context.path(output))
      if context.options.json {
        context.output.print(json: report)
      } else if !context.options.quiet {
        context.output.print("Wrote \(TextLayout.singleLine(output)): \(text).")
      }
    }
    Self.warn(ofMissing: document.missingGlyphCount, context)
  }

  /// Tells which packages have the fonts that a document lacks.
  static func warn(ofMissing count: Int, _ context: CommandContext) {
    guard count > 0 else { return }
    let are =
      count == 1
      ? "is drawn as a box, because no installed font has it"
      : "are drawn as boxes, because no installed font has them"
    context.error.print(
      "\(Quantities.count(count, "character")) \(are). On Debian, `apt-get install fonts-noto-core "
        + "fonts-noto-cjk fonts-noto-color-emoji` covers nearly all scripts.")
  }
}
