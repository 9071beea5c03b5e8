import ArgumentParser
internal import Leaflog

/// `leaflog photo delete`
struct PhotoDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Put photos into the trash.",
    discussion: "`leaflog photo restore` takes them out, `leaflog timeline --deleted` shows them.")

  @Argument(help: "Photos by their ids, or the starts of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  @Flag(help: "Take back the last `photo delete`.")
  var undo = false

  @OptionGroup var global: GlobalOptions

  private var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: plant, firstDay: from?.day, lastDay: to?.day)
  }

  func validate() throws {
    if undo { return try choice.validateUndo(of: .photoDelete) }
    try choice.validate(options: "--plant, --from and --to")
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let edits = PhotoEdits(global)
    if undo { return try edits.undo(.photoDelete, in: library) }
    let selection = try choice.selection(in: library)
    let going = try library.photos(selection).filter { $0.deletedAt == nil }
    let question = "Put \(Quantities.count(going.count, "photo")) into the trash?"
    switch going.isEmpty ? .yes : Confirmation.ask(question, global) {
    case .yes:
      // What was asked for is what goes, whatever else came in meanwhile.
      try edits.tell(
        library.delete(.photos(going.map(\.id))), done: "Put", note: " into the trash",
        kind: .photoDelete)
    case .dryRun: edits.tellDryRun(going, would: "Would put", note: "into the trash")
    case .no: break
    }
  }
}
