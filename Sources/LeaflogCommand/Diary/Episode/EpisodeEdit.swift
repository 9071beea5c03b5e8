import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog episode edit`
struct EpisodeEdit: LeaflogSubcommand {
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
    let library = try context.openLibrary(for: .editing)
    let found = try library.diary.entry(entry, of: .episode)
    let first = try start?.day(in: library)
    let last = try end.map { try $0.day(in: library) }
    let change = { (episode: inout Episode) in
      try options.apply(to: &episode)
      if let last { episode.endDay = last }
    }
    let overlap = try overlap(of: found, from: first, after: change, in: library)
    guard try overlap?.isMeant(context) ?? true else { return }
    let result = try library.diary.editEpisode(
      found, from: first, notes: options.note, tags: options.tagging.tags,
      allowOverlap: overlap?.isEmpty == false, change)
    if global.json {
      context.output.print(json: EntryDocument(result.changed.first ?? found))
    } else {
      try EpisodeNoun.report(context).tell(result, done: "Changed", in: library)
    }
  }

  /// The overlap with other episodes; nil when the days stay the same.
  private func overlap(
    of entry: Entry, from first: LocalDay?, after change: (inout Episode) throws -> Void,
    in library: Library
  ) throws -> EpisodeOverlap? {
    guard case .episode(let before) = entry.content else { return nil }
    var after = before
    try change(&after)
    let days = after.days(from: first ?? entry.time.localDay)
    return days == before.days(from: entry.time.localDay)
      ? nil : try library.diary.overlap(of: days, except: entry.id)
  }
}
