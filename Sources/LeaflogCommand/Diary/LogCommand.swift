import ArgumentParser
internal import Documents
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
      alcohol.
      """)

  @Option(help: "The day: 2026-03-01, yesterday. Default: today.")
  var on: DayArgument?

  @Option(help: "Hours of sleep, 0 to 12 in steps of 0.25.")
  var sleepHours: FieldArgument<Double>?

  @Option(help: "Sleep quality, from 1 (bad) to 5.")
  var sleepQuality: FieldArgument<Int>?

  @Option(help: "Stress, from 1 (none) to 5.")
  var stress: FieldArgument<Int>?

  @Option(help: "Minutes of exercise, 0 to 300.")
  var exerciseMinutes: FieldArgument<Int>?

  @Option(help: "\(DailyLog.ExerciseType.oneOf).")
  var exerciseType: FieldArgument<String>?

  @Option(help: "\(DailyLog.SugarIntake.oneOf).")
  var sugar: FieldArgument<String>?

  @Option(help: "\(DailyLog.Alcohol.oneOf); '' removes it.")
  var alcohol: String?

  @Option(help: "Whether the day was spent in an office: yes or no.")
  var officeDay: FieldArgument<Bool>?

  @Option(help: "Whether you were near someone sick: yes or no.")
  var sickContact: FieldArgument<Bool>?

  @Option(help: "Whether a humidifier was on: yes or no.")
  var humidifier: FieldArgument<Bool>?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let change = try changes()
    let entry = try library.diary.setDailyLog(
      on: on?.day(in: library) ?? library.today, notes: note, tags: tagging.tags, change)
    try HealthNotice.show(in: library, context)
    if global.json {
      context.output.print(json: entry)
    } else if !global.quiet {
      EntryText.tell(entry, in: library, context)
    }
  }

  /// The given fields, as a change to the log.
  private func changes() throws -> (inout DailyLog) -> Void {
    let exercise = try exerciseType?.map {
      try DailyLog.ExerciseType.named($0, field: "exerciseType")
    }
    let intake = try sugar?.map { try DailyLog.SugarIntake.named($0, field: "sugar") }
    // `none` is a value of this field.
    let drinks: FieldArgument<DailyLog.Alcohol>? = try alcohol.map {
      $0.isEmpty ? .none : .value(try .named($0, field: "alcohol"))
    }
    return { log in
      sleepHours?.apply(to: &log.sleepHours)
      sleepQuality?.apply(to: &log.sleepQuality)
      stress?.apply(to: &log.stress)
      exerciseMinutes?.apply(to: &log.exerciseMinutes)
      exercise?.apply(to: &log.exerciseType)
      intake?.apply(to: &log.sugar)
      drinks?.apply(to: &log.alcohol)
      officeDay?.apply(to: &log.officeDay)
      sickContact?.apply(to: &log.sickContact)
      humidifier?.apply(to: &log.humidifier)
    }
  }
}

/// A value for a field, or `none` to remove the current one.
enum FieldArgument<Value: Sendable>: Sendable {
  case value(Value)
  case none

  func apply(to field: inout Value?) {
    switch self {
    case .value(let value): field = value
    case .none: field = nil
    }
  }

  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> FieldArgument<Other> {
    switch self {
    case .value(let value): .value(try transform(value))
    case .none: .none
    }
  }
}

extension FieldArgument: ExpressibleByArgument where Value: FieldValue {
  init?(argument: String) {
    if ["none", ""].contains(argument.lowercased()) {
      self = .none
    } else if let value = Value(fieldText: argument) {
      self = .value(value)
    } else {
      return nil
    }
  }
}

/// A type of value that a field can hold.
protocol FieldValue: Sendable {
  init?(fieldText: String)
}

extension Int: FieldValue {
  init?(fieldText: String) { self.init(fieldText) }
}

extension Double: FieldValue {
  /// Parses a number with a decimal point or comma.
  init?(fieldText: String) {
    self.init(fieldText.replacing(",", with: "."))
    guard isFinite else { return nil }
  }
}

extension String: FieldValue {
  init?(fieldText: String) { self = fieldText }
}

extension Bool: FieldValue {
  init?(fieldText: String) {
    switch fieldText.lowercased() {
    case "yes", "y", "true": self = true
    case "no", "n", "false": self = false
    default: return nil
    }
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
    list.tell(
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
