import ArgumentParser
internal import Leaflog

/// `leaflog photo restore`
struct PhotoRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Take photos out of the trash.",
    discussion: "A plant that was deleted comes back with its photos.")

  @OptionGroup var chosen: PhotoChoiceOptions

  @Flag(help: "Take back the last `photo restore`.")
  var undo = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if undo { return try chosen.choice.validateUndo(of: .photoRestore) }
    try chosen.choice.validate(options: PhotoChoiceOptions.names)
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    if undo { return try EditReport(global).undo(.photoRestore, in: library) }
    try EditReport(global).tell(
      library.restore(chosen.choice.selection(in: library, deleted: true)), done: "Took",
      note: " out of the trash", kind: .photoRestore, in: library)
  }
}
