import ArgumentParser
internal import Leaflog

/// `leaflog show`
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Everything about one photo, or any other entry.",
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
    let entry = try library.entry(photo)
    guard entry.kind == .photo else { return try EntryText.show(entry, in: library, global) }
    let photo = try library.photo(entry.id.description)
    try PhotoText(library: library, options: global).tell(photo, drawn: picture)
  }
}
