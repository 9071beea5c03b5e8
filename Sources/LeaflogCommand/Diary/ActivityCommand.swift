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
      ActivityNotDone.self, ActivityEditDone.self, ActivityEdit.self,
      OrderedDelete<ActivityNoun>.self, OrderedReorder<ActivityNoun>.self,
      EntryRestore<CompletionNoun>.self,
    ], defaultSubcommand: ActivityList.self)
}

/// Activities as an order.
enum ActivityNoun: OrderedNoun {
  static let noun = "activity"
  static let nouns = "activities"
  static let examples = ("yoga", "'feed the cat'", "'water the monstera'")
  static let completion = CompletionKind.activities
  static let deletion = (
    abstract: "Delete an activity and move its completions to the trash.",
    undo: """
    `leaflog undo` restores the activity and its completions; `leaflog activity restore` with any of \
    its completions does so too.
    """
  )

  static func id(_ activity: Activity) -> ActivityID { activity.id }

  static func named(_ text: String, in library: Library) throws -> Activity {
    try library.activities.find(matching: text)
  }

  static func document(_ activity: Activity, in library: Library) throws -> ActivityDocument {
    try ActivityDocument(activity, in: library)
  }

  static func report(
    _ activities: [Activity], in library: Library, _ context: CommandContext
  ) throws { try ActivityText.report(activities, in: library, context) }

  static func reorder(_ ids: [ActivityID], in library: Library) throws -> [Activity] {
    try library.activities.reorder(ids)
  }

  static func move(
    _ id: ActivityID, to place: OrderPlace<ActivityID>, in library: Library
  ) throws -> [Activity] { try library.activities.reorder(id, to: place) }

  static func going(_ activity: Activity) -> (title: String, along: String, gone: String) {
    let title = ActivityText.title(activity)
    guard let count = activity.completionCount, count > 0 else { return (title, "", "") }
    let completions = Quantities.count(count, "completion")
    return (
      title, " and move \(completions) to the trash", " and moved \(completions) to the trash"
    )
  }

  static func delete(_ id: ActivityID, in library: Library) throws {
    try library.activities.delete(id)
  }
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
    let library = try context.openLibrary(for: .writingSerially)
    // An empty emoji is replaced by a suggestion.
    let today = library.today
    var activity = ActivityDetails(name: name, emoji: "", startFrom: today)
    try details.change(&activity, in: library)
    let days = try days(in: library)
    let added = try library.activities.add(
      activity, plant: try details.plant(in: library).id, doneOn: days)
    if global.json {
      context.output.print(
        json: ActivityDocument(added, doneToday: days.contains(today), today: today))
    } else if !global.quiet {
      let done =
        days.isEmpty ? "" : ", already done \(Quantities.count(added.completionCount ?? 0, "time"))"
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
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.activities.find(matching: activity)
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

  /// The plant that was given; an empty text removes it, and without the option it stays.
  func plant(in library: Library) throws -> PlantEdit {
    guard let plant else { return .keep }
    return plant.isEmpty ? .remove : .set(try library.plants.reference(matching: plant).id)
  }
}
