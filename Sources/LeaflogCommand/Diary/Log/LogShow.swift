import ArgumentParser
internal import Leaflog

/// `leaflog log show`
struct LogShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "The log of a day: today's, unless another is given.")

  @Argument(
    help: ArgumentHelp("The day, or the log's id or the start of it.", valueName: "day"))
  var word: String?

  @Option(help: "The day.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if word != nil, on != nil { throw ValidationError("Name one day.") }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let log =
      if let word {
        try LogNoun.entry(word, in: library)
      } else {
        try LogNoun.entry(on: on?.day(in: library) ?? library.today, in: library)
      }
    try EntryText.show(log, in: library, context)
  }
}
