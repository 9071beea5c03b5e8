import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote add`
struct QuoteAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a quote of your own.",
    discussion: """
      leaflog quote add 'Il faut cultiver notre jardin.' --author Voltaire --source Candide

      From tomorrow on it takes turns with the others.
      """)

  @Argument(
    help: "What was said. Lines of verse come with ' / ' between them, or on their own lines.")
  var text: String

  @Option(help: "Who said it.")
  var author: String?

  @Option(help: "The work it stands in.")
  var source: String?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let (quote, isNew) = try library.quotes.add(text, author: author, source: source)
    if global.json {
      var document = QuoteDocument(
        quote, isFavourite: try library.quotes.favouriteIDs().contains(quote.id))
      document.changed = isNew
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(
        quote, note: isNew ? nil : "was there already"
      )
      .forEach(context.output.print)
    }
  }
}
