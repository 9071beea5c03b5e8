import ArgumentParser
internal import Leaflog

/// The commands of the service. They are in a module of their own, so that all others are compiled beside the service.
package protocol ServiceCommands {
  static var all: [any ParsableCommand.Type] { get }
}

/// The `leaflog` command.
struct Root<Service: ServiceCommands>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "leaflog",
      abstract: "A photo diary of growing things.",
      discussion: """
        Import a folder of plant photos, and view them in chronological order:

          leaflog import ~/Pictures/plants
          leaflog timeline
        """,
      version: About.version,
      subcommands: [
        ImportCommand.self, TodayCommand.self, TimelineCommand.self, SearchCommand.self,
      ] + Service.all + [TokenCommand.self],
      groupedSubcommands: [
        CommandGroup(
          name: "Photo",
          subcommands: [
            PlantCommand.self, PhotoCommand.self, ShowCommand.self, CompareCommand.self,
            TimeLapseCommand.self,
          ]),
        CommandGroup(
          name: "Diary",
          subcommands: [
            SymptomCommand.self, LogCommand.self, EpisodeCommand.self, MoodCommand.self,
            QuoteCommand.self, FactorCommand.self,
            ActivityCommand.self, TagCommand.self, InsightsCommand.self, RemindCommand.self,
            ExportCommand.self, ImportDiaryCommand.self,
          ]),
        CommandGroup(
          name: "Library",
          subcommands: [
            UndoCommand.self, RedoCommand.self, HistoryCommand.self, InitCommand.self,
            AttachCommand.self, FollowCommand.self, PromoteCommand.self, MoveStoreCommand.self,
            StatsCommand.self, SettingsCommand.self, BackupCommand.self, RestoreCommand.self,
            BringOverCommand.self, VerifyCommand.self, RepairCommand.self, RecompressCommand.self,
            PruneCommand.self,
            ResetCommand.self, CompletionsCommand<Service>.self, AboutCommand.self,
          ]),
      ])
  }
}

/// The options that every command understands.
package struct GlobalOptions: ParsableArguments {
  @Option(help: "The library's folder.", completion: .directory)
  var library: String?

  @Flag(help: "Print JSON.")
  package var json = false

  @Flag(name: .shortAndLong, help: "Print only results and errors.")
  package var quiet = false

  @Flag(name: .customLong("no-progress"), help: "Do not show a progress bar.")
  var noProgress = false

  @Flag(name: .shortAndLong, help: "Answer yes to all questions.")
  package var yes = false

  package init() {}

  static let flags: Set = ["--json", "--quiet", "-q", "--no-progress", "--yes", "-y"]

  /// The arguments with these options moved from before the command to after it, where the parser looks for them:
  /// `leaflog --library DIR import` is equivalent to `leaflog import --library DIR`.
  static func last(in arguments: some Collection<String>) -> [String] {
    var leading: [String] = []
    var rest = arguments[...]
    while let first = rest.first {
      let count =
        flags.contains(first) || first.hasPrefix("--library=") ? 1 : first == "--library" ? 2 : 0
      guard count > 0, rest.count >= count else { break }
      leading += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return rest[..<end] + leading + rest[end...]
  }
}
