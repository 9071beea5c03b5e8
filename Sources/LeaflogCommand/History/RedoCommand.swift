import ArgumentParser
internal import Leaflog

/// `leaflog redo`
struct RedoCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo an undone change.",
    discussion: """
      Without a number, redoes the change that was undone last. `leaflog history` lists changes with \
      their numbers.
      """)

  @Argument(
    help: "The change's number. Default: the one undone last.",
    completion: .changes(undone: true))
  var change: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let id = try change?.id()
    let library = try context.openLibrary(for: .editing)
    ChangeReport(context).tellRedone(try library.history.redo(id))
    ReminderFolder.follow(library, context).tell(context)
  }
}
