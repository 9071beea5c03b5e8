import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog history`
struct HistoryCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Changes to the library, most recent first.",
    discussion: """
      Each change has a number: `leaflog undo 17` undoes change 17, and `leaflog redo 17` redoes it.
      """)

  @Option(help: "The number of changes per page, 1 to 1000.")
  var limit = 20

  @Option(help: "Show changes before this number.")
  var before: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...1000).contains(limit) else {
      throw ValidationError("--limit takes 1 to 1000, not \(limit).")
    }
  }

  func run(in context: CommandContext) throws {
    let id = try before?.id()
    let library = try context.openLibrary(for: .reading)
    let history = try library.history.page(before: id, limit: limit)
    if global.json { return context.output.print(json: HistoryDocument(history)) }
    ChangeText(terminal: context.output.terminal, zone: library.timeZone).lines(history.changes)
      .forEach(context.output.print)
    if !global.quiet, let hint = hint(history) { context.error.print(hint) }
  }

  private func hint(_ history: History) -> String? {
    if history.hasMore, let last = history.changes.last {
      return "For more, repeat with --before \(last.id)"
    }
    if history.isCut { return "Older changes are no longer kept, and cannot be undone." }
    guard history.changes.isEmpty else { return nil }
    return before == nil ? "Nothing has been changed yet." : "There are no earlier changes."
  }

}
