import ArgumentParser
internal import Leaflog

/// `leaflog log show`
struct LogShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "The log of a day: today's, unless another is given.")

  @Argument(help: "The day, or the log's id or the start of it.")
  var day = "today"

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    try EntryText.show(LogNoun.entry(day, in: library), in: library, global)
  }
}
