import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote favourite`
struct QuoteFavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Add a quote to favourites, which puts it on the timeline.",
    discussion: "Without an id, today's quote is used.")

  @Argument(help: "A quote's id, or a prefix of it.")
  var quote: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try QuoteCommand.quote(quote, of: library.today, in: library)
    let (entry, isNew) = try library.quotes.favourite(found, tags: tagging.tags)
    if global.json {
      var document = QuoteDocument(entry, found)
      document.changed = isNew
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(found).forEach(context.output.print)
      context.output.print(
        isNew
          ? "Added to favourites. `leaflog undo` undoes it."
          : "It is already a favourite.")
    }
  }
}

/// `leaflog quote unfavourite`
struct QuoteUnfavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unfavourite", abstract: "Remove a quote from favourites.",
    discussion: """
      The quote stays, and `leaflog quote favourite` makes it a favourite again.
      """)

  @Argument(help: "The id of the quote or of its entry, or a prefix of it.")
  var quote: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let (entry, isChanged) = try library.quotes.unfavourite(quote)
    guard let found = entry.quote else { return }
    if global.json {
      var document = QuoteDocument(entry, found)
      document.changed = isChanged
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(found).forEach(context.output.print)
      context.output.print(
        isChanged
          ? "Removed from favourites. `leaflog undo` undoes it."
          : "It was not a favourite.")
    }
  }
}
