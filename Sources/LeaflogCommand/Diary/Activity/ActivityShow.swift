import ArgumentParser
internal import Documents
internal import Foundation
internal import Leaflog

/// `leaflog activity show`
struct ActivityShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Everything about one activity, and a calendar of the days it was done on.",
    discussion: """
      In a streak no two completions are further apart than --every says; without it they are on \
      consecutive days. A streak goes on until it is overdue.

        leaflog activity show yoga --by week
        leaflog activity show yoga --svg yoga.svg
      """)

  @Argument(help: "Its name, or its id or the start of it.", completion: .activities)
  var activity: String

  @Option(help: "The calendar's month, as 2026-03; this one, unless given.")
  var month: CalendarMonth?

  @Option(help: "Count instead how often it was done: by week, month or year.")
  var by: BucketUnit?

  @Option(
    help: "Draw the counts instead: into a file that ends in .svg, or into a folder.",
    completion: .file())
  var svg: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if by == .day { throw ValidationError("--by takes week, month or year.") }
    if month != nil, by != nil || svg != nil {
      throw ValidationError("--month is of the calendar; leave out --by and --svg.")
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
      MonthCalendar(terminal: context.output.terminal, today: record.today)
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
      let current = record.currentStreak.map { "\($0.count) in a row since \($0.firstDay)" }
      row("Streak", current ?? "none now")
      row("Longest", "\(longest.count), \(longest.firstDay) to \(longest.lastDay)")
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

  private func goal(_ progress: GoalProgress) -> String {
    guard let goal = progress.goal else { return Quantities.count(progress.count, "time") }
    return "\(progress.count) of \(goal)" + (progress.isReached ? " ✓" : "")
  }
}
