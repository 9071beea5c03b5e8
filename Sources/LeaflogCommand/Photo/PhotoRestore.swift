import ArgumentParser
internal import Leaflog

/// `leaflog photo restore`
struct PhotoRestore: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore photos from the trash.",
    discussion: "A deleted plant is restored with its photos.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    try EditReport(context).tell(
      library.photos.restore(chosen.choice.selection(in: library, deleted: true)),
      done: "Restored", note: " from the trash", in: library)
  }
}
