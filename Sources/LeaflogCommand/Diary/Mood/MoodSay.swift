import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog mood happy`, short for `leaflog mood set happy`; without a mood, it shows the day's.
struct MoodSay: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Set or show today's mood.",
    usage: """
      leaflog mood <mood> [--on <on>] [--note <note>] [--tag <tag> ...]
      leaflog mood [--on <on>]
      """,
    discussion: MoodSet.names, shouldDisplay: false)

  @OptionGroup var options: MoodOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard options.mood != nil || options.saysNothingElse else { throw MoodOptions.moodIsMissing }
  }

  func run(in context: CommandContext) throws {
    guard options.mood == nil else { return try options.run(context) }
    let library = try context.openLibrary(for: .reading)
    try EntryText.show(
      MoodNoun.entry(on: options.on?.day(in: library) ?? library.today, in: library), in: library,
      context)
  }
}

/// A mood, its day, its notes and its tags.
struct MoodOptions: ParsableArguments {
  @Argument(help: "One of the moods above.", completion: .list(Mood.allCases.map(\.rawValue)))
  var mood: String?

  @Option(help: "The day: 2026-03-01, yesterday. Default: today.")
  var on: DayArgument?

  @Option(parsing: .unconditional, help: "A note; '' removes it.")
  var note: String?

  @OptionGroup var tagging: TagOptions

  /// Whether nothing but a day was given.
  var saysNothingElse: Bool { note == nil && tagging.tag.isEmpty }

  /// The error for details of a day without a mood.
  static let moodIsMissing = ValidationError("Give a mood: \(Mood.oneOf).")

  /// Records the mood of the day.
  func run(_ context: CommandContext) throws {
    let global = context.options
    guard let mood else { throw Self.moodIsMissing }
    let library = try context.openLibrary(for: .editing)
    let found = try Mood.allCases.first { $0.emoji == mood } ?? .named(mood, field: "mood")
    let entry = try library.diary.setMood(
      found, on: on?.day(in: library) ?? library.today, notes: note, tags: tagging.tags)
    if global.json {
      context.output.print(json: EntryDocument(entry))
    } else if !global.quiet {
      TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines([entry])
        .forEach(context.output.print)
    }
  }
}
