import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog import`
struct ImportCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import folders of photos into the library.",
    discussion: """
      Folders are searched recursively; the name of a photo's folder becomes its plant. The files \
      are left unchanged. Running it again skips unchanged files and completes an interrupted import.
      """)

  enum PlantFrom: String, ExpressibleByArgument, CaseIterable { case folder, path, none }

  @Argument(help: "Folders and files.", completion: .file())
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Also import the folders and files that a file lists, one per line; - is standard input.",
      valueName: "file"), completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "With --files-from, the list's names end with NUL, as `find -print0` writes them.")
  var endsWithNUL = false

  @Option(help: "The plant shown in all of them.", completion: .plants)
  var plant: String?

  @Option(
    help:
      "How to assign plants: folder (by the folder's name), path (by the names of all folders below those given) or none."
  )
  var plantFrom = PlantFrom.folder

  @Option(help: "How to store these photos: compact, lossless or exact.")
  var policy: StoragePolicy?

  @Option(parsing: .unconditional, help: "Notes for photos without any.")
  var note: String?

  @Option(
    help: "The capture time of all photos; just a day keeps each photo's time of day.")
  var at: TimeArgument?

  @Option(help: "The time zone of photos that do not record one.")
  var assumeTimeZone: TimeZoneArgument?

  @Flag(
    help: "Also restore trashed photos that are found in folders, not only files named here."
  )
  var restoreDeleted = false

  @Flag(help: "Follow links to folders; links named on the command line are always followed.")
  var followLinks = false

  @Flag(
    help: "Also search hidden folders, and the bins and thumbnails of other programs.")
  var all = false

  @Flag(
    help: "Take what has changed in files and sidecars over into photos that are known.")
  var update = false

  @Flag(help: "Show what would be imported, without changing anything.")
  var dryRun = false

  @Flag(help: "Delete each file once its exact bytes are safe (not with the policy compact).")
  var move = false

  @Option(help: "The number of photos to process in parallel.")
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The memory that it may take, at least 128MB. Default: what the machine allows.",
      valueName: "size"))
  var memory: MemoryArgument?

  @Flag(help: "Keep running, and import new files once they are complete.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "With --watch, how often all folders are searched. Default: 1m on shares, 1h elsewhere.",
      valueName: "duration"))
  var every: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Import into the library of a service; photos are prepared on this machine if the token includes the diary.",
      valueName: "url"))
  var to: String?

  @Option(
    help:
      "With --to, a file that contains the access token. Default: LEAFLOG_TOKEN.",
    completion: .file())
  var tokenFile: String?

  @Option(
    name: .customLong("ca"),
    help: "With --to, a PEM file with the certificate authority of the service.",
    completion: .file())
  var authorities: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if paths.isEmpty, filesFrom == nil {
      throw ValidationError("Missing expected argument '<paths> ...'")
    }
    if endsWithNUL, filesFrom == nil {
      throw ValidationError("-0 can only be used with --files-from.")
    }
    if to == nil, tokenFile != nil || authorities != nil {
      throw ValidationError("--token-file and --ca can only be used with --to.")
    }
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes 1 or more, not \(jobs).") }
    if let every {
      if !watch { throw ValidationError("--every can only be used with --watch.") }
      if every.duration < .seconds(1) { throw ValidationError("--every takes a second or more.") }
    }
    if update, to != nil { throw ValidationError("--update and --to cannot be used together.") }
    if update, dryRun {
      throw ValidationError("--update and --dry-run cannot be used together.")
    }
    if watch, dryRun { throw ValidationError("--watch and --dry-run cannot be used together.") }
  }

  func run(in context: CommandContext) async throws {
    memory?.apply()
    let paths = (paths + (try listed(context))).map(context.path)
    try checkPaths(paths)
    if watch { try Importer.checkWatched(paths) }
    let destination = try openDestination(context)
    let request = try makeRequest(paths, for: destination)
    let report = ImportReport(context, isDryRun: dryRun)
    let importer = destination.importer
    let interruption = context.process.interruption()
    let work = interruption.start { () -> ImportSummary in
      report.begin(request)
      guard watch else { return try await importer.run(request) { report.report($0) } }
      return try await importer.watch(request, every: every?.duration) { report.report($0) }
    }
    let summary = try await interruption.value(of: work)
    report.end(summary)
    if case .library(let library) = destination { try library.close() }
    let status = exitStatus(summary, isLocked: report.hasMetLock)
    if status != .done { throw status.exitCode }
  }

  /// The folders and files that `--files-from` lists. Bytes that are no UTF-8 are escaped in them.
  private func listed(_ context: CommandContext) throws -> [String] {
    guard let filesFrom else { return [] }
    let list =
      filesFrom == "-"
      ? try context.process.input.bytes() : try GivenFile.bytes(of: context.path(filesFrom))
    return list.split(separator: endsWithNUL ? 0 : UInt8(ascii: "\n")).map {
      FileNameText.text(of: $0)
    }
  }

  /// The destination of the photos.
  private enum Destination: Sendable {
    case library(Library)
    case service(RemoteLibrary)

    var importer: Importer {
      switch self {
      case .library(let library): Importer(library)
      case .service(let library): Importer(library)
      }
    }

    var time: any LibraryTime {
      switch self {
      case .library(let library): library
      case .service(let library): library
      }
    }
  }

  private func makeRequest(
    _ paths: [String], for destination: Destination
  ) throws -> ImportRequest {
    var request = ImportRequest(paths: paths)
    if let plant {
      request.plant = .named(plant)
    } else {
      request.plant =
        switch plantFrom {
        case .folder: .folder
        case .path: .path
        case .none: .none
        }
    }
    request.policy = policy
    request.note = note
    request.time = try at?.captureTime(in: destination.time)
    request.assumedTimeZone = assumeTimeZone?.zone
    request.readmission = restoreDeleted ? .all : .named
    request.followsLinks = followLinks
    request.takesAll = all
    request.updatesPhotos = update
    request.isDryRun = dryRun
    request.movesFiles = move
    if let jobs { request.jobCount = jobs }
    return request
  }

  /// Checks that there is anything to import, before a library is created for it. Of several paths, the existing ones
  /// are imported, and the others are reported.
  private func checkPaths(_ paths: [String]) throws {
    guard !paths.isEmpty, !paths.contains(where: isThere) else { return }
    let names = paths.map { "“\(TextLayout.singleLine($0))”" }
    throw LeaflogError(
      .notFound, "There is nothing at \(Quantities.listing(names)). Nothing was done.")
  }

  /// Whether there is a file. A dangling link counts: it is reported with its reason.
  private func isThere(_ path: String) -> Bool { FileNameText.isThere(path) }

  private func openDestination(
    _ context: CommandContext
  ) throws -> Destination {
    guard let to else { return .library(try openOrCreate(context)) }
    let remote = try RemoteLibrary(
      to, token: token(context), authorities: authorities.map(context.path),
      clock: context.process.clock)
    context.warn(of: remote)
    if remote.takesFiles, !global.quiet { context.error.print(Self.notice(of: remote)) }
    return .service(remote)
  }

  /// The notice that a token does not include the diary.
  private static func notice(of remote: RemoteLibrary) -> String {
    let former = remote.wasPrepare ? " `--may prepare` is gone, and is read as `--may send`." : ""
    return
      "This token does not include the diary.\(former) So files go as they are, with the date and the caption of their "
      + "sidecars, but not the keywords. A token made with `--may diary` lets this machine prepare them."
  }

  /// The token does not come from an option, which everybody on the machine could see.
  private func token(_ context: CommandContext) throws -> String? {
    guard let tokenFile else { return context.process.environment["LEAFLOG_TOKEN"] }
    guard let data = FileManager.default.contents(atPath: context.path(tokenFile)) else {
      throw LeaflogError(.notFound, "\(tokenFile) cannot be read.")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Opens or creates the library. A dry run without a library uses a temporary one.
  private func openOrCreate(_ context: CommandContext) throws -> Library {
    let path = context.libraryPath
    if Library.exists(at: path) {
      let library = try Library.open(
        at: path, clock: context.process.clock, origin: context.typed, keys: context.storeKeys)
      context.noteOwn(library)
      context.warn(of: library)
      context.warnOfShare(of: library)
      return library
    }
    // A library that is expected there may be on a disk that is away.
    if move || watch {
      do throws(LeaflogError) { try Library.open(at: path, for: .reading).close() } catch {
        guard error.code == .noLibrary else { throw error }
        throw LeaflogError(
          .noLibrary,
          "There is no Leaflog library at \(path), and \(move ? "--move" : "--watch") creates none.",
          remedy: .mountOrInit)
      }
    }
    try context.checkPlaceOfNew(at: path, isNamed: context.namedLibraryPath != nil)
    if dryRun {
      let settings = Library.Settings(timeZone: try context.process.timeZone())
      return try Library.temporary(settings, clock: context.process.clock)
    }
    let library = try context.createLibrary(
      at: path,
      Library.Settings(
        policy: policy ?? .compact, timeZone: try context.process.timeZone(), isTimeZoneGuess: true)
    )
    context.noteOwn(library)
    // Even under --quiet: it may be at another place than was meant.
    context.error.print("Created a library in \(library.path).")
    return library
  }

  private func exitStatus(_ summary: ImportSummary, isLocked: Bool) -> ExitStatus {
    if summary.isInterrupted { return watch && summary.failed > 0 ? .partlyDone : .interrupted }
    if summary.failed == 0 { return .done }
    let isSomethingDone = summary.added + summary.duplicate + summary.restored + summary.updated > 0
    return isSomethingDone ? .partlyDone : isLocked ? .locked : .failed
  }
}
