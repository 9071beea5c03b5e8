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

  @Option(name: [.customLong("from"), .customLong("start")], help: "Its first day.")
  var start: DayArgument?

  @Option(name: [.customLong("to"), .customLong("end")], help: "Its last day; '' for none.")
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
    let last = try end.map { try $0.day(in: library) }
    let result = try library.editEpisode(
      found, from: start?.day(in: library), notes: options.note, allowOverlap: options.allowOverlap
    ) { episode in
      try options.apply(to: &episode)
      if let last { episode.endDay = last }
    }
    if global.json {
      Output.result(JSON.line(EntryDocument(result.changed.first ?? found)))
    } else {
      try report.tell(result, done: "Changed", kind: .episodeEdit, in: library)
    }
  }
}
