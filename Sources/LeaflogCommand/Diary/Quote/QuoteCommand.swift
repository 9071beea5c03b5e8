import ArgumentParser
internal import Leaflog

/// `leaflog quote`
struct QuoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quote", abstract: "A quote a day, favourites, and quotes of your own.",
    subcommands: [
      QuoteToday.self, QuoteList.self, QuoteAdd.self, QuoteFavourite.self, QuoteUnfavourite.self,
      QuoteShare.self,
    ], defaultSubcommand: QuoteToday.self)

  /// The quote with an id or, without one, that of a day.
  static func quote(_ id: String?, of day: LocalDay, in library: Library) throws -> Quote {
    if let id { return try library.quotes.find(id) }
    guard let quote = try library.quotes.known(of: day) else {
      throw LeaflogError(
        .notFound, "Today's quote is not known yet: `leaflog quote today` fetches it.")
    }
    return quote
  }
}

/// A quote in JSON.
struct QuoteDocument: Encodable {
  let id: String
  let text: String
  let author: String?
  let source: String?
  let origin: String
  let favourite: Bool
  /// The day it is the quote of, where one was asked for.
  var day: String?
  /// The id of its entry, where that is listed or was made.
  var entry: String?
  /// When it was made a favourite, where entries are listed.
  var occurredAt: String?
  /// Whether anything is other than before, where something was to be.
  var changed: Bool?

  init(_ quote: Quote, isFavourite: Bool) {
    id = quote.id.description
    text = quote.text
    author = quote.author
    source = quote.source
    origin = quote.origin.rawValue
    favourite = isFavourite
  }

  init(_ entry: Entry, _ quote: Quote) {
    self.init(quote, isFavourite: entry.deletedAt == nil)
    self.entry = entry.id.description
    occurredAt = entry.time.recorded.iso8601
  }
}

/// Quotes as lines of text.
struct QuoteText {
  let terminal: Terminal

  /// The text, who said it, and its id.
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
  /// The quote that a favourite has.
  var quote: Quote? { if case .quote(let quote) = content { quote } else { nil } }
}
