import ArgumentParser
internal import Leaflog

/// `leaflog export json`
struct ExportJSON: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "json", abstract: "Everything but the photos, as JSON.",
    discussion: """
      `leaflog import-diary` makes the same diary of it again, trash included. Photos and the entries \
      that they are do not come with it: `leaflog photo export` writes them, and `leaflog backup` keeps \
      everything.
      """)

  @Option(name: .shortAndLong, help: "The file; - is standard output.", completion: .file())
  var output: String

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("Into which file? Name it with -o.") }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let summary = try DiaryExporter(library).writeJSON(to: ExportDestination(output, context))
    DiaryExportText.tell(summary, output, context)
  }
}

extension ExportDestination {
  /// A file's path, or `-`.
  init(_ output: String, _ context: CommandContext) {
    self = output == "-" ? .stream { context.output.write($0) } : .file(context.path(output))
  }
}

/// Tells the result of an export.
enum DiaryExportText {
  private struct Document: Encodable {
    let path: String
    let byteCount: Int
    let entries: Int
    let rows: [String: Int]?
  }

  /// Nothing where the diary itself went to standard output.
  static func tell(_ summary: DiaryExportSummary, _ path: String, _ context: CommandContext) {
    guard path != "-" else { return }
    if context.options.json {
      let rows = summary.rowCounts.map { counts in
        Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
      }
      return context.output.print(
        json: Document(
          path: path, byteCount: summary.byteCount, entries: summary.entryCount, rows: rows))
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
