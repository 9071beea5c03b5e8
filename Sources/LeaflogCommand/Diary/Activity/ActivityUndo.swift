import ArgumentParser
internal import Leaflog

/// `leaflog activity undo`
struct ActivityUndo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Say that an activity was not done after all.",
    discussion: """
      Its completion goes into the trash; `leaflog activity restore` takes it out.
      """)

  @Argument(help: "Its name, or its id or the start of it.", completion: .activities)
  var activity: String?

  @Option(help: "The day; today, unless given.")
  var on: DayArgument?

  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(isAlone: activity == nil && on == nil, missing: "Which activity?")
    guard undoing.undo || activity != nil else { throw ValidationError("Which activity?") }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let report = CompletionNoun.report(global)
    guard let activity else { return try report.undo(.activityUndo, in: library) }
    let found = try library.activity(activity)
    try report.tell(
      library.uncomplete(found, on: on?.day(in: library) ?? library.today), done: "Put",
      note: " into the trash",
      kind: .activityUndo, in: library)
  }
}
