package import Fields

/// A quote.
public struct Quote: Sendable, Hashable, Identifiable {
  /// The source of a quote.
  @nonexhaustive
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
  /// The words, without the quotation marks that `quoted` puts around them.
  public internal(set) var text: String
  /// The author; nil for none.
  public internal(set) var author: String?
  /// The work it is taken from; nil for none.
  public internal(set) var source: String?
  /// Where Leaflog has it from.
  public internal(set) var origin: Origin

  /// Creates a quote; nothing is validated or stored.
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
    return quoted + (by.isEmpty ? "" : " — \(by)")
  }

  /// The text in the quotation marks of its language; its own marks are those of a quote within a quote.
  /// A straight mark opens a quote at the beginning, after a space, and after an opening bracket or a dash.
  public var quoted: String {
    let (outer, inner): ([Character], [Character]) =
      isGerman ? (["„", "“"], ["‚", "‘"]) : (["“", "”"], ["‘", "’"])
    var previous: Character = " "
    let nested = text.map { character in
      defer { previous = character }
      if let place = outer.firstIndex(of: character) { return inner[place] }
      guard character == "\"" else { return character }
      return inner[previous.isWhitespace || "([{–—-/".contains(previous) ? 0 : 1]
    }
    return "\(outer[0])\(String(nested))\(outer[1])"
  }

  /// The letter that begins the ids of the German quotes that come with Leaflog; other ids are hexadecimal.
  package static let germanLetter = "g"

  /// The language of a quote that comes with Leaflog or from the service (RFC 5646); nil for one of the user's own.
  package var language: String? {
    origin == .own ? nil : id.description.hasPrefix(Self.germanLetter) ? "de" : "en"
  }

  /// Of a quote of the user's own, its marks tell.
  private var isGerman: Bool { language == "de" || text.contains("„") }
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
