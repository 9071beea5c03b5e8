import ArgumentParser
internal import Leaflog

/// `leaflog episode add`
struct EpisodeAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Write down an episode that is over, or one that goes on.",
    discussion: """
      leaflog episode add --start 2026-03-01 --end 2026-03-08 --type cold --severity 3

      Asks when it would share days with other episodes.
      """)

  @Option(name: [.customLong("from"), .customLong("start")], help: "Its first day: 2026-03-01.")
  var start: DayArgument

  @Option(
    name: [.customLong("to"), .customLong("end")], help: "Its last day. Without one it goes on.")
  var end: DayArgument?

  @OptionGroup var options: EpisodeOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard options.type != nil else { throw EpisodeOptions.typeIsMissing }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let first = try start.day(in: library)
    let episode = try options.episode(end: end?.day(in: library))
    let overlap = try library.overlap(of: episode.days(from: first))
    guard overlap.isMeant(global) else { return }
    let entry = try library.addEpisode(
      episode, from: first, notes: options.note, tags: options.tagging.tag,
      allowOverlap: !overlap.isEmpty)
    try HealthNotice.show(in: library, global)
    EpisodeNoun.tell(entry, done: "Added.", in: library, global)
  }
}
