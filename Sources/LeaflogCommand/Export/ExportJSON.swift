import ArgumentParser
internal import Leaflog

/// `leaflog export json`
struct ExportJSON: ParsableCommand {
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

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let summary = try DiaryExporter(library).writeJSON(to: ExportDestination(argument: output))
    DiaryExportText.tell(summary, output, global)
  }
}

extension ExportDestination {
  /// A file's path, or `-`.
  init(argument: String) { self = argument == "-" ? .standardOutput : .file(argument) }
}

/// Tells what an export wrote.
enum DiaryExportText {
  private struct Document: Encodable {
    let path: String
    let byteCount: Int
    let entries: Int
    let rows: [String: Int]?
  }

  /// What goes to standard output is not to be mixed with anything.
  static func tell(_ summary: DiaryExportSummary, _ path: String, _ options: GlobalOptions) {
    guard path != "-" else { return }
    if options.json {
      let rows = summary.rowCounts.map { counts in
        Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
      }
      return Output.result(
        JSON.line(
          Document(
            path: path, byteCount: summary.byteCount, entries: summary.entryCount, rows: rows)))
    }
    guard !options.quiet else { return }
    let rows = summary.rowCounts.map { counts in
      Quantities.count(counts.values.reduce(0, +), "row")
    }
    Output.result(
      "Wrote \(rows ?? Quantities.entries(summary.entryCount)), "
        + "\(Quantities.bytes(summary.byteCount)), to \(TextLayout.singleLine(path)).")
  }
}
