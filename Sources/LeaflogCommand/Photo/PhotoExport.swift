import ArgumentParser
internal import Leaflog

/// `leaflog photo export`
struct PhotoExport: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export photos into a folder, with sidecars.",
    discussion: """
      File names contain the plant and time: monstera/2025-04-02_081105.jpg. An XMP sidecar beside \
      each has its date, notes and plant. Existing files that differ are never overwritten. Without \
      photos or options, all photos are exported.
      """)

  @OptionGroup var chosen: PhotoChoiceOptions

  @Option(name: .shortAndLong, help: "The folder; created if missing.", completion: .directory)
  var output: String

  @Flag(help: "Omit location metadata.")
  var stripLocation = false

  @Option(help: "best: the exact file if available; master: the compressed copy; preview.")
  var rendition = ExportRequest.Quality.best

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("Give the output folder with -o.") }
    if !chosen.photos.isEmpty { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  }

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .reading)
    var request = ExportRequest(try chosen.choice.selection(in: library), to: context.path(output))
    request.quality = rendition
    request.stripsLocation = stripLocation
    let final = request
    let report = ExportReport(context, folder: output)
    let interruption = context.process.interruption()
    let work = interruption.start { try PhotoExporter(library).run(final) { report.tell($0) } }
    try await interruption.value(of: work)
    report.end(isInterrupted: work.isCancelled)
    if work.isCancelled { throw ExitStatus.interrupted.exitCode }
    if report.status != .done { throw report.status.exitCode }
  }
}

extension ExportRequest.Quality: ExpressibleByArgument {}
