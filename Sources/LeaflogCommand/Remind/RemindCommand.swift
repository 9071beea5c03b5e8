import ArgumentParser
internal import Leaflog

/// `leaflog remind`
struct RemindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind",
    abstract: "Get reminded of missing entries at the end of the day.",
    discussion: "`leaflog settings set reminder.parts 'log, mood'` chooses the entries.",
    subcommands: [
      RemindShow.self, RemindSet.self, RemindOff.self, RemindInstall.self, RemindNotify.self,
    ], defaultSubcommand: RemindShow.self)
}

/// A reminder in JSON and as text.
private struct ReminderDocument: Encodable {
  let enabled: Bool
  let time: String
  let parts: [String]
  let installed: Bool
  /// Whether the installed timer has another time or time zone than the library.
  let stale: Bool

  init(of library: Library, _ context: CommandContext) throws {
    let reminder = try library.diary.reminder()
    enabled = reminder.isOn
    time = reminder.time
    parts = ReminderPart.allCases.filter(reminder.parts.contains).map(\.rawValue)
    let folder = ReminderFolder(context.process)
    installed = folder.isWritten(for: library)
    stale = try installed && folder.isStale(for: library)
  }

  func tell(_ context: CommandContext) {
    if context.options.json { return context.output.print(json: self) }
    guard !context.options.quiet else { return }
    context.output.print(
      enabled ? "On, every day at \(time): \(parts.joined(separator: ", "))." : "Off.")
    if enabled, !installed {
      context.output.print(
        "Run `leaflog remind install` to be reminded on this machine by systemd.")
    }
    if stale { context.error.print(ReminderFolder.staleness) }
  }
}

/// `leaflog remind show`
struct RemindShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the reminder.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    try ReminderDocument(of: library, context).tell(context)
  }
}

/// `leaflog remind set`
struct RemindSet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the time of day of the reminder.")

  @Argument(help: "A time of day: 20:00.")
  var time: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    try library.settings.set(.reminderTime, to: time)
    try library.settings.set(.reminder, to: "on")
    let follows = ReminderFolder.follow(library, context)
    try ReminderDocument(of: library, context).tell(context)
    follows.tell(context)
  }
}

/// `leaflog remind off`
struct RemindOff: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Turn the reminder off; `remind set 20:00` turns it on again.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    try library.settings.set(.reminder, to: "off")
    try ReminderDocument(of: library, context).tell(context)
  }
}

/// `leaflog remind install`
struct RemindInstall: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install a systemd timer that calls notify-send.",
    discussion: """
      The timer is for this library and is written to the folder of your user units. For phones, \
      `leaflog export ics` creates a calendar with alarms.
      """)

  @OptionGroup var global: GlobalOptions

  private struct Document: Encodable {
    let timer: String
    let service: String
    let next: String
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let folder = ReminderFolder(context.process)
    try folder.write(for: library)
    let document = Document(
      timer: folder.path(of: ".timer"), service: folder.path(of: ".service"),
      next: "systemctl --user daemon-reload && systemctl --user enable --now "
        + "\(ReminderUnits.name).timer")
    if global.json { return context.output.print(json: document) }
    guard !global.quiet else { return }
    context.output.print("Wrote \(document.timer)\nand   \(document.service)")
    context.output.print("Start it: \(document.next)")
  }
}

/// `leaflog remind notify`
struct RemindNotify: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Print the entries that are still missing today, if any.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let reminder = try library.diary.reminder()
    let folder = ReminderFolder(context.process)
    if try folder.isWritten(for: library) && folder.isStale(for: library) {
      context.error.print(ReminderFolder.staleness)
    }
    let missing =
      reminder.isOn ? try library.diary.today(library.today).missing(of: reminder.parts) : []
    if global.json { return context.output.print(json: ["missing": missing]) }
    guard !missing.isEmpty else { return }
    let text = missing.joined(separator: "; ")
    context.output.print(text.prefix(1).uppercased() + text.dropFirst() + ".")
  }
}
