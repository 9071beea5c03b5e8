import ArgumentParser
internal import Documents
internal import Fields
internal import Leaflog

/// `leaflog activity delete`
struct ActivityDelete: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an activity and move its completions to the trash.",
    discussion: """
      Asks for confirmation. `leaflog undo` restores the activity and its completions; `leaflog \
      activity restore` with any of its completions does so too.
      """)

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @OptionGroup var global: GlobalOptions

  private struct Deleted: Shown {
    let activity: ActivityDocument
    let answer: Answer

    static let shown = Fields<Deleted>(
      ActivityDocument.shown.all.map { $0.shown { $0.activity } } + [
        Field(adding: "dryRun", .flag) { $0.answer == .dryRun ? true : nil },
        Field(adding: "reason", .text) { $0.answer.reason },
      ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.activities.named(activity)
    let document = try ActivityDocument(found, in: library)
    let count = found.completionCount
    let title = ActivityText.title(found)
    let completions = Quantities.count(count, "completion")
    let going = title + (count == 0 ? "" : " and move \(completions) to the trash")
    let answer = Answer.ask("Delete \(going)?", context)
    if answer == .yes { try library.activities.delete(found.id) }
    if global.json {
      context.output.print(json: Deleted(activity: document, answer: answer))
    } else if answer == .dryRun {
      context.output.print("Would delete \(going). \(Answer.hint)")
    } else if answer == .yes, !global.quiet {
      let moved = count == 0 ? "" : " and moved \(completions) to the trash"
      context.output.print("Deleted \(title)\(moved). `leaflog undo` undoes it.")
    }
    try answer.checkAnswered()
  }
}
