import ArgumentParser
internal import Fields
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

private enum MoodNoun: DiaryNoun {
  typealias Choice = EntriesByDay

  static let kind = EntryKind.mood
  static let command = "mood"
  static let noun = "mood"
}

/// `leaflog mood set`
private struct MoodSet: LeaflogSubcommand {
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

/// `leaflog mood happy`, short for `leaflog mood set happy`; without a mood, it shows the day's.
private struct MoodSay: LeaflogSubcommand {
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
private struct MoodOptions: ParsableArguments {
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
    let library = try context.openLibrary(for: .writingSerially)
    let found = try Mood.allCases.first { $0.emoji == mood } ?? .named(mood, field: "mood")
    let entry = try library.diary.setMood(
      found, on: on?.day(in: library) ?? library.today, notes: note, tags: tagging.tags)
    if global.json {
      context.output.print(json: entry)
    } else if !global.quiet {
      TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines([entry])
        .forEach(context.output.print)
    }
  }
}

/// `leaflog mood list`
private struct MoodList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List moods, most recent first, with the count of each.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let page = try list.page(of: .mood, in: library)
    let counts = try library.diary.moodCounts(
      from: list.firstDay(in: library), to: list.lastDay(in: library))
    if global.json {
      let counts = Dictionary(uniqueKeysWithValues: counts.map { ($0.mood, $0.count) })
      return context.output.print(json: Document(listing: Listing(page), counts: counts))
    }
    list.report(
      page, in: library, context,
      nothing: list.nothing("moods") + " `leaflog mood set happy` adds one.")
    guard !counts.isEmpty, !global.quiet else { return }
    context.output.print("")
    BarChart(terminal: context.output.terminal).lines(
      counts.map {
        .init(
          name: "\($0.mood.emoji) \($0.mood.words)", value: Double($0.count), label: "\($0.count)")
      }
    ).forEach(context.output.print)
  }

  private struct Document: Shown {
    let listing: Listing<Entry>
    let counts: [Mood: Int]

    static let shown = Fields<Document>(
      Listing<Entry>.shown.all.map { $0.shown { $0.listing } } + [
        Field(adding: "counts", .counts()) { $0.counts }
      ])
  }
}
