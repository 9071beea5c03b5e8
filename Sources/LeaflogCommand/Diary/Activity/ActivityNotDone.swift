import ArgumentParser
internal import Leaflog

/// `leaflog activity not-done`
struct ActivityNotDone: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "not-done", abstract: "Take back that an activity was done.",
    discussion: "Its completion goes into the trash; `leaflog activity restore` takes it out.")

  @Argument(help: "Its name, or its id or the start of it.", completion: .activities)
  var activity: String

  @Option(help: "The day; today, unless given.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.activities.named(activity)
    try CompletionNoun.report(context).tell(
      library.activities.uncomplete(found, on: on?.day(in: library) ?? library.today), done: "Put",
      note: " into the trash", in: library)
  }
}
