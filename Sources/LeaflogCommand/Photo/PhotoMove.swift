import ArgumentParser
internal import Leaflog

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

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

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
    let library = try context.openLibrary(for: .editing)
    let target = try plant.map { try library.plants.reference($0) }
    let result = try library.photos.move(choice.selection(in: library), to: target?.id)
    let note = target.map { " to \(TextLayout.singleLine($0.name))" } ?? " to no plant"
    try EditReport(context).tell(result, done: "Moved", note: note, in: library)
  }
}
