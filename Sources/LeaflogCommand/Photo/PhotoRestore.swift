import ArgumentParser
internal import Leaflog

/// `leaflog photo restore`
struct PhotoRestore: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Take photos out of the trash.",
    discussion: "A plant that was deleted comes back with its photos.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    try EditReport(context).tell(
      library.photos.restore(chosen.choice.selection(in: library, deleted: true)), done: "Took",
      note: " out of the trash", in: library)
  }
}
