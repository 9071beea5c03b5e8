import ArgumentParser
internal import Leaflog

/// `leaflog activity add`
struct ActivityAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add something that is done again and again.",
    discussion: """
      leaflog activity add 'water the monstera' --emoji 💧 --plant monstera --every 7d

      `leaflog activity done` writes down that it was done, also on days in the past.
      """)

  @Argument(help: "What you call it; no other activity may have the name.")
  var name: String?

  @OptionGroup var details: ActivityOptions
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(
      isAlone: name == nil && details.isEmpty, missing: "What is the activity called?")
    guard undoing.undo || name != nil else {
      throw ValidationError("What is the activity called?")
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard let name else { return try CompletionNoun.report(global).undo(.activityAdd, in: library) }
    // Without an emoji it gets that of its category.
    var activity = ActivityDetails(name: name, emoji: "", startFrom: library.today)
    try details.change(&activity, in: library)
    let added = try library.addActivity(activity, plant: try details.plant(in: library) ?? nil)
    if global.json {
      Output.result(JSON.line(ActivityDocument(added, doneToday: false, today: library.today)))
    } else if !global.quiet {
      Output.result("Added \(ActivityText.title(added)).")
    }
  }
}
