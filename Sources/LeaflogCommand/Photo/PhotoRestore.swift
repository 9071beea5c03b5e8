import ArgumentParser
internal import Leaflog

/// `leaflog photo restore`
struct PhotoRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Take photos out of the trash.",
    discussion: "A plant that was deleted comes back with its photos.")

  @Argument(help: "Photos by their ids, or the starts of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  @Flag(help: "Take back the last `photo restore`.")
  var undo = false

  @OptionGroup var global: GlobalOptions

  private var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: plant, firstDay: from?.day, lastDay: to?.day)
  }

  func validate() throws {
    if undo { return try choice.validateUndo(of: .photoRestore) }
    try choice.validate(options: "--plant, --from and --to")
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    if undo { return try PhotoEdits(global).undo(.photoRestore, in: library) }
    try PhotoEdits(global).tell(
      library.restore(choice.selection(in: library, deleted: true)), done: "Took",
      note: " out of the trash", kind: .photoRestore)
  }
}
