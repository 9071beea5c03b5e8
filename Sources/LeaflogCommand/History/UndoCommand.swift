import ArgumentParser
internal import Leaflog

/// `leaflog undo`
struct UndoCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo a change.",
    discussion: """
      Without a number, undoes the latest change; repeat to go further back. `leaflog history` lists \
      changes with their numbers, and `leaflog redo` redoes one. A change is undone as a whole, or \
      not at all if something it touched has been changed since.
      """)

  @Argument(
    help: "The change's number. Default: the latest change.",
    completion: .changes(undone: false))
  var change: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let id = try change?.id()
    let library = try context.openLibrary(for: .editing)
    ChangeReport(context).tellUndone(try library.history.undo(id))
    ReminderFolder.follow(library, context).tell(context)
  }
}
