import ArgumentParser
internal import Leaflog

/// `leaflog photo export`
struct PhotoExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write photos into a folder, with sidecars.",
    discussion: """
      Names tell plant and time: monstera/2025-04-02_081105.jpg. An XMP sidecar beside each has its \
      date, notes and plant. What lies there already and differs is never overwritten. Without photos \
      or options all of them are exported.
      """)

  @Argument(help: "Photos by their ids, or the starts of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  @Option(name: .shortAndLong, help: "The folder; made when it is missing.", completion: .directory)
  var output: String

  @Flag(help: "Leave out where they were taken.")
  var stripLocation = false

  @Option(help: "best: the exact file where there is one. master: the compressed copy. preview.")
  var rendition = ExportRequest.Quality.best

  @OptionGroup var global: GlobalOptions

  private var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: plant, firstDay: from?.day, lastDay: to?.day)
  }

  func validate() throws {
    if output.isEmpty { throw ValidationError("Into which folder? -o says it.") }
    if !photos.isEmpty { try choice.validate(options: "--plant, --from and --to") }
  }

  func run() async throws {
    let library = try global.openLibrary(for: .reading)
    var request = ExportRequest(try choice.selection(in: library), to: output)
    request.quality = rendition
    request.stripsLocation = stripLocation
    let final = request
    let report = ExportReport(global, folder: output)
    let work = Task { try PhotoExporter(library).run(final) { report.tell($0) } }
    try await Interruption { work.cancel() }.during { try await work.value }
    report.end(isInterrupted: work.isCancelled)
    if work.isCancelled { throw ExitStatus.interrupted.exitCode }
    if report.status != .done { throw report.status.exitCode }
  }
}

extension ExportRequest.Quality: ExpressibleByArgument {}
