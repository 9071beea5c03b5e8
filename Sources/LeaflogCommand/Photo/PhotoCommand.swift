import ArgumentParser
internal import Fields
internal import Leaflog
internal import Synchronization

/// `leaflog photo`
struct PhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: "List, correct, move, delete and export photos.",
    subcommands: [
      PhotoList.self, PhotoShow.self, PhotoEdit.self, PhotoFavourite.self, PhotoUnfavourite.self,
      PhotoMove.self, PhotoRedate.self, PhotoDelete.self, PhotoRestore.self, PhotoExport.self,
    ])
}

/// The photos selected for a command: some by id, or all that match.
struct PhotoChoice {
  let ids: [String]
  let plant: String?
  let from: BoundArgument?
  let to: BoundArgument?
  var tags: [String] = []
  var isFavourite = false

  private var hasFilter: Bool {
    plant != nil || from != nil || to != nil || !tags.isEmpty || isFavourite
  }

  /// Whether no photos are selected.
  var isEmpty: Bool { ids.isEmpty && !hasFilter }

  /// - Throws: when both ways are used, or neither; `options` names those of the second.
  func validate(options: String) throws {
    if !ids.isEmpty, hasFilter {
      throw ValidationError("Give either ids or \(options), not both.")
    }
    if ids.isEmpty, !hasFilter {
      throw ValidationError("No photos selected. Give their ids, or use \(options).")
    }
  }

  /// The selected photos; `deleted` selects from the trash.
  func selection(in library: Library, deleted: Bool = false) throws -> PhotoSelection {
    if !ids.isEmpty {
      var seen: Set<EntryID> = []
      return .photos(
        try ids.map { try library.photos.entry(matching: $0).id }.filter {
          seen.insert($0).inserted
        })
    }
    var query = TimelineQuery(
      plant: try plant.map {
        try library.plants.reference(matching: $0, among: deleted ? .undeletedFirst : .undeleted).id
      },
      kinds: [.photo], tags: tags, isFavourite: isFavourite, order: .oldestFirst, deleted: deleted)
    query.first = try from?.first(in: library)
    query.last = try to?.last(in: library)
    return .matching(query)
  }
}

/// The arguments of commands that take photos by id, or all that match.
struct PhotoChoiceOptions: ParsableArguments {
  @Argument(help: "The ids of photos, or prefixes of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day or time and later.")
  var from: BoundArgument?

  @Option(help: "Photos up to this day or time.")
  var to: BoundArgument?

  @OptionGroup var filter: TagFilterOptions

  static let names = "--plant, --from, --to, --tag and --favourite"

  var choice: PhotoChoice {
    PhotoChoice(
      ids: photos, plant: plant, from: from, to: to, tags: filter.tag,
      isFavourite: filter.favourite)
  }
}

/// `leaflog photo list`
private struct PhotoList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Photos, most recent first, a page at a time.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: TimelineOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if options.pictures { try global.allowPictures("--pictures") }
  }

  func run(in context: CommandContext) throws {
    try TimelineReport(options: options, context: context).report([.photo], isChosen: false)
  }
}

/// `leaflog photo show`
private struct PhotoShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all details of a photo.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: ShowOptions

  var global: GlobalOptions { options.global }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    try PhotoText(library: library, context: context).report(
      library.photos.find(matching: options.photo), drawn: options.picture)
  }
}

/// `leaflog photo export`
private struct PhotoExport: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export photos into a folder, with sidecars.",
    discussion: """
      File names contain the plant and time: monstera/2025-04-02_081105.jpg. An XMP sidecar beside \
      each has its date, notes and plant. Without photos or options, all photos are exported. A \
      photo keeps its name in later exports into the same folder. Files that somebody else has put \
      or changed there are never overwritten or deleted.
      """)

  @OptionGroup var chosen: PhotoChoiceOptions

  @OptionGroup var hourOptions: HourOptions

  @Option(name: .shortAndLong, help: "The folder; created if missing.", completion: .directory)
  var output: String

  @Flag(help: "Omit location metadata.")
  var stripLocation = false

  @Flag(help: "Replace the files of photos that have changed since they were exported.")
  var update = false

  @Flag(help: "Delete the files of photos that are no longer selected.")
  var delete = false

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
    request.hours = hourOptions.hours
    request.quality = rendition
    request.stripsLocation = stripLocation
    request.replacesOutdated = update
    request.deletesOthers = delete
    let final = request
    let report = ExportReport(context, folder: output)
    try await context.run(report) {
      let summary = try PhotoExporter(library).run(final) { report.report($0) }
      report.report(summary.others)
      return summary.isInterrupted
    }
  }
}

extension ExportRequest.Quality: ExpressibleByArgument {}

/// Reports the progress of an export: a line of JSON for each photo, or the failures and a summary.
private final class ExportReport: WorkReport {
  private struct Counts: Shown {
    var written = 0
    var updated = 0
    var unchanged = 0
    var outdated = 0
    var failed = 0
    var unselected = 0
    var deleted = 0
    var byteCount = 0
    var interrupted: Bool?

    static let shown = Fields<Counts>([
      Field(adding: "written", .count) { $0.written },
      Field(adding: "updated", .count) { $0.updated },
      Field(adding: "unchanged", .count) { $0.unchanged },
      Field(adding: "outdated", .count) { $0.outdated },
      Field(adding: "failed", .count) { $0.failed },
      Field(adding: "unselected", .count) { $0.unselected },
      Field(adding: "deleted", .count) { $0.deleted },
      Field(adding: "byteCount", .byteCount) { $0.byteCount },
      Field(adding: "interrupted", .flag) { $0.interrupted },
    ])
  }

  private struct Line: Shown {
    var photo: EntryID
    var path: String?
    var outcome: String
    var message: String?
    var remedy: String?
    var byteCount: Int?

    static let shown = Fields<Line>([
      Field(adding: "photo", .id) { $0.photo }, Field(adding: "path", .text) { $0.path },
      Field(
        adding: "outcome",
        .oneOf("written", "updated", "unchanged", "outdated", "failed", "unselected", "deleted")
      ) { $0.outcome },
      Field(adding: "message", .text) { $0.message }, Field(adding: "remedy", .text) { $0.remedy },
      Field(adding: "byteCount", .byteCount) { $0.byteCount },
    ])
  }

  private let context: CommandContext
  private let folder: String
  private let counts = Mutex(Counts())

  init(_ context: CommandContext, folder: String) {
    self.context = context
    self.folder = folder
  }

  func report(_ outcome: ExportOutcome) {
    var line = Line(
      photo: outcome.entry.id, path: outcome.path, outcome: "written",
      byteCount: outcome.byteCount)
    counts.withLock { counts in
      switch outcome.result {
      case .written:
        counts.written += 1
        counts.byteCount += outcome.byteCount
      case .updated:
        counts.updated += 1
        counts.byteCount += outcome.byteCount
        line.outcome = "updated"
      case .unchanged:
        counts.unchanged += 1
        line.outcome = "unchanged"
      case .outdated:
        counts.outdated += 1
        (line.outcome, line.byteCount) = ("outdated", nil)
      case .failed(let message):
        counts.failed += 1
        (line.outcome, line.message, line.byteCount) = ("failed", message, nil)
      case .placeStays(let message):
        counts.failed += 1
        (line.outcome, line.message, line.byteCount) = ("failed", message, nil)
        line.remedy =
          outcome.isPlaceInWords
          ? "Edit them first: leaflog photo edit."
          : "Export its preview instead: --rendition preview."
      }
    }
    if context.options.json {
      context.output.print(json: line)
    } else if let message = line.message {
      let text = [message, line.remedy].compactMap { $0 }.joined(separator: " ")
      context.error.print("\(outcome.entry.id.short): \(TextLayout.singleLine(text))")
    }
  }

  /// The photos that are no longer selected: all as JSON, otherwise the first few.
  func report(_ others: [UnselectedExport]) {
    counts.withLock {
      $0.deleted = others.count { $0.result == .deleted }
      $0.failed += others.count { $0.failure != nil }
      $0.unselected = others.count { $0.result == .kept }
    }
    if context.options.json {
      for other in others {
        var line = Line(
          photo: other.photo, path: other.path,
          outcome: other.result == .deleted ? "deleted" : "unselected")
        if let failure = other.failure { (line.outcome, line.message) = ("failed", failure) }
        context.output.print(json: line)
      }
      return
    }
    for other in others {
      guard let failure = other.failure else { continue }
      context.error.print("\(other.photo.short): \(TextLayout.singleLine(failure))")
    }
    guard !context.options.quiet else { return }
    let named = others.filter { $0.failure == nil }
    for other in named.prefix(10) {
      let verb = other.result == .deleted ? "Deleted" : "No longer selected:"
      context.output.print("\(verb) \(TextLayout.singleLine(other.path))")
    }
    if named.count > 10 { context.output.print("and \(named.count - 10) more; --json lists all.") }
  }

  func end(isInterrupted: Bool) {
    var counts = counts.withLock { $0 }
    if context.options.json {
      counts.interrupted = isInterrupted ? true : nil
      context.output.print(summary: counts)
    } else if !context.options.quiet {
      context.output.print(sentences(counts, isInterrupted: isInterrupted).joined(separator: " "))
    }
  }

  private func sentences(_ counts: Counts, isInterrupted: Bool) -> [String] {
    func photos(_ count: Int) -> String { Quantities.count(count, "photo") }
    let place = TextLayout.singleLine(folder)
    var parts: [String] = []
    if counts.written > 0 || counts.updated + counts.unchanged + counts.outdated == 0 {
      let isAll = counts.updated == 0
      parts.append(
        "Wrote \(photos(counts.written))\(isAll ? ", " + Quantities.bytes(counts.byteCount) + "," : "") "
          + "to \(place).")
    }
    if counts.updated > 0 { parts.append("Updated \(photos(counts.updated)).") }
    if counts.unchanged > 0 { parts.append("\(photos(counts.unchanged)) already existed.") }
    if counts.outdated > 0 {
      parts.append(
        "\(photos(counts.outdated)) changed since; --update replaces \(counts.outdated == 1 ? "its" : "their") files."
      )
    }
    if counts.unselected > 0 {
      parts.append(
        "\(photos(counts.unselected)) in \(place) \(counts.unselected == 1 ? "is" : "are") not selected; "
          + "--delete removes \(counts.unselected == 1 ? "it" : "them").")
    }
    if counts.deleted > 0 { parts.append("Deleted \(photos(counts.deleted)).") }
    if counts.failed > 0 {
      parts.append(
        "\(counts.failed) could not be \(counts.deleted > 0 ? "processed" : "exported"); see above."
      )
    }
    if isInterrupted { parts.append("Interrupted. Run it again to continue.") }
    return parts
  }

  var status: ExitStatus {
    counts.withLock {
      $0.failed == 0
        ? .done
        : $0.written + $0.updated + $0.unchanged + $0.outdated > 0 ? .partlyDone : .failed
    }
  }
}

extension UnselectedExport {
  /// Why its files could not be deleted.
  fileprivate var failure: String? {
    if case .failed(let message) = result { message } else { nil }
  }
}
