import ArgumentParser
internal import Leaflog

/// `leaflog settings`
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "What the library is set to.",
    discussion: """
      timeZone         where times without a zone are sorted: Europe/Berlin
      policy           how photos are kept: compact, lossless or exact
      severity.scales  labels for severities, the weakest first: 'mild, moderate, severe'; several \
      scales with semicolons between
      quotes.source    the quote of the day: bundled, or zenquotes, which asks zenquotes.io
      reminder         on or off
      reminder.time    when to be reminded at the end of the day: 20:00
      reminder.parts   what of: symptoms, log, mood and activities, or some of them
      report.name      the name of the person, for the PDF; '' for none
      disclaimer       unread, or acknowledged once it was shown
      """, subcommands: [SettingsGet.self, SettingsSet.self], defaultSubcommand: SettingsGet.self)
}

extension LibrarySetting: ExpressibleByArgument {}

/// `leaflog settings get`
struct SettingsGet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "What a setting is, or what all are.")

  @Argument(help: "The setting's name.")
  var name: LibrarySetting?

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let names = name.map { [$0] } ?? LibrarySetting.allCases
    let values = try names.map { ($0.rawValue, try library.value(of: $0)) }
    if global.json {
      return Output.result(JSON.line(Dictionary(uniqueKeysWithValues: values)))
    }
    for (name, value) in values {
      Output.result(self.name == nil ? TextLayout.padded(name, to: 17) + value : value)
    }
  }
}

/// `leaflog settings set`
struct SettingsSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the library to something else.")

  @Argument(help: "The setting's name.")
  var name: LibrarySetting

  @Argument(help: "What it shall be.")
  var value: String

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    try library.set(name, to: value)
    let kept = try library.value(of: name)
    if global.json {
      Output.result(JSON.line([name.rawValue: kept]))
    } else if !global.quiet {
      Output.result(TextLayout.padded(name.rawValue, to: 17) + kept)
    }
  }
}
