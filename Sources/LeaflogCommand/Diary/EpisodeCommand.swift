import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog episode`
struct EpisodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "episode", abstract: "Record periods of illness, from first to last day.",
    subcommands: [
      EpisodeStart.self, EpisodeEnd.self, EpisodeAdd.self, EpisodeList.self,
      EntryShow<EpisodeNoun>.self, EpisodeEdit.self, EntryDelete<EpisodeNoun>.self,
      EntryRestore<EpisodeNoun>.self,
    ], defaultSubcommand: EpisodeList.self)
}

private enum EpisodeNoun: DiaryNoun {
  static let kind = EntryKind.episode
  static let command = "episode"
  static let noun = "episode"

  /// Prints an episode and its duration.
  static func report(
    _ entry: Entry, done: String?, in library: Library, _ context: CommandContext
  ) {
    if context.options.json { return context.output.print(json: entry) }
    guard !context.options.quiet else { return }
    TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines([entry]).forEach(
      context.output.print)
    context.output.print(
      [done, entry.episodeDuration(on: library.today)].compactMap { $0 }.joined(separator: " "))
  }
}

extension Entry {
  /// The last day of an episode that has ended.
  var lastDay: LocalDay? {
    guard case .episode(let episode) = content else { return nil }
    return episode.endDay
  }

  /// `5 days.`, or how long it has been going on.
  func episodeDuration(on today: LocalDay) -> String? {
    guard case .episode(let episode) = content else { return nil }
    let days = episode.days(from: time.localDay)
    if let count = days.count { return "It lasted \(Quantities.count(count, "day"))." }
    let soFar = today.dayNumber - days.first.dayNumber + 1
    return "It is ongoing; today is day \(soFar)."
  }
}

/// The details of an episode besides its days.
private struct EpisodeOptions: ParsableArguments {
  @Option(help: "\(Episode.Illness.oneOf).")
  var type: String?

  @Option(help: "The severity, 1 to 5.")
  var severity: String?

  @Option(help: "\(Episode.Sign.oneOf); can be repeated.")
  var symptom: [String] = []

  @Option(help: "\(Episode.Mucus.oneOf). The colour is not diagnostic.")
  var mucus: String?

  @Option(help: "When it was worst: \(Episode.WorstTime.oneOf).")
  var worstTime: String?

  @Option(parsing: .unconditionalSingleValue, help: "A medication taken; can be repeated.")
  var medication: [String] = []

  @Option(parsing: .unconditional, help: "A visit to a doctor.")
  var doctorVisit: String?

  @Option(parsing: .unconditional, help: "The result of a test.")
  var testResult: String?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var tagging: TagOptions

  var isEmpty: Bool {
    type == nil && severity == nil && symptom.isEmpty && mucus == nil && worstTime == nil
      && medication.isEmpty && doctorVisit == nil && testResult == nil && note == nil
      && tagging.tag.isEmpty
  }

  /// The error for a new episode without a type.
  static let typeIsMissing = ValidationError("Give the type: --type \(Episode.Illness.oneOf).")

  /// A new episode.
  func episode(end: LocalDay?) throws -> Episode {
    guard let type else { throw Self.typeIsMissing }
    return try patch().applied(to: Episode(endDay: end, type: try .named(type, field: "type")))
  }

  /// The details that were given; an empty text removes one.
  func patch() throws -> Patch<Episode> {
    var patch = Patch<Episode>()
    try patch.set(typed: [
      ("type", type), ("severity", severity?.lowercased() == "none" ? "" : severity),
      ("mucus", mucus),
      ("worstTime", worstTime), ("doctorVisit", doctorVisit), ("testResult", testResult),
    ])
    // An option may contain several symptoms.
    let symptoms = symptom.flatMap { $0.split(separator: ",") }.map(String.init)
    if !symptom.isEmpty { try patch.set("symptoms", text: CSVText.list(symptoms)) }
    if !medication.isEmpty { try patch.set("medications", text: CSVText.list(medication)) }
    return patch
  }
}

/// `leaflog episode start`
private struct EpisodeStart: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start an episode; `episode end` ends it.",
    discussion: """
      leaflog episode start --type cold --symptom 'sore throat' --symptom fever

      Asks for confirmation if it would overlap with another episode.
      """)

  @Option(
    name: [.customLong("on"), .customLong("start")], help: "Its first day. Default: today.")
  var start: DayArgument?

  @OptionGroup var options: EpisodeOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard options.type != nil else { throw EpisodeOptions.typeIsMissing }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let episode = try options.episode(end: nil)
    let first = try start?.day(in: library) ?? library.today
    let entry = try Answer.confirming(context, in: library) { confirmed in
      try library.diary.addEpisode(
        episode, from: first, notes: options.note, tags: options.tagging.tag,
        confirmed: confirmed, as: .episodeStart)
    }
    guard let entry else { return }
    try HealthNotice.show(in: library, context)
    EpisodeNoun.report(entry, done: nil, in: library, context)
  }
}

/// `leaflog episode end`
private struct EpisodeEnd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End the active episode.")

  @Argument(help: "Its id, or a prefix of it, if several are active.")
  var entry: String?

  @Option(help: "Its last day. Default: today.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let ended = try library.diary.endEpisode(
      entry.map { try library.diary.entry(matching: $0, of: .episode) },
      on: on?.day(in: library) ?? library.today)
    EpisodeNoun.report(ended, done: "Ended.", in: library, context)
  }
}

/// `leaflog episode add`
private struct EpisodeAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a past or ongoing episode.",
    discussion: """
      leaflog episode add --start 2026-03-01 --end 2026-03-08 --type cold --severity 3

      Asks for confirmation if it would overlap with another episode.
      """)

  @Option(name: [.customLong("from"), .customLong("start")], help: "Its first day: 2026-03-01.")
  var start: DayArgument

  @Option(
    name: [.customLong("to"), .customLong("end")],
    help: "Its last day. Without it, the episode is ongoing.")
  var end: DayArgument?

  @OptionGroup var options: EpisodeOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard options.type != nil else { throw EpisodeOptions.typeIsMissing }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let first = try start.day(in: library)
    let episode = try options.episode(end: end?.day(in: library))
    let entry = try Answer.confirming(context, in: library) { confirmed in
      try library.diary.addEpisode(
        episode, from: first, notes: options.note, tags: options.tagging.tag,
        confirmed: confirmed)
    }
    guard let entry else { return }
    try HealthNotice.show(in: library, context)
    EpisodeNoun.report(entry, done: "Added.", in: library, context)
  }
}

/// `leaflog episode edit`
private struct EpisodeEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit an episode.",
    discussion: """
      --symptom and --medication replace the existing ones. An empty text ('') removes a value; \
      --end '' reopens the episode. Asks for confirmation if new days overlap with another episode.
      """)

  @Argument(help: "Its id, or a prefix of it.")
  var entry: String

  @Option(name: [.customLong("from"), .customLong("start")], help: "Its first day.")
  var start: DayArgument?

  @Option(name: [.customLong("to"), .customLong("end")], help: "Its last day; '' for none.")
  var end: OptionalDayArgument?

  @OptionGroup var options: EpisodeOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard start != nil || end != nil || !options.isEmpty else {
      throw ValidationError(
        "Nothing to change. Give at least one of --start, --end, --severity, …")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.diary.entry(matching: entry, of: .episode)
    let first = try start?.day(in: library)
    let last = try end.map { try $0.day(in: library) }
    let patch = try options.patch()
    let change = { (episode: inout Episode) in
      episode = patch.applied(to: episode)
      if let last { episode.endDay = last }
    }
    let result = try Answer.confirming(context, in: library) { confirmed in
      try library.diary.editEpisode(
        found, from: first, notes: options.note, tags: options.tagging.tags, confirmed: confirmed,
        change)
    }
    guard let result else { return }
    if global.json {
      context.output.print(json: result.changed.first ?? found)
    } else {
      try EpisodeNoun.report(context).report(result, done: "Changed", in: library)
    }
  }
}

/// `leaflog episode list`
private struct EpisodeList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List episodes, most recent first, with their duration.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let page = try list.page(of: .episode, in: library)
    // A narrow terminal has no room for both days on a line.
    guard !global.json, !page.elements.isEmpty, context.output.terminal.width >= 64 else {
      return list.report(page, in: library, context, nothing: list.nothing("episodes"))
    }
    table(page.elements, context.output.terminal).lines.forEach(context.output.print)
    if !global.quiet { context.error.print(next: page.next) }
  }

  private func table(_ entries: [Entry], _ terminal: Terminal) -> TextTable {
    let room = max(8, terminal.width - 54)
    return TextTable(
      terminal,
      [
        .init(least: 23), .init(isRightAligned: true, least: 8), .init(style: .green, least: 7),
        .init(least: room, limit: room), .init(style: .dim),
      ], entries.compactMap(row))
  }

  private func row(_ entry: Entry) -> [TextTable.Cell]? {
    guard case .episode(let episode) = entry.content else { return nil }
    let days = episode.days(from: entry.time.localDay)
    let severity = episode.severity.map { "\($0) of 5" }
    let parts = [severity, episode.symptoms.map(\.words).listed, entry.notes].compactMap { $0 }
    return [
      .init("\(days.first)" + (days.last.map { " – \($0)" } ?? "")),
      .init(days.count.map { Quantities.count($0, "day") } ?? "ongoing"),
      .init(episode.type.words), .init(TextLayout.singleLine(parts.joined(separator: " · "))),
      .init(entry.id.short),
    ]
  }
}
