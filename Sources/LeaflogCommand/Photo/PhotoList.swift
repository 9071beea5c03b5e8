import ArgumentParser
internal import Leaflog

/// `leaflog photo list`
struct PhotoList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Photos, most recent first, a page at a time.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: TimelineOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if options.pictures { try global.allowPictures("--pictures") }
  }

  func run() throws {
    try TimelineReport(options: options, global: global).tell([.photo], as: .items)
  }
}
