import ArgumentParser
internal import Documents
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
    try ActivityText.tell(activities, in: library, context)
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
  static func tell(
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
    let fixed = (1...3).map { table.textWidth($0) }.filter { $0 > 0 }.map { $0 + 2 }.reduce(0, +)
    let name = min(table.textWidth(0), max(15, terminal.width - fixed))
    let room = terminal.width - fixed - name - 2
    table.columns[0].limit = name
    table.columns[4].limit = room >= min(8, table.textWidth(4)) ? room : 0
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
