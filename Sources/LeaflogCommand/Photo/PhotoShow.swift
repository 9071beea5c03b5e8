import ArgumentParser
internal import Leaflog

/// `leaflog photo show`
struct PhotoShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Everything about one photo.",
    discussion: TerminalPictures.help)

  @Argument(help: "Its id, or the start of it.", completion: .photos)
  var photo: String

  @Flag(help: "Draw its thumbnail too.")
  var picture = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if picture { try global.allowPictures("--picture") }
  }

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    try PhotoText(library: library, options: global).tell(library.photo(photo), drawn: picture)
  }
}
