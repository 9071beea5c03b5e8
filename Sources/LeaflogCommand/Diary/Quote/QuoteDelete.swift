import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote delete`
struct QuoteDelete: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete one of your own quotes.",
    discussion: """
      If it is a favourite, it stays on the timeline. `leaflog undo` brings the quote back.
      """)

  @Argument(help: "The quote's id, or a prefix of it.")
  var quote: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.quotes.find(quote)
    let isChanged = try library.quotes.delete(found)
    if global.json {
      var document = QuoteDocument(
        found, isFavourite: try library.quotes.favouriteIDs().contains(found.id))
      document.changed = isChanged
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(found).forEach(context.output.print)
      context.output.print(
        isChanged
          ? "Deleted the quote. `leaflog undo` undoes it." : "It was already deleted.")
    }
  }
}
