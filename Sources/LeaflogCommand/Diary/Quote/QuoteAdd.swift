import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote add`
struct QuoteAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add your own quote.",
    discussion: """
      leaflog quote add 'Il faut cultiver notre jardin.' --author Voltaire --source Candide

      It joins the rotation tomorrow.
      """)

  @Argument(help: "The text. Separate lines of verse with ' / ' or line breaks.")
  var text: String

  @Option(parsing: .unconditional, help: "Who said it.")
  var author: String?

  @Option(parsing: .unconditional, help: "The work it is from.")
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
        quote, note: isNew ? nil : "already exists"
      )
      .forEach(context.output.print)
    }
  }
}
