import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog activity`
struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity",
    abstract: "Recurring activities such as watering, and when each was last done.",
    subcommands: [
      ActivityAdd.self, ActivityList.self, ActivityShow.self, ActivityDone.self,
      ActivityNotDone.self, ActivityEditDone.self, ActivityEdit.self, ActivityDelete.self,
      ActivityReorder.self,
      EntryRestore<CompletionNoun>.self,
    ], defaultSubcommand: ActivityList.self)
}

/// The completions of activities, which are entries of their own.
enum CompletionNoun: DiaryNoun {
  static let kind = EntryKind.completion
  static let command = "activity"
  static let noun = "completion"

  static func rows(_ content: EntryContent) -> [(name: String, value: String?)] {
    guard case .completion(let completion) = content else { return [] }
    return [("Activity", content.summary), ("Source", completion.source)]
  }
}

/// `leaflog activity add`
struct ActivityAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a recurring activity.",
    discussion: """
      leaflog activity add 'water the monstera' --emoji 💧 --plant monstera --every 7d
      leaflog activity add yoga --done-on yesterday --done-from 2026-03-01 --done-to 2026-03-14

      Without --emoji, it gets one that fits its name or category. `leaflog activity done` records \
      when it is done.
      """)

  @Argument(help: "The name, which must be unique.")
  var name: String

  @OptionGroup var details: ActivityOptions

  @Option(help: "An earlier day on which it was done; can be repeated.")
  var doneOn: [DayArgument] = []

  @Option(help: "The first of several consecutive earlier days on which it was done.")
  var doneFrom: DayArgument?

  @Option(help: "The last of these days.")
  var doneTo: DayArgument?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (doneFrom == nil) == (doneTo == nil) else {
      throw ValidationError("--done-from and --done-to must be used together.")
    }
  }

  private func days(in library: Library) throws -> [LocalDay] {
    let named = try doneOn.map { try $0.day(in: library) }
    guard let doneFrom, let doneTo else { return named }
    let span = try DaySpan(
      from: doneFrom.firstDay(in: library), to: doneTo.lastDay(in: library),
      names: ("--done-from", "--done-to"))
    return named + span.days
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    // An empty emoji is replaced by a suggestion.
    let today = library.today
    var activity = ActivityDetails(name: name, emoji: "", startFrom: today)
    try details.change(&activity, in: library)
    let days = try days(in: library)
    let added = try library.activities.add(
      activity, plant: try details.plant(in: library) ?? nil, doneOn: days)
    if global.json {
      context.output.print(
        json: ActivityDocument(added, doneToday: days.contains(today), today: today))
    } else if !global.quiet {
      let done =
        days.isEmpty ? "" : ", already done \(Quantities.count(added.completionCount, "time"))"
      context.output.print("Added \(ActivityText.title(added))\(done).")
    }
  }
}

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

/// The interval at which an activity is due: `7d`, `2w`, `7 days`, `7`; `off` for none.
struct IntervalArgument: ExpressibleByArgument {
  /// Nil for `off`.
  let days: Int?

  init?(argument: String) {
    let text = argument.lowercased()
    if ["off", "none", "never"].contains(text) {
      days = nil
      return
    }
    let short = text.filter { !$0.isWhitespace }
      .replacing(#/(day|week)s?$/#) { String($0.1.prefix(1)) }
    guard
      let seconds = DurationArgument(argument: short.allSatisfy(\.isNumber) ? short + "d" : short)?
        .duration.components.seconds, seconds % 86_400 == 0
    else { return nil }
    days = Int(seconds / 86_400)
  }
}

/// The number of times an activity is meant to be done; `off` for no goal.
struct GoalArgument: ExpressibleByArgument {
  /// Nil for `off`.
  let count: Int?

  init?(argument: String) {
    if ["off", "none"].contains(argument.lowercased()) {
      count = nil
    } else if let number = Int(argument) {
      count = number
    } else {
      return nil
    }
  }
}

extension CalendarMonth: ExpressibleByArgument {}

/// The details of an activity besides its name.
struct ActivityOptions: ParsableArguments {
  @Option(help: "One emoji. Default: one that fits the name or the category.")
  var emoji: String?

  @Option(
    parsing: .unconditional, help: "Hobby, Health, Pet, Home, Others, or a custom one.",
    completion: .activityCategories)
  var category: String?

  @Option(help: "The day the first interval is counted from. Default: today.")
  var startFrom: DayArgument?

  @Option(help: "The plant it is done for.", completion: .plants)
  var plant: String?

  @Option(help: "The interval after which it is due again: 7d, 2w, '10 days', or off.")
  var every: IntervalArgument?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @Option(help: "The weekly goal, 1 to 7 times, or off.")
  var weeklyGoal: GoalArgument?

  @Option(help: "The monthly goal, 1 to 31 times, or off.")
  var monthlyGoal: GoalArgument?

  var isEmpty: Bool {
    emoji == nil && category == nil && startFrom == nil && plant == nil && every == nil
      && note == nil && weeklyGoal == nil && monthlyGoal == nil
  }

  /// Applies the details that were given.
  func change(_ details: inout ActivityDetails, in library: Library) throws {
    details.emoji = emoji ?? details.emoji
    details.category = category ?? details.category
    details.startFrom = try startFrom?.day(in: library) ?? details.startFrom
    details.notes = note ?? details.notes
    if let every { details.everyDays = every.days }
    if let weeklyGoal { details.weeklyGoal = weeklyGoal.count }
    if let monthlyGoal { details.monthlyGoal = monthlyGoal.count }
  }

  /// The plant that was given, or `.some(nil)` for an empty text; nil when the option is absent.
  func plant(in library: Library) throws -> PlantID?? {
    guard let plant else { return nil }
    return plant.isEmpty ? .some(nil) : try library.plants.reference(plant).id
  }
}

/// `leaflog activity reorder`
struct ActivityReorder: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "reorder", abstract: "Put activities into a user-defined order.",
    discussion: """
      Moves one activity, or sets the order if all are named.

        leaflog activity reorder yoga --to 1
        leaflog activity reorder yoga --before 'water the monstera'
        leaflog activity reorder yoga 'feed the cat' 'water the monstera'
      """)

  @Argument(help: "Names, ids, or id prefixes.", completion: .activities)
  var activities: [String]

  @Option(help: "The position to move it to, starting at 1.")
  var to: Int?

  @Option(help: "The activity to move it before.", completion: .activities)
  var before: String?

  @Option(help: "The activity to move it after.", completion: .activities)
  var after: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let places = [to.map { "\($0)" }, before, after].compactMap { $0 }
    guard places.count <= 1 else {
      throw ValidationError("Give one of --to, --before and --after.")
    }
    guard places.isEmpty || activities.count == 1 else {
      throw ValidationError("--to, --before and --after move one activity.")
    }
    guard !places.isEmpty || activities.count > 1 else {
      throw ValidationError(
        "Give --to, --before or --after, or name all activities in their new order.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let ids = try activities.map { try library.activities.named($0).id }
    let place: ActivityPlace? =
      if let to {
        .number(to)
      } else if let before {
        .before(try library.activities.named(before).id)
      } else if let after {
        .after(try library.activities.named(after).id)
      } else {
        nil
      }
    let all =
      if let place {
        try library.activities.reorder(ids[0], to: place)
      } else {
        try library.activities.reorder(ids)
      }
    if global.json || !global.quiet { try ActivityText.report(all, in: library, context) }
  }
}

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
