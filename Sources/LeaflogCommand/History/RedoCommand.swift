import ArgumentParser
internal import Leaflog

/// `leaflog redo`
struct RedoCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make a change again that was undone.",
    discussion: """
      Without a number, the change that was undone last. `leaflog history` shows the changes with \
      their numbers.
      """)

  @Argument(
    help: "The change's number. The one undone last, unless given.",
    completion: .changes(undone: true))
  var change: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let id = try change?.id()
    let library = try context.openLibrary(for: .editing)
    ChangeReport(context).tellRedone(try library.history.redo(id))
  }
}
