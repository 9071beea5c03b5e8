import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog log`
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Keep one log per day: sleep, stress, exercise and more.",
    subcommands: [
      LogSet.self, DailyEntryShow<LogNoun>.self, LogList.self, EntryDelete<LogNoun>.self,
      EntryRestore<LogNoun>.self,
    ], defaultSubcommand: DailyEntryShow<LogNoun>.self)
}

private enum LogNoun: DiaryNoun {
  typealias Choice = EntriesByDay

  static let kind = EntryKind.dailyLog
  static let command = "log"
  static let noun = "daily log"
}

/// `leaflog log set`
private struct LogSet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set or change the log of a day.",
    discussion: """
      leaflog log set --sleep-hours 7.5 --stress 2 --exercise-minutes 30 --exercise-type walk

      Fields that are not given keep their values. 'none' removes a field; '' removes the notes or \
      alcohol. `leaflog factor add` adds fields of your own.
      """)

  @Option(help: "The day: 2026-03-01, yesterday. Default: today.")
  var on: DayArgument?

  @Option(help: "Hours of sleep, 0 to 12 in steps of 0.25.")
  var sleepHours: String?

  @Option(help: "Sleep quality, from 1 (bad) to 5.")
  var sleepQuality: String?

  @Option(help: "Stress, from 1 (none) to 5.")
  var stress: String?

  @Option(help: "Minutes of exercise, 0 to 300.")
  var exerciseMinutes: String?

  @Option(help: "\(DailyLog.ExerciseType.oneOf).")
  var exerciseType: String?

  @Option(help: "\(DailyLog.SugarIntake.oneOf).")
  var sugar: String?

  @Option(help: "\(DailyLog.Alcohol.oneOf); '' removes it.")
  var alcohol: String?

  @Option(help: "Whether the day was spent in an office: yes or no.")
  var officeDay: String?

  @Option(help: "Whether you were near someone sick: yes or no.")
  var sickContact: String?

  @Option(help: "Whether a humidifier was on: yes or no.")
  var humidifier: String?

  @Option(
    name: .customLong("factor"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The value of a factor, as coffee=2; can be repeated. coffee= removes it.",
      valueName: "name=value"))
  var factors: [FactorAssignment] = []

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let patch = try patch()
    let values = try factors.map { assignment in
      let (factor, value) = try assignment.read(in: library)
      // `none` may be one of its choices.
      let isCleared =
        value?.lowercased() == "none"
        && !factor.details.choices.contains { $0.lowercased() == "none" }
      return (isCleared ? nil : value, factor)
    }
    let entry = try library.diary.setDailyLog(
      on: on?.day(in: library) ?? library.today, notes: note, tags: tagging.tags
    ) {
      $0 = patch.applied(to: $0)
      for (value, factor) in values { $0.factors[factor.name] = value.map { .typed($0) } }
    }
    try HealthNotice.show(in: library, context)
    if global.json {
      context.output.print(json: entry)
    } else if !global.quiet {
      EntryText.report(entry, in: library, context)
    }
  }

  private func patch() throws -> Patch<DailyLog> {
    let cleared = ["none", ""]
    let typed = [
      ("sleepHours", sleepHours), ("sleepQuality", sleepQuality), ("stress", stress),
      ("exerciseMinutes", exerciseMinutes), ("exerciseType", exerciseType), ("sugar", sugar),
      ("officeDay", officeDay), ("sickContact", sickContact), ("humidifier", humidifier),
    ].map { ($0, $1.map { cleared.contains($0.lowercased()) ? "" : $0 }) }
    var patch = Patch<DailyLog>()
    // `none` is a value of alcohol.
    try patch.set(typed: typed + [("alcohol", alcohol)])
    return patch
  }
}

/// `coffee=2`
private struct FactorAssignment: ExpressibleByArgument {
  /// Each way to read it as a name and a value; nil removes the value. Both may have the sign.
  private let readings: [(name: String, value: String?)]

  init?(argument: String) {
    readings = argument.indices.filter { argument[$0] == "=" }.compactMap { sign in
      String(argument[..<sign]).tidied.map {
        ($0, String(argument[argument.index(after: sign)...]).tidied)
      }
    }
    if readings.isEmpty { return nil }
  }

  /// The factor with the longest name that is one, and the value.
  func read(in library: Library) throws -> (Factor, value: String?) {
    let names = Set(try library.factors.all().map { foldedName($0.name) })
    let reading = readings.last { names.contains(foldedName($0.name)) } ?? readings[0]
    return (try library.factors.find(matching: reading.name), reading.value)
  }
}

/// `leaflog log list`
private struct LogList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List daily logs, most recent first, and the current streak.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let streak = try library.diary.loggingStreak(today: library.today)
    let page = try list.page(of: .dailyLog, in: library)
    if global.json {
      return context.output.print(json: Document(listing: Listing(page), streak: streak))
    }
    list.report(
      page, in: library, context,
      nothing: list.nothing("daily logs") + " `leaflog log set` adds one."
    )
    if !page.elements.isEmpty, !global.quiet {
      context.output.print("Logging streak: \(Quantities.count(streak, "day")).")
    }
  }

  private struct Document: Shown {
    let listing: Listing<Entry>
    let streak: Int

    static let shown = Fields<Document>(
      Listing<Entry>.shown.all.map { $0.shown { $0.listing } } + [
        Field(adding: "streakDays", .count) { $0.streak }
      ])
  }
}
