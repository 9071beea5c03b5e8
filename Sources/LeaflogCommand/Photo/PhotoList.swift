import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog photo list`
struct PhotoList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Photos, most recent first, a page at a time.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: TimelineOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if options.pictures { try global.allowPictures("--pictures") }
  }

  func run(in context: CommandContext) throws {
    try TimelineReport(options: options, context: context).tell([.photo], as: .items)
  }
}
