import ArgumentParser
internal import Leaflog

/// `leaflog mood happy`, which is `leaflog mood set happy`; without a mood the day's is shown.
struct MoodSay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Say how today felt, or show it.", shouldDisplay: false)

  @OptionGroup var options: MoodOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard options.mood != nil || options.saysNothingElse else { throw MoodOptions.moodIsMissing }
  }

  func run() throws {
    guard options.mood == nil else { return try options.run(global) }
    let library = try global.openLibrary(for: .reading)
    try EntryText.show(
      MoodNoun.entry(on: options.on?.day(in: library) ?? library.today, in: library), in: library,
      global)
  }
}

/// A mood, its day, and what else is said of it.
struct MoodOptions: ParsableArguments {
  @Argument(help: "One of those above.", completion: .list(Mood.allCases.map(\.rawValue)))
  var mood: String?

  @Option(help: "The day: 2026-03-01, yesterday. Today, unless given.")
  var on: DayArgument?

  @Option(help: "Anything else; '' removes it.")
  var note: String?

  @OptionGroup var tagging: TagOptions

  /// Whether a day was given at the most.
  var saysNothingElse: Bool { note == nil && tagging.tag.isEmpty }

  /// What a mood that is said has to have.
  static let moodIsMissing = ValidationError("Which? \(Mood.oneOf).")

  /// Says how the day felt.
  func run(_ global: GlobalOptions) throws {
    guard let mood else { throw Self.moodIsMissing }
    let library = try global.openLibrary(for: .writing)
    let found = try Mood.allCases.first { $0.emoji == mood } ?? .named(mood, field: "mood")
    let entry = try library.setMood(
      found, on: on?.day(in: library) ?? library.today, notes: note, tags: tagging.tags)
    if global.json {
      Output.result(JSON.line(EntryDocument(entry)))
    } else if !global.quiet {
      TimelineText(terminal: .output, zone: library.timeZone).lines([entry]).forEach(Output.result)
    }
  }
}
