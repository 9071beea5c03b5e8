import ArgumentParser
internal import Documents
internal import Foundation
internal import Leaflog

/// `leaflog activity show`
struct ActivityShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all details of an activity, and a calendar of the days it was done.",
    discussion: """
      A streak is a series of completions no further apart than the interval, or on consecutive \
      days if there is none. It ends when the activity is overdue. With a weekly or monthly goal, it \
      counts the weeks or months that reached the goal, and the present one never ends it.

        leaflog activity show yoga --by week
        leaflog activity show yoga --svg yoga.svg
      """)

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @Option(help: "The month of the calendar, such as 2026-03. Default: this month.")
  var month: CalendarMonth?

  @Option(help: "Count completions by week, month or year instead.")
  var by: BucketUnit?

  @Option(
    help: "Draw the counts instead, to an .svg file or into a folder.",
    completion: .file())
  var svg: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if by == .day { throw ValidationError("--by takes week, month or year.") }
    if month != nil, by != nil || svg != nil {
      throw ValidationError(
        "--month applies to the calendar and cannot be used with --by or --svg.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let today = library.today
    let record = try library.activities.record(of: library.activities.named(activity), today: today)
    let counts = ActivityCounts(record: record, context: context)
    if let svg { return try counts.draw(to: svg, by: by) }
    if let by { return counts.tell(by: by) }
    let shown = month ?? CalendarMonth(of: record.today)
    if global.json {
      context.output.print(json: ActivityRecordDocument(record, month: shown))
    } else {
      tell(record, in: library.timeZone, context)
      context.output.print("")
      MonthCalendar(
        terminal: context.output.terminal, today: record.today,
        firstWeekday: library.weekStart.weekday ?? 1
      )
      .lines(shown, marked: Set(record.days(in: shown))).forEach(context.output.print)
    }
  }

  private func tell(_ record: ActivityRecord, in zone: TimeZone, _ context: CommandContext) {
    let fields = FieldList(terminal: context.output.terminal, nameWidth: 12)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    let activity = record.activity
    let details = activity.details
    row("Activity", ActivityText.title(activity))
    row("Category", details.category)
    row("Plant", activity.plant?.name)
    row("Notes", details.notes)
    row("Done", done(record))
    if let days = details.everyDays, let due = activity.dueDay {
      row(
        "Every",
        "\(Quantities.count(days, "day")), \(ActivityText.due(activity, on: record.today) ?? "")"
          + (due == record.today ? "" : " (\(due))"))
    }
    if let longest = record.longestStreak {
      let current = record.currentStreak.map {
        "\(Self.count(of: $0)) in a row since \($0.firstDay)"
      }
      row("Streak", current ?? "none")
      row("Longest", "\(Self.count(of: longest)), \(longest.firstDay) to \(longest.lastDay)")
    }
    row("This week", goal(record.week))
    row("This month", goal(record.month))
    for (number, line) in record.months.linesByYear.enumerated() {
      row(number == 0 ? "Months" : "", line)
    }
    row("Started", "\(details.startFrom)")
    row("Created", "\(EntryTime(.instant(activity.createdAt), in: zone).localDay)")
    row("Id", activity.id.description)
  }

  private func done(_ record: ActivityRecord) -> String {
    let activity = record.activity
    guard let last = activity.lastDone else {
      return "never, started \(activity.details.startFrom.agoText(on: record.today))"
    }
    return
      "\(Quantities.count(activity.completionCount, "time")), last done \(last.agoText(on: record.today))"
      + (record.isDoneToday ? " ✓" : " (\(last))")
  }

  private static func count(of streak: Streak) -> String {
    switch streak.unit {
    case .completion: "\(streak.count)"
    case .week, .month: Quantities.count(streak.count, streak.unit.rawValue)
    }
  }

  private func goal(_ progress: GoalProgress) -> String {
    guard let goal = progress.goal else { return Quantities.count(progress.count, "time") }
    return "\(progress.count) of \(goal)" + (progress.isReached ? " ✓" : "")
  }
}
