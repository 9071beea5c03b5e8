import ArgumentParser
internal import Leaflog

/// `leaflog episode start`
struct EpisodeStart: LeaflogSubcommand {
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
    let library = try context.openLibrary(for: .editing)
    let episode = try options.episode(end: nil)
    let first = try start?.day(in: library) ?? library.today
    let overlap = try library.diary.overlap(of: episode.days(from: first))
    guard try overlap.isMeant(context) else { return }
    let entry = try library.diary.addEpisode(
      episode, from: first, notes: options.note, tags: options.tagging.tag,
      allowOverlap: !overlap.isEmpty, as: .episodeStart)
    try HealthNotice.show(in: library, context)
    EpisodeNoun.tell(entry, done: nil, in: library, context)
  }
}

/// `leaflog episode end`
struct EpisodeEnd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End the active episode.")

  @Argument(help: "Its id, or a prefix of it, if several are active.")
  var entry: String?

  @Option(help: "Its last day. Default: today.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let ended = try library.diary.endEpisode(
      entry.map { try library.diary.entry($0, of: .episode) },
      on: on?.day(in: library) ?? library.today)
    EpisodeNoun.tell(ended, done: "Ended.", in: library, context)
  }
}
