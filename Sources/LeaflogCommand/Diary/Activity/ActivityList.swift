import ArgumentParser
internal import Leaflog

/// `leaflog activity list`
struct ActivityList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "All activities in your order: when they were done last, and when they are due.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let activities = try library.activities()
    try ActivityText.tell(activities, in: library, global)
    if activities.isEmpty, !global.json, !global.quiet {
      Output.error("No activities yet. `leaflog activity add NAME` adds one.")
    }
  }
}

/// Activities as lines of text: emoji, name, when it was done last, when it is due, whether it was
/// done today, and its plant.
struct ActivityText {
  let terminal: Terminal
  /// Those that were done today.
  let done: Set<ActivityID>
  let today: LocalDay

  init(terminal: Terminal, in library: Library) throws {
    self.terminal = terminal
    today = library.today
    done = try library.activities(doneOn: today)
  }

  /// Prints activities, as JSON where that is asked for.
  static func tell(
    _ activities: [Activity], in library: Library, _ options: GlobalOptions
  ) throws {
    let text = try ActivityText(terminal: .output, in: library)
    if options.json {
      let items = activities.map {
        ActivityDocument($0, doneToday: text.done.contains($0.id), today: text.today)
      }
      Output.result(JSON.line(Listing(items: items, next: nil)))
    } else {
      text.lines(activities).forEach(Output.result)
    }
  }

  func lines(_ activities: [Activity]) -> [String] {
    let rows = activities.map { activity in
      [
        TextLayout.singleLine(activity.name), Self.last(activity, on: today),
        Self.due(activity, on: today) ?? "",
        done.contains(activity.id) ? "✓" : "", TextLayout.singleLine(activity.plant?.name ?? ""),
      ]
    }
    let widths = (0..<5).map { column in rows.map { TextLayout.width($0[column]) }.max() ?? 0 }
    // Emoji and space before the name, two spaces before each other column that is there.
    let fixed = 3 + widths[1...3].filter { $0 > 0 }.map { $0 + 2 }.reduce(0, +)
    let name = min(widths[0], max(12, terminal.width - fixed))
    return zip(activities, rows).map { activity, row in
      var line = TextLayout.padded(activity.details.emoji, to: 2) + " "
      line += terminal.styled(
        TextLayout.padded(TextLayout.truncated(row[0], to: name), to: name), .green)
      line += "  " + TextLayout.padded(row[1], to: widths[1])
      if widths[2] > 0 {
        let due = TextLayout.padded(row[2], to: widths[2])
        line += "  " + (activity.isDue(on: today) ? terminal.styled(due, .bold) : due)
      }
      if widths[3] > 0 { line += "  " + TextLayout.padded(row[3], to: widths[3]) }
      let room = terminal.width - fixed - name - 2
      if room >= min(8, widths[4]), !row[4].isEmpty {
        line += "  " + terminal.styled(TextLayout.truncated(row[4], to: room), .dim)
      }
      return line.trimmedAtEnd
    }
  }

  /// `💧 water the monstera`
  static func title(_ activity: Activity) -> String {
    TextLayout.singleLine("\(activity.details.emoji) \(activity.name)")
  }

  /// `Last done: 3 days ago`; until it was done, when it was started.
  static func last(_ activity: Activity, on today: LocalDay) -> String {
    if let day = activity.lastDone { return "Last done: \(day.agoText(on: today))" }
    let start = activity.details.startFrom
    return "\(start > today ? "Starts" : "Started"): \(start.agoText(on: today))"
  }

  /// `due in 4 days`, `due today`, `3 days overdue`; nil when it is not done at intervals.
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
