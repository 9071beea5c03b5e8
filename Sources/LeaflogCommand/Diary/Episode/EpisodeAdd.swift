import ArgumentParser
internal import Leaflog

/// `leaflog episode add`
struct EpisodeAdd: LeaflogSubcommand {
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
    let library = try context.openLibrary(for: .editing)
    let first = try start.day(in: library)
    let episode = try options.episode(end: end?.day(in: library))
    let overlap = try library.diary.overlap(of: episode.days(from: first))
    guard try overlap.isMeant(context) else { return }
    let entry = try library.diary.addEpisode(
      episode, from: first, notes: options.note, tags: options.tagging.tag,
      allowOverlap: !overlap.isEmpty)
    try HealthNotice.show(in: library, context)
    EpisodeNoun.tell(entry, done: "Added.", in: library, context)
  }
}
