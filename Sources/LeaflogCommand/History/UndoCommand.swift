import ArgumentParser
internal import Leaflog

/// `leaflog undo`
struct UndoCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take a change back.",
    discussion: """
      Without a number, the latest change that is not undone: repeated, it goes one further back. \
      `leaflog history` shows the changes with their numbers, `leaflog redo` makes one again. A \
      change is undone as a whole, or not at all when what it touched was changed again since.
      """)

  @Argument(
    help: "The change's number. The latest change, unless given.",
    completion: .changes(undone: false))
  var change: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let id = try change?.id()
    let library = try context.openLibrary(for: .editing)
    ChangeReport(context).tellUndone(try library.history.undo(id))
  }
}
