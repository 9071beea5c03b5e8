import ArgumentParser
internal import Leaflog

/// `leaflog photo favourite`
struct PhotoFavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Mark photos as favourites.",
    discussion: "`leaflog photo list --favourite` shows them.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  func run(in context: CommandContext) throws { try chosen.choice.mark(true, context) }
}

/// `leaflog photo unfavourite`
struct PhotoUnfavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unfavourite", abstract: "Unmark favourite photos.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  func run(in context: CommandContext) throws { try chosen.choice.mark(false, context) }
}

extension PhotoChoice {
  /// Marks photos as favourites, or removes the mark.
  fileprivate func mark(_ isFavourite: Bool, _ context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    try EditReport(context).tell(
      library.photos.setFavourite(isFavourite, selection(in: library)),
      done: isFavourite ? "Marked" : "Unmarked", in: library)
  }
}
