/// Words worth a day.
public struct Quote: Sendable, Hashable, Codable, Identifiable {
  /// Where it was found.
  public enum Origin: String, Sendable, CaseIterable, Codable {
    /// In the collection that comes with Leaflog.
    case bundled
    /// Somebody wrote it down.
    case own
    /// zenquotes.io had it.
    case zenquotes
  }

  /// Stays with the quote.
  public let id: QuoteID
  public let text: String
  public let author: String?
  /// The work it stands in.
  public let source: String?
  public let origin: Origin

  public init(id: QuoteID, text: String, author: String?, source: String?, origin: Origin) {
    self.id = id
    self.text = text
    self.author = author
    self.source = source
    self.origin = origin
  }

  /// The text in quotation marks and who said it.
  public var attributed: String {
    let by = [author, source].compactMap { $0 }.joined(separator: ", ")
    return "“\(text)”" + (by.isEmpty ? "" : " — \(by)")
  }
}
