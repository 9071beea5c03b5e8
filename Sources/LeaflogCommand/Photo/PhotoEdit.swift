import ArgumentParser
internal import Leaflog

/// `leaflog photo edit`
struct PhotoEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the notes, tags or times of photos.",
    discussion: "`leaflog tag add` and `remove` change one tag and leave the others.")

  @Argument(help: "The ids of photos, or prefixes of them.", completion: .photos)
  var photos: [String] = []

  @Option(parsing: .unconditional, help: "Their notes; '' removes them.")
  var note: String?

  @Option(
    help: ArgumentHelp(
      "The capture time: 2026-03-01T09:30, optionally with an offset, or just a day, a month or a "
        + "year."))
  var at: TimeArgument?

  @OptionGroup var tagging: TagOptions

  @Flag(help: "Accept a time in the future.")
  var allowFuture = false

  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !photos.isEmpty else { throw ValidationError("Give the ids of the photos.") }
    guard note != nil || !tagging.tag.isEmpty || at != nil else {
      throw ValidationError("Nothing to change. Give at least one of --note, --tag or --at.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let choice = PhotoChoice(ids: photos, plant: nil, from: nil, to: nil)
    let selection = try choice.selection(in: library)
    let result = try library.photos.edit(
      selection, notes: note, tags: tagging.tags, confirmed: allowFuture ? [.future] : []
    ) { photo in try at.map { try $0.captureTime(of: photo, in: library) } }
    if global.json, case .photos(let ids) = selection, ids.count == 1 {
      let edited = try result.changed.first ?? library.diary.entry(ids[0])
      context.output.print(json: edited)
    } else {
      try EditReport(context, isVerbose: verbosity.verbose).report(
        result, done: "Changed", in: library)
    }
  }
}

/// `leaflog photo redate`
struct PhotoRedate: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "redate", abstract: "Correct the times of photos.",
    discussion: """
      --shift moves wall times and leaves offsets as they are. --time-zone sets the zone of a clock \
      that did not record one: wall times are kept and get the zone's offset; recorded offsets are \
      kept. --source takes the time from the library's metadata, or from a sidecar beside the \
      imported file.
      """)

  @Argument(help: "The ids of photos, or prefixes of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day or time and later.")
  var from: BoundArgument?

  @Option(help: "Photos up to this day or time.")
  var to: BoundArgument?

  @Option(parsing: .unconditional, help: "The clock was wrong by this: 1h, -2d, 1h30m.")
  var shift: DurationArgument?

  @Option(help: "The clock's zone, e.g. Europe/Berlin.")
  var timeZone: TimeZoneArgument?

  @Option(help: "Take the time from exif, filename, sidecar or mtime.")
  var source: Redating.Source?

  @Flag(help: "Accept times in the future.")
  var allowFuture = false

  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  private var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: plant, from: from, to: to)
  }

  private var redatings: [Redating] {
    [
      shift.map { .shift($0.duration) }, timeZone.map { .timeZone($0.zone) },
      source.map { .source($0) },
    ].compactMap { $0 }
  }

  func validate() throws {
    guard redatings.count == 1 else {
      throw ValidationError("Give one of --shift, --time-zone and --source.")
    }
    try choice.validate(options: "--plant, --from and --to")
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let result = try library.photos.redate(
      choice.selection(in: library), redatings[0], confirmed: allowFuture ? [.future] : [])
    try EditReport(context, isVerbose: verbosity.verbose).report(
      result, done: "Redated", in: library)
  }
}

extension Redating.Source: ExpressibleByArgument {}

/// `leaflog photo move`
struct PhotoMove: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Assign photos to another plant, or to none.")

  @Argument(help: "The ids of photos, or prefixes of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "The plant to assign them to.", completion: .plants)
  var plant: String?

  @Flag(help: "Remove them from their plant.")
  var noPlant = false

  @Option(help: "All photos of this plant.", completion: .plants)
  var fromPlant: String?

  @Option(help: "Photos of this day or time and later.")
  var from: BoundArgument?

  @Option(help: "Photos up to this day or time.")
  var to: BoundArgument?

  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  private var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: fromPlant, from: from, to: to)
  }

  func validate() throws {
    try choice.validate(options: "--from-plant, --from and --to")
    guard (plant != nil) != noPlant else {
      throw ValidationError("Give the plant with --plant, or --no-plant.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let target = try plant.map { try library.plants.reference(matching: $0) }
    let result = try library.photos.move(choice.selection(in: library), to: target?.id)
    let note = target.map { " to \(TextLayout.singleLine($0.name))" } ?? " to no plant"
    try EditReport(context, isVerbose: verbosity.verbose).report(
      result, done: "Moved", note: note, in: library)
  }
}

/// `leaflog photo favourite`
struct PhotoFavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Mark photos as favourites.",
    discussion: "`leaflog photo list --favourite` shows them.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  func run(in context: CommandContext) throws {
    try chosen.choice.mark(true, EditReport(context, isVerbose: verbosity.verbose), context)
  }
}

/// `leaflog photo unfavourite`
struct PhotoUnfavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unfavourite", abstract: "Unmark favourite photos.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  func run(in context: CommandContext) throws {
    try chosen.choice.mark(false, EditReport(context, isVerbose: verbosity.verbose), context)
  }
}

extension PhotoChoice {
  /// Marks photos as favourites, or removes the mark.
  fileprivate func mark(
    _ isFavourite: Bool, _ report: EditReport, _ context: CommandContext
  ) throws {
    let library = try context.openLibrary(for: .writingSerially)
    try report.report(
      library.photos.setFavourite(isFavourite, for: selection(in: library)),
      done: isFavourite ? "Marked" : "Unmarked", in: library)
  }
}

/// `leaflog photo delete`
struct PhotoDelete: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Move photos to the trash.",
    discussion: "`leaflog photo restore` restores them; `leaflog timeline --deleted` lists them.")

  @OptionGroup var chosen: PhotoChoiceOptions

  @Option(help: "All photos that this change has added, but not those edited later.")
  var change: ChangeNumber?

  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if change == nil {
      try chosen.choice.validate(options: PhotoChoiceOptions.names + " or --change")
    } else if !chosen.choice.isEmpty {
      throw ValidationError("--change takes neither ids nor other options for photos.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let edits = EditReport(context, isVerbose: verbosity.verbose)
    let selection: PhotoSelection =
      try change.map { .photos(try library.history.uneditedPhotos(of: $0.id())) }
      ?? chosen.choice.selection(in: library)
    let going = try library.photos.entries(selection).filter { $0.deletedAt == nil }
    let question = "Move \(Quantities.count(going.count, "photo")) to the trash?"
    switch going.isEmpty ? .yes : edits.ask(question, going, in: library) {
    case .yes:
      // The photos that were confirmed are deleted, whatever has been added in the meantime.
      try edits.report(
        library.photos.delete(.photos(going.map(\.id))), done: "Moved", note: " to the trash",
        in: library)
    case .dryRun:
      try edits.reportUnanswered(going, would: "Would move", note: "to the trash", in: library)
    case .no: break
    }
  }
}

/// `leaflog photo restore`
struct PhotoRestore: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore photos from the trash.",
    discussion: "A deleted plant is restored with its photos.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var verbosity: VerbosityOption
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    try EditReport(context, isVerbose: verbosity.verbose).report(
      library.photos.restore(chosen.choice.selection(in: library, deleted: true)),
      done: "Restored", note: " from the trash", in: library)
  }
}
