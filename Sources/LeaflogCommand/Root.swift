import ArgumentParser
internal import Foundation
internal import Leaflog

/// The `leaflog` command.
@main
struct Root: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaflog",
    abstract: "A photo diary of growing things.",
    discussion: """
      Point it at a folder of plant photos, and look at them in order of time:

        leaflog import ~/Pictures/plants
        leaflog timeline
      """,
    version: About.version,
    subcommands: [
      ImportCommand.self, TodayCommand.self, TimelineCommand.self, SearchCommand.self,
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
          InitCommand.self, StatsCommand.self, SettingsCommand.self, BackupCommand.self,
          RestoreCommand.self, VerifyCommand.self, RepairCommand.self, RecompressCommand.self,
          PruneCommand.self, ResetCommand.self, CompletionsCommand.self, AboutCommand.self,
        ]),
    ])

  static func main() async {
    Diagnostics.start()
    do {
      var command = try parseAsRoot(GlobalOptions.last(in: CommandLine.arguments.dropFirst()))
      defer { WrittenLibraries.takeSnapshots() }
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let error as LeaflogError {
      ErrorReport(error).printAndExit()
    } catch let error as InvalidValue {
      ErrorReport(LeaflogError(.invalidRequest, error.description)).printAndExit()
    } catch let error as CocoaError {
      ErrorReport(LeaflogError(.failed, error.localizedDescription)).printAndExit()
    } catch  where exitCode(for: error) == .validationFailure && ErrorReport.isJSON {
      ErrorReport(LeaflogError(.invalidRequest, message(for: error))).printAndExit()
    } catch {
      exit(withError: error)
    }
  }
}
