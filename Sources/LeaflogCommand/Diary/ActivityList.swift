import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog activity list`
struct ActivityList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List all activities in your order, with when they were last done and are next due.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let activities = try library.activities.all()
    try ActivityText.report(activities, in: library, context)
    if activities.isEmpty, !global.json, !global.quiet {
      context.error.print("No activities yet. `leaflog activity add NAME` adds one.")
    }
  }
}

/// Activities as lines of text: emoji, name, when it was last done, when it is due, whether it was done today, and its
/// plant.
struct ActivityText {
  let terminal: Terminal
  /// The activities done today.
  let done: Set<ActivityID>
  let today: LocalDay

  init(terminal: Terminal, in library: Library) throws {
    self.terminal = terminal
    today = library.today
    done = try library.activities.done(on: today)
  }

  /// Prints activities, as JSON if requested.
  static func report(
    _ activities: [Activity], in library: Library, _ context: CommandContext
  ) throws {
    let text = try ActivityText(terminal: context.output.terminal, in: library)
    if context.options.json {
      let items = activities.map {
        ActivityDocument($0, doneToday: text.done.contains($0.id), today: text.today)
      }
      context.output.print(json: Listing(items: items))
    } else {
      text.lines(activities).forEach(context.output.print)
    }
  }

  func lines(_ activities: [Activity]) -> [String] {
    let rows = activities.map { activity -> [TextTable.Cell] in
      let emoji = TextLayout.padded(activity.details.emoji, to: 2)
      let due = Self.due(activity, on: today) ?? ""
      return [
        .init(emoji + " " + TextLayout.singleLine(activity.name)),
        .init(Self.last(activity, on: today)),
        .init(due, style: activity.isDue(on: today) ? .bold : nil),
        .init(done.contains(activity.id) ? "✓" : ""),
        .init(TextLayout.singleLine(activity.plant?.name ?? "")),
      ]
    }
    var table = TextTable(
      terminal, [.init(style: .green), .init(), .init(), .init(), .init(style: .dim)], rows)
    let widths: [Int] = (1...3).map { column in table.textWidth(column) }
    let fixed = widths.reduce(0) { sum, width in width > 0 ? sum + width + 2 : sum }
    let name = min(table.textWidth(0), max(15, terminal.width - fixed))
    let room = terminal.width - fixed - name - 2
    table.columns[0].limit = name
    let isWrapped = terminal.width < TextTable.leastWidth
    table.columns[4].limit = isWrapped || room >= min(8, table.textWidth(4)) ? max(1, room) : 0
    return table.lines
  }

  /// `💧 water the monstera`
  static func title(_ activity: Activity) -> String {
    TextLayout.singleLine("\(activity.details.emoji) \(activity.name)")
  }

  /// `Last done: 3 days ago`, or the day it was started if it was never done.
  static func last(_ activity: Activity, on today: LocalDay) -> String {
    if let day = activity.lastDone { return "Last done: \(day.agoText(on: today))" }
    let start = activity.details.startFrom
    return "\(start > today ? "Starts" : "Started"): \(start.agoText(on: today))"
  }

  /// `due in 4 days`, `due today`, `3 days overdue`; nil without an interval.
  static func due(_ activity: Activity, on today: LocalDay) -> String? {
    guard let day = activity.dueDay else { return nil }
    let days = day.daysAgo(on: today)
    return switch days {
    case 0: "due today"
    case -1: "due tomorrow"
    case ..<0: "due in \(-days) days"
    case let late: "\(Quantities.count(late, "day")) overdue"
    }
  }
}

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
    let record = try library.activities.record(
      of: library.activities.find(matching: activity), today: today)
    let counts = ActivityCounts(record: record, context: context)
    if let svg { return try counts.draw(to: svg, by: by) }
    if let by { return counts.report(by: by) }
    let shown = month ?? CalendarMonth(of: record.today)
    if global.json {
      context.output.print(json: ActivityRecordDocument(record, month: shown))
    } else {
      report(record, in: library.timeZone, context)
      context.output.print("")
      MonthCalendar(
        terminal: context.output.terminal, today: record.today,
        firstWeekday: library.weekStart.weekday ?? 1
      )
      .lines(shown, marked: Set(record.days(in: shown))).forEach(context.output.print)
    }
  }

  private func report(_ record: ActivityRecord, in zone: TimeZone, _ context: CommandContext) {
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
      "\(Quantities.count(record.days.count, "time")), last done \(last.agoText(on: record.today))"
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

/// The number of times an activity was done per week or month, as text, JSON or pictures.
struct ActivityCounts {
  let record: ActivityRecord
  let context: CommandContext

  private var global: GlobalOptions { context.options }

  private struct Document: Shown {
    let activity: ActivityDocument
    let items: [Bucket]

    static let shown = Fields<Document>([
      Field(adding: "activity", ActivityDocument.shown) { $0.activity },
      Field(adding: "items", each: Bucket.shown) { $0.items },
      Field(adding: "next", .cursor) { _ in nil }.orNull(),
    ])
  }

  func report(by unit: BucketUnit) {
    let counts = record.counts(by: unit)
    if global.json {
      let activity = ActivityDocument(
        record.activity, doneToday: record.isDoneToday, today: record.today)
      return context.output.print(json: Document(activity: activity, items: counts))
    }
    BarChart(terminal: context.output.terminal).lines(
      counts.reversed().map {
        BarChart.Bar(name: $0.name, value: Double($0.count), label: "\($0.count)")
      }
    ).forEach(context.output.print)
    if counts.isEmpty, !global.quiet {
      context.error.print("\(ActivityText.title(record.activity)) has never been done.")
    }
  }

  private struct Made: Shown {
    let paths: [String]
    let missingGlyphCount: Int

    static let shown = Fields<Made>([
      Field(adding: "paths", .texts) { $0.paths },
      Field(adding: "missingGlyphCount", .count) { $0.missingGlyphCount },
    ])
  }

  /// - Parameters:
  ///   - path: a file whose name ends in `.svg`, or a folder, which is created if missing and gets a picture per unit.
  ///   - unit: nil draws weeks, and in a folder months as well.
  func draw(to path: String, by unit: BucketUnit?) throws {
    let isFile = path.lowercased().hasSuffix(".svg")
    let units: [BucketUnit] = unit.map { [$0] } ?? (isFile ? [.week] : [.week, .month])
    if !isFile {
      try FileManager.default.createDirectory(
        atPath: context.path(path), withIntermediateDirectories: true)
    }
    var paths: [String] = []
    var missing = 0
    for unit in units {
      let document = try record.svg(by: unit)
      let file = isFile ? path : "\(path)/\(unit.rawValue)s.svg"
      try document.write(to: context.path(file))
      paths.append(file)
      missing += document.missingGlyphCount
    }
    if global.json {
      context.output.print(json: Made(paths: paths, missingGlyphCount: missing))
    } else if !global.quiet {
      for path in paths { context.output.print("Wrote \(TextLayout.singleLine(path))") }
    }
    DocumentOutput.warn(ofMissing: missing, context)
  }
}
