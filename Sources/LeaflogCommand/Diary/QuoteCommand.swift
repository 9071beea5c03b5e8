import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog quote`
struct QuoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quote",
    abstract: "Show the quote of the day, and manage favourites and your own quotes.",
    subcommands: [
      QuoteToday.self, QuoteList.self, QuoteAdd.self, QuoteDelete.self, QuoteFavourite.self,
      QuoteUnfavourite.self, QuoteShare.self,
    ], defaultSubcommand: QuoteToday.self)

  /// The quote with this id or, without one, the quote of the day.
  static func quote(_ id: String?, of day: LocalDay, in library: Library) throws -> Quote {
    if let id { return try library.quotes.find(matching: id) }
    guard let quote = try library.quotes.known(of: day) else {
      throw LeaflogError(
        .notFound, "Today's quote is not known yet: `leaflog quote today` fetches it.")
    }
    return quote
  }
}

/// Quotes as lines of text.
private struct QuoteText {
  let terminal: Terminal

  /// The text, its author, and its id.
  func lines(_ quote: Quote, note: String? = nil) -> [String] {
    let width = max(20, min(terminal.width, 100))
    let by = [quote.author, quote.source].compactMap { $0 }.joined(separator: ", ")
    var lines = TextLayout.wrapped(quote.quoted, to: width)
    if !by.isEmpty { lines += TextLayout.wrapped("— \(by)", to: width - 2).map { "  " + $0 } }
    let id = [String(quote.id.description.prefix(8)), note].compactMap { $0 }
    return lines + ["  " + terminal.styled(id.joined(separator: " · "), .dim)]
  }
}

extension Entry {
  /// The quote of a favourite.
  var quote: Quote? { if case .quote(let quote) = content { quote } else { nil } }
}

/// `leaflog quote today`
private struct QuoteToday: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show the quote of the day.",
    discussion: """
      It is a built-in quote, or one that you added before that day; none repeats until all have \
      been shown. No network is used unless `leaflog settings set quotes.source zenquotes` is set: \
      then this command asks zenquotes.io once a day.
      """)

  @Option(help: "Another day: 2026-03-01, yesterday.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    var library = try context.openLibrary(for: .reading)
    let day = try on?.day(in: library) ?? library.today
    if day == library.today, try library.quotes.isServiceDue() {
      do {
        library = try context.openLibrary(for: .writingSerially)
      } catch let error as LeaflogError where error.code == .readOnly {
        // Then the service is not asked, and the result says so.
      }
    }
    let found = try await library.quotes.fetch(of: day)
    if let problem = found.problem {
      context.error.print("leaflog: \(problem). Showing a quote from the library instead.")
    }
    let isFavourite = try library.quotes.favouriteIDs().contains(found.quote.id)
    if global.json {
      var document = QuoteDocument(found.quote, isFavourite: isFavourite)
      document.day = found.day
      context.output.print(json: document)
    } else {
      QuoteText(terminal: context.output.terminal).lines(
        found.quote, note: isFavourite ? "a favourite" : nil
      )
      .forEach(context.output.print)
    }
  }
}

/// `leaflog quote list`
private struct QuoteList: LeaflogSubcommand {
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
      report(
        page.elements.map { (QuoteDocument($0, isFavourite: favourites.contains($0.id)), $0) },
        next: page.next, nothing: "No quotes match.", context
      ) { favourites.contains($0.id) ? "a favourite" : nil }
    } else {
      let page = try library.quotes.favourites(
        from: list.firstDay(in: library), to: list.lastDay(in: library), at: position,
        limit: list.limit)
      let found = page.elements.compactMap { entry in entry.quote.map { (entry, $0) } }
      let days = Dictionary(found.map { ($1.id, $0.time.localDay) }) { first, _ in first }
      report(
        found.map { (QuoteDocument($0, $1), $1) }, next: page.next,
        nothing: "No favourites. `leaflog quote favourite` makes today's quote one.", context
      ) { days[$0.id].map { "since \($0)" } }
    }
  }

  private func report(
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

/// `leaflog quote add`
private struct QuoteAdd: LeaflogSubcommand {
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
    let library = try context.openLibrary(for: .writingSerially)
    let added = try library.quotes.add(text, author: author, source: source)
    if global.json {
      var document = QuoteDocument(
        added.quote, isFavourite: try library.quotes.favouriteIDs().contains(added.quote.id))
      document.changed = added.isNew
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(
        added.quote, note: added.isNew ? nil : "already exists"
      )
      .forEach(context.output.print)
    }
  }
}

/// `leaflog quote delete`
private struct QuoteDelete: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete one of your own quotes.",
    discussion: """
      If it is a favourite, it stays on the timeline. `leaflog undo` brings the quote back.
      """)

  @Argument(help: "The quote's id, or a prefix of it.")
  var quote: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.quotes.find(matching: quote)
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

/// `leaflog quote favourite`
private struct QuoteFavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Add a quote to favourites, which puts it on the timeline.",
    discussion: "Without an id, today's quote is used.")

  @Argument(help: "A quote's id, or a prefix of it.")
  var quote: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try QuoteCommand.quote(quote, of: library.today, in: library)
    let favourite = try library.quotes.favourite(found, tags: tagging.tags)
    if global.json {
      var document = QuoteDocument(favourite.entry, found)
      document.changed = favourite.isNew
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(found).forEach(context.output.print)
      context.output.print(
        favourite.isNew
          ? "Added to favourites. `leaflog undo` undoes it."
          : "It is already a favourite.")
    }
  }
}

/// `leaflog quote unfavourite`
private struct QuoteUnfavourite: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unfavourite", abstract: "Remove a quote from favourites.",
    discussion: """
      The quote stays, and `leaflog quote favourite` makes it a favourite again.
      """)

  @Argument(help: "The id of the quote or of its entry, or a prefix of it.")
  var quote: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let former = try library.quotes.unfavourite(matching: quote)
    guard let found = former.entry.quote else { return }
    if global.json {
      var document = QuoteDocument(former.entry, found)
      document.changed = former.isChanged
      context.output.print(json: document)
    } else if !global.quiet {
      QuoteText(terminal: context.output.terminal).lines(found).forEach(context.output.print)
      context.output.print(
        former.isChanged
          ? "Removed from favourites. `leaflog undo` undoes it."
          : "It was not a favourite.")
    }
  }
}

/// `leaflog quote share`
private struct QuoteShare: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Share a quote as text, or as a picture on a photo of the day.",
    discussion: """
      leaflog quote share
      leaflog quote share b12 --on 2026-03-01 -o card.jpg

      The photo is the latest of that day or before; without one, the card is plain. The picture \
      contains no metadata.
      """)

  @Argument(help: "A quote's id, or a prefix of it. Default: the day's quote.")
  var quote: String?

  @Option(help: "The day of the quote and of the photo. Default: today.")
  var on: DayArgument?

  @Option(name: .shortAndLong, help: "The file to write: .jpg, .png or .webp.", completion: .file())
  var output: String?

  @OptionGroup var global: GlobalOptions

  private struct Made: Shown {
    let path: String
    let card: QuoteCard.Summary
    let quote: QuoteDocument

    static let shown = Fields<Made>([
      Field(adding: "path", .text) { $0.path },
      Field(adding: "width", .pixels) { $0.card.size.width },
      Field(adding: "height", .pixels) { $0.card.size.height },
      Field(adding: "byteCount", .byteCount) { $0.card.byteCount },
      // The photo behind the text.
      Field(adding: "photo", .id) { $0.card.photo?.id },
      Field(adding: "quote", QuoteDocument.shown) { $0.quote },
    ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let day = try on?.day(in: library) ?? library.today
    try day.refuseFuture(in: library)
    let found = try QuoteCommand.quote(quote, of: day, in: library)
    var document = QuoteDocument(
      found, isFavourite: try library.quotes.favouriteIDs().contains(found.id))
    if quote == nil { document.day = day }
    guard let output else {
      return context.output.print(
        global.json ? JSON.line(document) : TextLayout.singleLine(found.attributed))
    }
    let made = try QuoteCard(library).write(found, on: day, to: context.path(output))
    if global.json {
      context.output.print(json: Made(path: output, card: made, quote: document))
    } else if !global.quiet {
      let ground = made.photo.map { "on the photo \($0.id.short) of \($0.time.date)" }
      context.output.print(
        "Wrote \(TextLayout.singleLine(output)): \(made.size) px, "
          + "\(Quantities.bytes(made.byteCount)), \(ground ?? "without a photo").")
    }
  }
}
