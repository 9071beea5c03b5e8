internal import DiaryCatalog

/// The results of a search.
public struct SearchResult: Sendable {
  /// Plants whose own text matches, by name; only on the first page, and only of a search through the whole
  /// timeline.
  public let plants: [Plant]
  /// Entries whose notes, tags or text match, including those of their plant.
  public let page: Page<Entry>
}

extension Timeline {
  /// Finds entries and plants by words: in notes, tags, plant names, scientific names and locations,
  /// and in the text of the kinds of entries.
  ///
  /// Every word must match the start of a word, regardless of case and diacritics; a phrase in double
  /// quotes must match literally.
  ///
  /// - Parameters:
  ///   - text: the user's search text; only double quotes have a special meaning.
  ///   - query: the entries to search; all on the timeline, newest first, by default.
  ///   - position: `.start`, or a page's `next` or `previous`.
  ///   - limit: 1 to 1000 entries.
  public func search(
    _ text: String, in query: TimelineQuery = TimelineQuery(),
    at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> SearchResult {
    try Self.check(limit)
    let parsed = SearchText(text)
    return try translating {
      SearchResult(
        plants: position == .start && query == TimelineQuery()
          ? try catalog.read { try $0.plants.matching(parsed) } : [],
        page: try catalog.read { try $0.timeline.search(parsed, query, at: position, limit: limit) }
      )
    }
  }
}
