import ArgumentParser
internal import Leaflog

/// `leaflog episode edit`
struct EpisodeEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change anything of an episode.",
    discussion: """
      --symptom and --medication replace all there are. An empty text ('') takes out what is there; \
      --end '' makes it an active one again.
      """)

  @Argument(help: "Its id, or the start of it.")
  var entry: String?

  @Option(help: "Its first day.")
  var start: DayArgument?

  @Option(help: "Its last day; '' for none.")
  var end: OptionalDayArgument?

  @OptionGroup var options: EpisodeOptions
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  private var isUnchanged: Bool { start == nil && end == nil && options.isEmpty }

  func validate() throws {
    try undoing.validate(isAlone: entry == nil && isUnchanged, missing: "Which episode?")
    guard undoing.undo || (entry != nil && !isUnchanged) else {
      throw ValidationError(
        entry == nil ? "Which episode?" : "Give what to change: --start, --end, --severity, …")
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let report = EpisodeNoun.report(global)
    guard let entry else { return try report.undo(.episodeEdit, in: library) }
    let found = try library.entry(entry, of: .episode)
    let result = try library.editEpisode(
      found, from: start?.day, notes: options.note, tags: options.tagging.tags,
      allowOverlap: options.allowOverlap
    ) { episode in
      try options.apply(to: &episode)
      if let end { episode.endDay = end.day }
    }
    if global.json {
      Output.result(JSON.line(EntryDocument(result.changed.first ?? found)))
    } else {
      try report.tell(result, done: "Changed", kind: .episodeEdit)
    }
  }
}

/// A day, or an empty text for none.
struct OptionalDayArgument: ExpressibleByArgument {
  let day: LocalDay?

  init?(argument: String) {
    day = DayArgument(argument: argument)?.day
    guard day != nil || argument.isEmpty else { return nil }
  }
}
