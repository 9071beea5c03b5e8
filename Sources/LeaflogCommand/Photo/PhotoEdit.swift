import ArgumentParser
internal import Documents
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

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !photos.isEmpty else { throw ValidationError("Give the ids of the photos.") }
    guard note != nil || !tagging.tag.isEmpty || at != nil else {
      throw ValidationError("Nothing to change. Give at least one of --note, --tag or --at.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let choice = PhotoChoice(ids: photos, plant: nil, from: nil, to: nil)
    let selection = try choice.selection(in: library)
    let result = try library.photos.edit(
      selection, notes: note, tags: tagging.tags, allowFuture: allowFuture
    ) { photo in try at.map { try $0.captureTime(of: photo, in: library) } }
    if global.json, case .photos(let ids) = selection, ids.count == 1 {
      let edited = try result.changed.first ?? library.diary.entry(ids[0].description)
      context.output.print(json: EntryDocument(edited))
    } else {
      try EditReport(context).tell(result, done: "Changed", in: library)
    }
  }
}
