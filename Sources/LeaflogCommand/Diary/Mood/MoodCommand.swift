import ArgumentParser
internal import Leaflog

/// `leaflog mood`
struct MoodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mood", abstract: "Record one mood per day.",
    discussion: """
      `leaflog mood happy` sets today's mood; `leaflog mood` shows it.

      \(MoodSet.names)
      """,
    subcommands: [
      MoodSet.self, MoodList.self, DailyEntryShow<MoodNoun>.self, EntryDelete<MoodNoun>.self,
      EntryRestore<MoodNoun>.self, MoodSay.self,
    ], defaultSubcommand: MoodSay.self)
}

enum MoodNoun: DiaryNoun {
  typealias Choice = EntriesByDay

  static let kind = EntryKind.mood
  static let command = "mood"
  static let noun = "mood"
}

/// `leaflog mood set`
struct MoodSet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set or replace the mood of a day.",
    discussion: names)

  /// The moods, each with its emoji.
  static let names = Mood.allCases.map { "\($0.emoji) \($0.words)" }.joined(separator: "  ")

  @OptionGroup var options: MoodOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard options.mood != nil else { throw MoodOptions.moodIsMissing }
  }

  func run(in context: CommandContext) throws { try options.run(context) }
}
