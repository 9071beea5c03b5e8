import ArgumentParser
internal import Leaflog

/// A kind of entry with subcommands of its own, such as `leaflog symptom`.
protocol DiaryNoun {
  /// The arguments that select its entries: ids, or days for once-a-day entries.
  associatedtype Choice: EntryChoice = EntriesByID

  static var kind: EntryKind { get }
  /// The name of the command: `symptom`.
  static var command: String { get }
  /// The noun for a single entry.
  static var noun: String { get }
}

extension DiaryNoun {
  static func report(_ context: CommandContext) -> EditReport { EditReport(context, noun: noun) }

  /// The entry selected by an id or its prefix, or by a day for once-a-day entries.
  static func entry(_ text: String, in library: Library) throws -> Entry {
    let day = DayArgument(argument: text)
    if kind.isOnceADay, day.isDay { return try entry(on: day.day(in: library), in: library) }
    return try library.diary.entry(matching: text, of: kind)
  }

  static func entry(on day: LocalDay, in library: Library) throws -> Entry {
    guard let entry = try library.diary.entries(of: kind, from: day, to: day).last else {
      throw LeaflogError(.notFound, "There is no \(noun) for \(day).")
    }
    return entry
  }
}

/// `leaflog symptom show` and similar commands.
struct EntryShow<Noun: DiaryNoun>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "show", abstract: "Show all details of one \(Noun.noun).")
  }

  @Argument(help: ArgumentHelp("Its id, or a prefix of it.", valueName: "id"))
  var entry: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    try EntryText.show(Noun.entry(entry, in: library), in: library, context)
  }
}

/// `leaflog symptom delete` and similar commands.
struct EntryDelete<Noun: DiaryNoun>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete", abstract: "Move \(Noun.noun)s to the trash.",
      discussion: """
        `leaflog \(Noun.command) restore` restores them; `leaflog timeline --deleted` lists them.
        """)
  }

  @OptionGroup var chosen: Noun.Choice

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let report = Noun.report(context)
    let going = try chosen.entries(of: Noun.self, in: library).filter { $0.deletedAt == nil }
    let question = "Move \(Quantities.count(going.count, Noun.noun)) to the trash?"
    switch going.isEmpty ? .yes : report.ask(question, going, in: library) {
    case .yes:
      try report.report(
        library.diary.delete(going.map(\.id), of: Noun.kind), done: "Moved", note: " to the trash",
        in: library)
    case .dryRun:
      try report.reportUnanswered(going, would: "Would move", note: "to the trash", in: library)
    case .no: break
    }
  }
}

/// `leaflog symptom restore` and similar commands.
struct EntryRestore<Noun: DiaryNoun>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "restore", abstract: "Restore \(Noun.noun)s from the trash.")
  }

  @Argument(help: ArgumentHelp("Ids or id prefixes.", valueName: "id"))
  var entries: [String]

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let ids = try entries.map { try library.diary.entry(matching: $0, of: Noun.kind).id }
    let result = try Answer.confirming(context, in: library) { confirmed in
      try library.diary.restore(ids, of: Noun.kind, confirmed: confirmed)
    }
    guard let result else { return }
    try Noun.report(context).report(
      result, done: "Restored", note: " from the trash", in: library)
  }
}

/// The entries of a kind to list.
struct ListOptions: ParsableArguments {
  @Option(help: "The first day to show.")
  var from: DayArgument?

  @Option(help: "The last day to show.")
  var to: DayArgument?

  @Option(
    name: .customLong("limit"),
    help: """
      The number of entries per page, or of counts with --by, 1 to 1000. Default: 50 entries, or \
      all counts.
      """)
  var givenLimit: Int?

  var limit: Int { givenLimit ?? 50 }

  @Option(help: "Continue from a cursor printed by the previous page.")
  var before: Cursor?

  @Option(help: "The same: a cursor knows in which direction it continues.")
  var after: Cursor?

  func validate() throws {
    guard (1...1000).contains(limit) else {
      throw ValidationError("--limit takes 1 to 1000, not \(limit).")
    }
  }

  func firstDay(in library: Library) throws -> LocalDay? { try from?.firstDay(in: library) }

  func lastDay(in library: Library) throws -> LocalDay? { try to?.lastDay(in: library) }

  /// A page, most recent first.
  func page(of kind: EntryKind, in library: Library) throws -> Page<Entry> {
    try library.timeline.page(
      TimelineQuery(
        kinds: [kind], firstDay: firstDay(in: library), lastDay: lastDay(in: library)),
      at: (before ?? after).map { .cursor($0) } ?? .start, limit: limit)
  }

  /// The message for an empty list: `No moods yet.`
  func nothing(_ nouns: String) -> String {
    "No \(nouns) " + (hasSpan ? "in that span." : "yet.")
  }

  var hasSpan: Bool { from != nil || to != nil }

  /// Prints a page, or a message if it is empty.
  func report(
    _ page: Page<Entry>, in library: Library, _ context: CommandContext, nothing: String
  ) {
    if context.options.json {
      return context.output.print(
        json: Listing(page))
    }
    TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines(page.elements)
      .forEach(context.output.print)
    guard !context.options.quiet else { return }
    if page.elements.isEmpty { context.error.print(nothing) }
    context.error.print(next: page.next)
  }
}

/// The arguments that select entries of a kind.
protocol EntryChoice: ParsableArguments {
  func entries<Noun: DiaryNoun>(of noun: Noun.Type, in library: Library) throws -> [Entry]
}

/// Entries by their ids.
struct EntriesByID: EntryChoice {
  @Argument(help: ArgumentHelp("Ids or id prefixes.", valueName: "id"))
  var ids: [String]

  func entries<Noun: DiaryNoun>(of noun: Noun.Type, in library: Library) throws -> [Entry] {
    try ids.map { try noun.entry($0, in: library) }
  }
}

/// Once-a-day entries by their days or ids.
struct EntriesByDay: EntryChoice {
  @Argument(help: ArgumentHelp("Days, ids, or id prefixes.", valueName: "day"))
  var words: [String] = []

  @Option(help: ArgumentHelp("A day.", valueName: "day"))
  var on: [DayArgument] = []

  func validate() throws {
    if words.isEmpty, on.isEmpty { throw ValidationError("Give a day, such as yesterday.") }
  }

  func entries<Noun: DiaryNoun>(of noun: Noun.Type, in library: Library) throws -> [Entry] {
    try words.map { try noun.entry($0, in: library) }
      + on.map { try noun.entry(on: $0.day(in: library), in: library) }
  }
}

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
