import ArgumentParser
internal import Leaflog

/// `leaflog log`
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Keep one log per day: sleep, stress, exercise and more.",
    subcommands: [
      LogSet.self, DailyEntryShow<LogNoun>.self, LogList.self, EntryDelete<LogNoun>.self,
      EntryRestore<LogNoun>.self,
    ], defaultSubcommand: DailyEntryShow<LogNoun>.self)
}

enum LogNoun: DiaryNoun {
  typealias Choice = EntriesByDay

  static let kind = EntryKind.dailyLog
  static let command = "log"
  static let noun = "daily log"
}
