import ArgumentParser
internal import Leaflog

/// `leaflog settings`
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show or change the library's settings.",
    discussion: """
      timeZone            the time zone for times without one: Europe/Berlin
      policy              how photos are stored: compact, lossless or exact
      severity.scales     severity labels, weakest first: 'mild, moderate, severe'; separate several \
      scales with semicolons
      quotes.source       the quote of the day: bundled, or zenquotes, which asks zenquotes.io
      import.maxFileSize  larger files are not imported: 512 MB; an import takes about as much memory
      reminder            on or off
      reminder.time       when to be reminded at the end of the day: 20:00
      reminder.parts      what to be reminded of: any of symptoms, log, mood and activities
      report.name         the name of the person, for the PDF; '' for none
      language            the language of `leaflog serve`'s pages: auto (the browser's), en or de
      day.end             hours after midnight at which a day ends, 0 to 6
      week.start          the day on which weeks begin: auto (as usual in the reader's region), monday, saturday \
      or sunday
      disclaimer          unread, or acknowledged once it was shown
      service.folders     folders of this machine that jobs of `leaflog serve` may use, separated by colons
      """, subcommands: [SettingsGet.self, SettingsSet.self], defaultSubcommand: SettingsGet.self)
}

extension LibrarySetting: ExpressibleByArgument {}

/// `leaflog settings get`
struct SettingsGet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Show one setting, or all.")

  @Argument(help: "The setting's name.")
  var name: LibrarySetting?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let names = name.map { [$0] } ?? LibrarySetting.allCases
    let values = try names.map { ($0.rawValue, try library.settings.value(of: $0)) }
    if global.json {
      return context.output.print(json: Dictionary(uniqueKeysWithValues: values))
    }
    for (name, value) in values {
      context.output.print(self.name == nil ? TextLayout.padded(name, to: 20) + value : value)
    }
  }
}

/// `leaflog settings set`
struct SettingsSet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a setting.")

  @Argument(help: "The setting's name.")
  var name: LibrarySetting

  @Argument(help: "The new value.")
  var value: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    try library.settings.set(name, to: value)
    let kept = try library.settings.value(of: name)
    if global.json {
      context.output.print(json: [name.rawValue: kept])
    } else if !global.quiet {
      context.output.print(TextLayout.padded(name.rawValue, to: 20) + kept)
    }
    ReminderFolder.follow(library, context).tell(context)
  }
}
