import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog timeline`
struct TimelineCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Read the diary, most recent first, a page at a time.",
    discussion: TerminalPictures.help)

  @Option(help: "Only this kind; can be repeated.")
  var kind: [EntryKind] = []

  @OptionGroup var options: TimelineOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if options.pictures { try global.allowPictures("--pictures") }
  }

  func run(in context: CommandContext) throws {
    try TimelineReport(options: options, context: context).tell(Set(kind), as: .entries)
  }
}
