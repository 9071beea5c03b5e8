import ArgumentParser
internal import Leaflog

/// `leaflog show`
struct ShowCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all details of a photo or any other entry.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: ShowOptions

  var global: GlobalOptions { options.global }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let entry = try library.diary.entry(options.photo)
    guard entry.kind == .photo else { return try EntryText.show(entry, in: library, context) }
    let photo = try library.photos.find(entry.id.description)
    try PhotoText(library: library, context: context).tell(photo, drawn: options.picture)
  }
}
