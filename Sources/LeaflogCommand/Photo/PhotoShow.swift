import ArgumentParser
internal import Leaflog

/// `leaflog photo show`
struct PhotoShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all details of a photo.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: ShowOptions

  var global: GlobalOptions { options.global }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    try PhotoText(library: library, context: context).tell(
      library.photos.find(options.photo), drawn: options.picture)
  }
}
