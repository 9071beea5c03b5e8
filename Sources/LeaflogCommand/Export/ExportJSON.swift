import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog export json`
struct ExportJSON: LeaflogSubcommand {
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
    let summary = try DiaryExporter(library).writeJSON(to: ExportDestination(output, context))
    DiaryExportText.tell(summary, output, context)
  }
}

extension ExportDestination {
  /// Creates a destination from a file's path, or `-`.
  init(_ output: String, _ context: CommandContext) {
    self = output == "-" ? .stream { context.output.write($0) } : .file(context.path(output))
  }
}

/// Reports the result of an export.
enum DiaryExportText {
  /// Prints nothing if the diary itself went to standard output.
  static func tell(_ summary: DiaryExportSummary, _ path: String, _ context: CommandContext) {
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
