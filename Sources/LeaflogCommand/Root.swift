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
          UndoCommand.self, RedoCommand.self, HistoryCommand.self, InitCommand.self,
          StatsCommand.self, SettingsCommand.self, BackupCommand.self, RestoreCommand.self,
          VerifyCommand.self, RepairCommand.self, RecompressCommand.self, PruneCommand.self,
          ResetCommand.self, CompletionsCommand.self, AboutCommand.self,
        ]),
    ])

  static func main() async {
    Diagnostics.start()
    let arguments = GlobalOptions.last(in: CommandLine.arguments.dropFirst())
    do {
      var command = try parseAsRoot(arguments)
      defer { WrittenLibraries.takeSnapshots() }
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let error as LeaflogError {
      // `leaflog log shwo` asks for the log with the id `shwo`, as far as the parser knows.
      let mayBeWord = [.invalidRequest, .notFound].contains(error.code)
      if mayBeWord, let slip = misspelling(in: arguments), slip.isTakenForArgument {
        ErrorReport(LeaflogError(.invalidRequest, slip.message)).printAndExit()
      }
      ErrorReport(error).printAndExit()
    } catch let error as InvalidValue {
      ErrorReport(LeaflogError(.invalidRequest, error.description)).printAndExit()
    } catch let error as CocoaError {
      ErrorReport(LeaflogError(.failed, error.localizedDescription)).printAndExit()
    } catch  where exitCode(for: error) == .validationFailure {
      if let slip = misspelling(in: arguments) {
        ErrorReport(LeaflogError(.invalidRequest, slip.message)).printAndExit()
      }
      guard ErrorReport.isJSON else { exit(withError: error) }
      ErrorReport(LeaflogError(.invalidRequest, message(for: error))).printAndExit()
    } catch {
      exit(withError: error)
    }
  }

  private static func misspelling(in arguments: [String]) -> Misspelling? {
    CommandTree(description: _dumpHelp()).flatMap { Misspelling(in: arguments, of: $0) }
  }
}
