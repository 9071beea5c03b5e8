internal import DiaryCatalog

/// What a search found.
public struct SearchResult: Sendable {
  /// Plants in whose own words everything was found, by name; on the first page only, and only of a
  /// search through the whole timeline.
  public let plants: [Plant]
  /// Entries: everything was found in their notes, tags or words, or in those of their plant.
  public let page: Page<Entry>
}

extension Library {
  /// Finds entries and plants by words: of notes, tags, plant names, scientific names and locations,
  /// and of what the kinds of entries say.
  ///
  /// Every word has to be found, each at the start of a word, whatever its case and diacritics; what
  /// stands in double quotes is found as it stands there.
  ///
  /// - Parameters:
  ///   - text: what people type; nothing in it is an operator but double quotes.
  ///   - query: among which entries; all on the timeline, newest first, by default.
  ///   - position: `.start`, or a page's `next` or `previous`.
  ///   - limit: 1 to 1000 entries.
  public func search(
    _ text: String, in query: TimelineQuery = TimelineQuery(),
    at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> SearchResult {
    guard (1...1000).contains(limit) else {
      throw .invalid("A page has 1 to 1000 entries, not \(limit).")
    }
    let parsed = SearchText(text)
    return try translating {
      SearchResult(
        plants: position == .start && query == TimelineQuery()
          ? try catalog.plants(matching: parsed) : [],
        page: try catalog.search(parsed, query, at: position, limit: limit))
    }
  }
}
