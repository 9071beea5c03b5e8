import ArgumentParser
internal import Leaflog

/// `leaflog photo move`
struct PhotoMove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Put photos under another plant.")

  @Argument(help: "Photos by their ids, or the starts of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "The plant that they belong to.", completion: .plants)
  var plant: String?

  @Option(help: "All photos of this plant.", completion: .plants)
  var fromPlant: String?

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  @Flag(help: "Take back the last `photo move`.")
  var undo = false

  @OptionGroup var global: GlobalOptions

  private var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: fromPlant, from: from, to: to)
  }

  func validate() throws {
    if undo { return try choice.validateUndo(of: .photoMove, besides: plant != nil) }
    try choice.validate(options: "--from-plant, --from and --to")
    guard plant != nil else { throw ValidationError("To which plant? Name it with --plant.") }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard !undo, let plant else {
      return try EditReport(global).undo(.photoMove, in: library)
    }
    let target = try library.plant(plant)
    let result = try library.move(choice.selection(in: library), to: target.id)
    try EditReport(global).tell(
      result, done: "Moved", note: " to \(TextLayout.singleLine(target.name))", kind: .photoMove,
      in: library)
  }
}
