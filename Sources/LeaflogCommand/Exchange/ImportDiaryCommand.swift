import ArgumentParser
internal import Leaflog

/// `leaflog import-diary`
struct ImportDiaryCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import-diary", abstract: "Import an exported diary, without photos.",
    discussion: """
      Reads the output of `leaflog export json` and `leaflog export csv`, and the JSON of the \
      activity tracker Okie. Everything is imported, or nothing. Entries whose id the library \
      already has stay unchanged; plants and activities are also matched by name. A day that already \
      has a log, a mood or a completion of an activity accepts no second one.

      --merge skip keeps such days unchanged; --merge replace replaces them, and entries with the \
      same id, with those in the file. In both cases, entries identical to existing ones are not \
      imported again.
      """)

  @Argument(
    help: "A .json or .csv file; - reads standard input.",
    completion: .file(extensions: ["json", "csv"]))
  var file: String

  @Option(help: "What to do with days that already exist: skip or replace.")
  var merge: DiaryMerge?

  @Flag(help: "Show what would be imported, without changing anything.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writing)
    let importer = DiaryImporter(library)
    report(
      file == "-"
        ? try importer.read(
          context.process.input.bytes(), named: "standard input", merge: merge, isDryRun: dryRun)
        : try importer.read(context.path(file), merge: merge, isDryRun: dryRun), context)
  }

  private func report(_ report: DiaryImportReport, _ context: CommandContext) {
    if global.json { return context.output.print(json: report) }
    for warning in report.warnings { context.error.print("leaflog: \(warning)") }
    guard !global.quiet else { return }
    lines(of: report).forEach(context.output.print)
  }

  private func lines(of report: DiaryImportReport) -> [String] {
    var lines: [String] = []
    if let separator = report.separator, separator != .comma {
      lines.append("The columns are separated by \(separator.name)s.")
    }
    let added = Self.listed(report.added)
    let replaced = Self.listed(report.replaced)
    if added.isEmpty {
      lines.append(report.isDryRun ? "Nothing would be added." : "Nothing was added.")
    } else {
      lines.append(report.isDryRun ? "Would add \(added)." : "Added \(added).")
    }
    if !replaced.isEmpty {
      lines.append(report.isDryRun ? "Would replace \(replaced)." : "Replaced \(replaced).")
    }
    if !report.isDryRun, !added.isEmpty || !replaced.isEmpty {
      lines[lines.count - 1] += " `leaflog undo` undoes it."
    }
    let present = Self.listed(report.present)
    if !present.isEmpty { lines.append("Already present: \(present).") }
    if report.repeatedCount > 0 {
      let days = Quantities.count(report.repeatedCount, "completion")
      lines.append("Skipped \(days) on days that already had one.")
    }
    if !report.ignoredFields.isEmpty {
      let fields = report.ignoredFields.map { TextLayout.singleLine($0) }.joined(separator: ", ")
      lines.append("Ignored unsupported fields: \(fields).")
    }
    if report.isDryRun { lines.append("Nothing was changed.") }
    return lines
  }

  private static func listed(_ counts: [DiaryImportReport.Part: Int]) -> String {
    Quantities.listing(
      DiaryImportReport.Part.all.compactMap { part in counts[part].map { part.counted($0) } })
  }
}

extension DiaryMerge: ExpressibleByArgument {}

extension DiaryImportReport.Part {
  /// `3 daily logs`
  fileprivate func counted(_ count: Int) -> String {
    switch self {
    case .activity: Quantities.count(count, "activity")
    case .factor: Quantities.count(count, "factor")
    case .plant: Quantities.count(count, "plant")
    case .quote: Quantities.count(count, "quote")
    case .setting: Quantities.count(count, "setting")
    case .entry(.quote): Quantities.count(count, "favourite quote")
    case .entry(let kind): Quantities.count(count, kind.words)
    }
  }
}
