import ArgumentParser
internal import Leaflog

/// `leaflog episode start`
struct EpisodeStart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "An episode that goes on: `episode end` ends it.",
    discussion: "leaflog episode start --type cold --symptom 'sore throat' --symptom fever")

  @Option(help: "Its first day. Today, unless given.")
  var start: DayArgument?

  @OptionGroup var options: EpisodeOptions
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(
      isAlone: start == nil && options.isEmpty,
      missing: "Which type? --type \(Episode.Illness.oneOf).")
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    if undoing.undo {
      return try EpisodeNoun.report(global).undo(.episodeStart, in: library)
    }
    let entry = try library.addEpisode(
      options.episode(end: nil), from: start?.day ?? .today, notes: options.note,
      tags: options.tagging.tag, allowOverlap: options.allowOverlap, as: .episodeStart)
    EpisodeNoun.tell(entry, done: nil, global)
  }
}

/// `leaflog episode end`
struct EpisodeEnd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End the active episode.")

  @Argument(help: "Its id or the start of it, where several are active.")
  var entry: String?

  @Option(help: "Its last day. Today, unless given.")
  var date: DayArgument?

  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if undoing.undo { try undoing.validate(isAlone: entry == nil && date == nil, missing: "") }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    if undoing.undo { return try EpisodeNoun.report(global).undo(.episodeEnd, in: library) }
    let ended = try library.endEpisode(
      entry.map { try library.entry($0, of: .episode) }, on: date?.day ?? .today)
    EpisodeNoun.tell(ended, done: "Ended.", global)
  }
}
