/// A quote.
public struct Quote: Sendable, Hashable, Codable, Identifiable {
  /// The source of a quote.
  public enum Origin: String, Sendable, CaseIterable, Codable {
    /// The collection that comes with Leaflog.
    case bundled
    /// Added by the user.
    case own
    /// The service zenquotes.io.
    case zenquotes
  }

  /// Stable for the quote's life.
  public let id: QuoteID
  public let text: String
  public let author: String?
  /// The work it is taken from.
  public let source: String?
  public let origin: Origin

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
