package import Leaflog

/// A quote in JSON.
package struct QuoteDocument: Encodable {
  let id: String
  let text: String
  let author: String?
  let source: String?
  let origin: String
  let favourite: Bool
  /// The day it is the quote of, if a day's quote was asked for.
  package var day: String?
  /// The id of its entry, if that is listed or was created.
  package var entry: String?
  /// When it was made a favourite, if entries are listed.
  package var occurredAt: String?
  /// Whether an edit changed anything; nil unless it is the result of one.
  package var changed: Bool?

  package init(_ quote: Quote, isFavourite: Bool) {
    id = quote.id.description
    text = quote.text
    author = quote.author
    source = quote.source
    origin = quote.origin.rawValue
    favourite = isFavourite
  }

  package init(_ entry: Entry, _ quote: Quote) {
    self.init(quote, isFavourite: entry.deletedAt == nil)
    self.entry = entry.id.description
    occurredAt = entry.time.recorded.iso8601
  }
}
