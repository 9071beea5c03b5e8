import ArgumentParser
internal import Leaflog

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
