import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote list`
struct QuoteList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List favourites, latest first, or all quotes.")

  @Flag(help: "List all quotes: your own, fetched ones, and the built-in collection.")
  var all = false

  @Option(
    help: """
      Search all quotes for words beginning with these, in text, author or source.
      """)
  var search: String?

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if all || search != nil, list.from != nil || list.to != nil {
      throw ValidationError("--from and --to are for favourites.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let position = (list.before ?? list.after).map { TimelinePosition.cursor($0) } ?? .start
    if all || search != nil {
      let page = try library.quotes.page(matching: search, at: position, limit: list.limit)
      let favourites = try library.quotes.favouriteIDs()
      tell(
        page.elements.map { (QuoteDocument($0, isFavourite: favourites.contains($0.id)), $0) },
        next: page.next, nothing: "No quotes match.", context
      ) { favourites.contains($0.id) ? "a favourite" : nil }
    } else {
      let page = try library.quotes.favourites(
        from: list.firstDay(in: library), to: list.lastDay(in: library), at: position,
        limit: list.limit)
      let found = page.elements.compactMap { entry in entry.quote.map { (entry, $0) } }
      let days = Dictionary(found.map { ($1.id, $0.time.localDay) }) { first, _ in first }
      tell(
        found.map { (QuoteDocument($0, $1), $1) }, next: page.next,
        nothing: "No favourites. `leaflog quote favourite` makes today's quote one.", context
      ) { days[$0.id].map { "since \($0)" } }
    }
  }

  private func tell(
    _ found: [(document: QuoteDocument, quote: Quote)], next: Cursor?, nothing: String,
    _ context: CommandContext, note: (Quote) -> String?
  ) {
    if global.json {
      return context.output.print(
        json: Listing(items: found.map(\.document), next: next?.description))
    }
    let text = QuoteText(terminal: context.output.terminal)
    for (index, (_, quote)) in found.enumerated() {
      if index > 0 { context.output.print("") }
      text.lines(quote, note: note(quote)).forEach(context.output.print)
    }
    guard !global.quiet else { return }
    if found.isEmpty { context.error.print(nothing) }
    context.error.print(next: next)
  }
}
