import ArgumentParser
internal import Leaflog

/// `leaflog photo favourite`
struct PhotoFavourite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Mark photos as favourites.",
    discussion: "`leaflog photo list --favourite` shows them.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  func run() throws { try chosen.choice.mark(true, global) }
}

/// `leaflog photo unfavourite`
struct PhotoUnfavourite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfavourite", abstract: "Take the mark off favourites.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }
  func run() throws { try chosen.choice.mark(false, global) }
}

extension PhotoChoice {
  /// Marks them as favourites, or takes the mark off.
  fileprivate func mark(_ isFavourite: Bool, _ options: GlobalOptions) throws {
    let library = try options.openLibrary(for: .writing)
    try EditReport(options).tell(
      library.setFavourite(isFavourite, selection(in: library)),
      done: isFavourite ? "Marked" : "Unmarked", in: library)
  }
}
