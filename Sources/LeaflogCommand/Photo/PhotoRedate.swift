import ArgumentParser
internal import Leaflog

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

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  @Option(parsing: .unconditional, help: "The clock was wrong by this: 1h, -2d, 1h30m.")
  var shift: DurationArgument?

  @Option(help: "The clock's zone, e.g. Europe/Berlin.")
  var timeZone: TimeZoneArgument?

  @Option(help: "Take the time from exif, filename, sidecar or mtime.")
  var source: Redating.Source?

  @Flag(help: "Accept times in the future.")
  var allowFuture = false

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
    let library = try context.openLibrary(for: .editing)
    let result = try library.photos.redate(
      choice.selection(in: library), redatings[0], allowFuture: allowFuture)
    try EditReport(context).tell(result, done: "Redated", in: library)
  }
}

extension Redating.Source: ExpressibleByArgument {}
