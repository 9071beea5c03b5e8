import ArgumentParser
internal import Leaflog

/// `leaflog mood`
struct MoodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mood", abstract: "How a day felt: one mood a day.",
    discussion: """
      `leaflog mood happy` says how today felt, `leaflog mood` shows it.

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
    commandName: "set", abstract: "Set the mood of a day, in place of the one it has.",
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
