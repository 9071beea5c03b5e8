import ArgumentParser
internal import Leaflog

/// `leaflog activity not-done`
struct ActivityNotDone: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "not-done", abstract: "Remove the record that an activity was done.",
    discussion: "The completion is moved to the trash; `leaflog activity restore` restores it.")

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @Option(help: "The day. Default: today.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.activities.named(activity)
    try CompletionNoun.report(context).tell(
      library.activities.uncomplete(found, on: on?.day(in: library) ?? library.today),
      done: "Moved", note: " to the trash", in: library)
  }
}
