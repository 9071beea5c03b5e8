import ArgumentParser
internal import Leaflog

/// `leaflog log`
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Daily logs: sleep, stress, exercise and more, one log a day.",
    subcommands: [
      LogSet.self, LogShow.self, LogList.self, EntryDelete<LogNoun>.self,
      EntryRestore<LogNoun>.self,
    ], defaultSubcommand: LogShow.self)
}

enum LogNoun: DiaryNoun {
  static let kind = EntryKind.dailyLog
  static let command = "log"
  static let noun = "daily log"
}
