import ArgumentParser
internal import Leaflog

/// `leaflog export csv`
struct ExportCSV: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Tables of the diary as CSV, one for each kind of entry.",
    discussion: """
      Into a folder go symptoms.csv, daily-logs.csv, episodes.csv, moods.csv, favourite-quotes.csv, \
      completions.csv and activities.csv; with --kind, one of them into a file. The files are UTF-8 with \
      commas between fields. Open them in LibreOffice with "Format quoted field as text", which keeps \
      texts that look like numbers or formulas as they are. Lists have semicolons between. Photos are \
      written by `leaflog photo export`; what is in the trash is left out. `leaflog import-diary` reads \
      the tables too.
      """)

  @Option(name: .shortAndLong, help: "The folder; with --kind the file, or - for standard output.")
  var output: String

  @Option(help: "Only symptom, dailyLog, episode, mood, quote, completion or activity.")
  var kind: DiaryCSV?

  @Option(help: "The first day to write.")
  var from: DayArgument?

  @Option(help: "The last day to write.")
  var to: DayArgument?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("Into which folder? Name it with -o.") }
    if output == "-", kind == nil {
      throw ValidationError("Which table? Name it with --kind: standard output takes only one.")
    }
    if kind == .activity, from != nil || to != nil {
      throw ValidationError("Activities have no day: leave out --from and --to.")
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
