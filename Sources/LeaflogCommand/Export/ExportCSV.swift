import ArgumentParser
internal import Leaflog

/// `leaflog export csv`
struct ExportCSV: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Export the diary as CSV tables, one per kind of entry.",
    discussion: """
      Writes symptoms.csv, daily-logs.csv, episodes.csv, moods.csv, favourite-quotes.csv, \
      completions.csv and activities.csv into a folder, or one of them to a file with --kind. The \
      files are UTF-8, with fields separated by commas. Open them in LibreOffice with "Format quoted \
      field as text", which keeps texts that look like numbers or formulas as they are. List items \
      are separated by semicolons. Photos are exported by `leaflog photo export`; the trash is not \
      exported. `leaflog import-diary` can read the tables.
      """)

  @Option(name: .shortAndLong, help: "The folder; with --kind the file, or - for standard output.")
  var output: String

  @Option(help: "Only symptom, dailyLog, episode, mood, quote, completion or activity.")
  var kind: DiaryCSV?

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
          kind, from: first, to: last, to: ExportDestination(output, context))
      } else {
        try exporter.writeCSV(from: first, to: last, intoFolder: context.path(output))
      }
    DiaryExportText.tell(summary, output, context)
  }
}

extension DiaryCSV: ExpressibleByArgument {}
