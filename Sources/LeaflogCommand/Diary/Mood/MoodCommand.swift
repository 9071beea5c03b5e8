import ArgumentParser
internal import Leaflog

/// `leaflog mood`
struct MoodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mood", abstract: "How a day felt: one mood a day.",
    subcommands: [
      MoodSet.self, MoodList.self, EntryShow<MoodNoun>.self, EntryDelete<MoodNoun>.self,
      EntryRestore<MoodNoun>.self,
    ], defaultSubcommand: MoodList.self)
}

enum MoodNoun: DiaryNoun {
  static let kind = EntryKind.mood
  static let command = "mood"
  static let noun = "mood"
}

/// `leaflog mood set`
struct MoodSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Say how a day felt; a second time changes it.",
    discussion: Mood.allCases.map { "\($0.emoji) \($0.words)" }.joined(separator: "  "))

  @Argument(help: "One of those above.", completion: .list(Mood.allCases.map(\.rawValue)))
  var mood: String?

  @Option(help: "The day: 2026-03-01, yesterday. Today, unless given.")
  var on: DayArgument?

  @Option(help: "Anything else; '' removes it.")
  var note: String?

  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(
      isAlone: mood == nil && on == nil && note == nil, missing: "Which? \(Mood.oneOf).")
    guard undoing.undo || mood != nil else { throw ValidationError("Which? \(Mood.oneOf).") }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard let mood else { return try MoodNoun.report(global).undo(.moodSet, in: library) }
    let found = try Mood.allCases.first { $0.emoji == mood } ?? .named(mood, field: "mood")
    let entry = try library.setMood(found, on: on?.day(in: library) ?? library.today, notes: note)
    if global.json {
      Output.result(JSON.line(EntryDocument(entry)))
    } else if !global.quiet {
      TimelineText(terminal: .output, zone: library.timeZone).lines([entry]).forEach(Output.result)
    }
  }
}
