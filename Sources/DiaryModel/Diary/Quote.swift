package import Fields

/// A quote.
public struct Quote: Sendable, Hashable, Identifiable {
  /// The source of a quote.
  public enum Origin: String, Sendable, CaseIterable {
    /// The collection that comes with Leaflog.
    case bundled
    /// Added by the user.
    case own
    /// The service zenquotes.io.
    case zenquotes
  }

  /// Stable for the quote's life.
  public internal(set) var id: QuoteID
  public internal(set) var text: String
  public internal(set) var author: String?
  /// The work it is taken from.
  public internal(set) var source: String?
  public internal(set) var origin: Origin

  public init(id: QuoteID, text: String, author: String?, source: String?, origin: Origin) {
    self.id = id
    self.text = text
    self.author = author
    self.source = source
    self.origin = origin
  }

  /// The text in quotation marks, with its author and source.
  public var attributed: String {
    let by = [author, source].compactMap { $0 }.joined(separator: ", ")
    return "“\(text)”" + (by.isEmpty ? "" : " — \(by)")
  }
}

extension Quote: Fielded {
  package static let blank = Quote(
    id: QuoteID(stored: ""), text: "", author: nil, source: nil, origin: .own)

  package static let fields = Fields<Quote>([
    Field("id", \.id, .id),
    Field("text", \.text, .verbatim),
    Field("author", \.author, .text),
    Field("source", \.source, .text),
    Field("origin", \.origin, .choice, standard: .own),
  ]).named("QuoteContent")
}

extension Quote.Origin: FieldValue {}
