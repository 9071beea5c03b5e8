import ArgumentParser
internal import Leaflog

/// `leaflog log show` and `leaflog mood show`: shows a once-a-day entry.
struct DailyEntryShow<Noun: DiaryNoun>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show", abstract: "Show the \(Noun.noun) of a day. Default: today.")
  }

  @Argument(help: ArgumentHelp("The day, or an id or a prefix of it.", valueName: "day"))
  var word: String?

  @Option(help: ArgumentHelp("The day.", valueName: "day"))
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if word != nil, on != nil { throw ValidationError("Give only one day.") }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let entry =
      if let word {
        try Noun.entry(word, in: library)
      } else {
        try Noun.entry(on: on?.day(in: library) ?? library.today, in: library)
      }
    try EntryText.show(entry, in: library, context)
  }
}
