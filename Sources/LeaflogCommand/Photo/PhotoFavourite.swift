import ArgumentParser
internal import Leaflog

/// `leaflog photo favourite`
struct PhotoFavourite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Mark photos as favourites.",
    discussion: "`leaflog photo list --favourite` shows them.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws { try FavouriteMark(true, global).validate(chosen.choice, undoing) }
  func run() throws { try FavouriteMark(true, global).run(chosen.choice, undoing) }
}

/// `leaflog photo unfavourite`
struct PhotoUnfavourite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfavourite", abstract: "Take the mark off favourites.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws { try FavouriteMark(false, global).validate(chosen.choice, undoing) }
  func run() throws { try FavouriteMark(false, global).run(chosen.choice, undoing) }
}

/// Marks photos as favourites, or takes the mark off.
private struct FavouriteMark {
  let isFavourite: Bool
  let options: GlobalOptions

  init(_ isFavourite: Bool, _ options: GlobalOptions) {
    (self.isFavourite, self.options) = (isFavourite, options)
  }

  private var kind: ChangeKind { isFavourite ? .photoFavourite : .photoUnfavourite }

  func validate(_ choice: PhotoChoice, _ undoing: UndoOption) throws {
    if undoing.undo { return try choice.validateUndo(of: kind) }
    try choice.validate(options: PhotoChoiceOptions.names)
  }

  func run(_ choice: PhotoChoice, _ undoing: UndoOption) throws {
    let library = try options.openLibrary(for: .writing)
    let report = EditReport(options)
    if undoing.undo { return try report.undo(kind, in: library) }
    try report.tell(
      library.setFavourite(isFavourite, choice.selection(in: library)),
      done: isFavourite ? "Marked" : "Unmarked", kind: kind, in: library)
  }
}
