import ArgumentParser
internal import Leaflog

/// The `leaflog` command.
struct Root: ParsableCommand {
  static let configuration = CommandConfiguration(
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
      OpenCommand.self, ServeCommand.self, TokenCommand.self,
    ],
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
          QuoteCommand.self,
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
          ResetCommand.self, CompletionsCommand.self, AboutCommand.self,
        ]),
    ])
}
