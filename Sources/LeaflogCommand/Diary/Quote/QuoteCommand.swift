import ArgumentParser
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
    if let id { return try library.quotes.find(id) }
    guard let quote = try library.quotes.known(of: day) else {
      throw LeaflogError(
        .notFound, "Today's quote is not known yet: `leaflog quote today` fetches it.")
    }
    return quote
  }
}

/// Quotes as lines of text.
struct QuoteText {
  let terminal: Terminal

  /// The text, its author, and its id.
  func lines(_ quote: Quote, note: String? = nil) -> [String] {
    let width = max(20, min(terminal.width, 100))
    let by = [quote.author, quote.source].compactMap { $0 }.joined(separator: ", ")
    var lines = TextLayout.wrapped("“\(quote.text)”", to: width)
    if !by.isEmpty { lines += TextLayout.wrapped("— \(by)", to: width - 2).map { "  " + $0 } }
    let id = [String(quote.id.description.prefix(8)), note].compactMap { $0 }
    return lines + ["  " + terminal.styled(id.joined(separator: " · "), .dim)]
  }
}

extension Entry {
  /// The quote of a favourite.
  var quote: Quote? { if case .quote(let quote) = content { quote } else { nil } }
}
