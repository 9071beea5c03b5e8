import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog activity edit`
struct ActivityEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit an activity.",
    discussion: """
      '' removes the notes or the plant, and restores the suggested emoji; off removes the interval \
      or a goal. Past completions keep the plant they were done for.
      """)

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @Option(parsing: .unconditional, help: "A new name.")
  var name: String?

  @OptionGroup var details: ActivityOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard name != nil || !details.isEmpty else {
      throw ValidationError(
        "Nothing to change. Give at least one of --name, --emoji, --category, --start-from, "
          + "--plant, --every, --note, --weekly-goal or --monthly-goal.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.activities.named(activity)
    let plant = try details.plant(in: library)
    let edited = try library.activities.edit(found.id, plant: plant) { changed in
      changed.name = name ?? changed.name
      try details.change(&changed, in: library)
    }
    if global.json {
      context.output.print(json: try ActivityDocument(edited, in: library))
    } else if !global.quiet {
      try ActivityText(terminal: context.output.terminal, in: library).lines([edited]).forEach(
        context.output.print)
    }
  }
}
