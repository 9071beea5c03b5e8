internal import DiaryCatalog

/// The entries of a library in order of time, read a page at a time.
///
/// A page costs the same at any depth, and walking from page to page visits every entry exactly once, even
/// while photos are being added: these appear where they belong, and the others stay.
public struct Timeline: LibrarySection {
  let library: Library

  /// A page of at most `limit` entries in the query's order.
  ///
  /// - Parameters:
  ///   - query: the entries to list; all of them, newest first, by default.
  ///   - position: where to start: `.start`, a page's `next` or `previous`, or around a place.
  ///   - limit: 1 to 1000 entries.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func page(
    _ query: TimelineQuery = TimelineQuery(), at position: TimelinePosition = .start,
    limit: Int = 50
  ) throws(LeaflogError) -> Page<Entry> {
    try Self.check(limit)
    return try read { try $0.timeline.page(query, at: position, limit: limit) }
  }

  /// - Throws: `LeaflogError` with code `invalidRequest` for a number of entries that no page has.
  static func check(_ limit: Int) throws(LeaflogError) {
    guard (1...1000).contains(limit) else {
      throw .invalid("A page has 1 to 1000 items, not \(limit).")
    }
  }

  /// At most `count` entries, evenly spaced from the first to the last, in the query's order. Walks all its entries.
  ///
  /// - Parameter count: 1 to 1000.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a count out of its range.
  public func sample(
    _ query: TimelineQuery, count: Int
  ) throws(LeaflogError) -> [Entry] {
    guard (1...1000).contains(count) else {
      throw LeaflogError(.invalidRequest, "A sample has 1 to 1000 entries, not \(count).")
    }
    return try read { try $0.timeline.sample(query, count: count) }
  }

  /// The ids of a query's entries, in its order.
  ///
  /// - Parameter ends: two entries, in any order; only what lies between them is returned, with both where they match. They may
  ///   be in the trash.
  /// - Throws: `LeaflogError` with code `notFound` where an end does not exist any more.
  public func ids(
    _ query: TimelineQuery = TimelineQuery(), between ends: (EntryID, EntryID)? = nil
  ) throws(LeaflogError) -> [EntryID] {
    try read { try $0.timeline.ids(query, between: ends) }
  }

  /// The kinds of those entries that are on the timeline: ids of others, deleted or unknown, are absent.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func kinds(of ids: [EntryID]) throws(LeaflogError) -> [EntryID: EntryKind] {
    try read { try $0.timeline.kinds(of: ids) }
  }

  /// The number of entries per day, week, month or year; spans without any are left out.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func buckets(
    _ query: TimelineQuery = TimelineQuery(), by unit: BucketUnit
  ) throws(LeaflogError) -> [Bucket] {
    try read { try $0.timeline.buckets(query, by: unit) }
  }

  /// The number of photos of each plant, and of other entries, per day; the newest day first. The tallies of recent
  /// queries are kept in memory until the library changes.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func tally(_ query: TimelineQuery = TimelineQuery()) throws(LeaflogError) -> [DayTally] {
    try translating { try catalog.tally(query) }
  }

  /// The entries of a query outside the stacks, newest first, and the query's photo that stands for each stack: the latest
  /// or, if that is dark, the light one nearest the middle of those of its day.
  ///
  /// - Parameter limit: the maximum number of entries outside the stacks, 0 to 100,000.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func entries(
    _ query: TimelineQuery, stacking stacks: [PhotoStack], limit: Int
  ) throws(LeaflogError) -> StackedEntries {
    guard (0...100_000).contains(limit) else {
      throw .invalid("A list with stacks has 0 to 100,000 entries, not \(limit).")
    }
    return try read { tables in
      StackedEntries(
        entries: try tables.timeline.entries(query, outside: stacks, limit: limit),
        covers: try tables.timeline.covers(of: stacks, in: query))
    }
  }
}

/// The entries of a query, some of which are in stacks.
public struct StackedEntries: Sendable, Hashable {
  /// Those outside the stacks, newest first.
  public let entries: [Entry]
  /// The photo that stands for each stack that has one.
  public let covers: [PhotoStack: Entry]
}

extension Timeline {
  /// The photo that stands for those of a query: the latest or, if that is dark, the light one nearest the middle of those of
  /// its day. Nil if there is none.
  package func cover(of query: TimelineQuery) throws(LeaflogError) -> Entry? {
    try read { try $0.timeline.cover(of: query) }
  }

  /// The photo itself or, if it is dark, the light one of a query nearest the middle of those of the day.
  package func light(_ photo: Entry, in query: TimelineQuery) throws(LeaflogError) -> Entry {
    try read { try $0.timeline.light(photo, in: query) }
  }
}

/// The results of a search.
public struct SearchResult: Sendable {
  /// Plants whose own text matches, by name; only on the first page, and only of a search through the whole
  /// timeline.
  public let plants: [Plant]
  /// Entries whose notes, tags or text match, including those of their plant.
  public let page: Page<Entry>
  /// Where nothing was found, the text with misspelt words replaced by known ones; nil if none is close.
  public let suggestion: String?
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
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func search(
    _ text: String, in query: TimelineQuery = TimelineQuery(),
    at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> SearchResult {
    try search(text, names: [], in: query, at: position, limit: limit)
  }

  /// - Parameter names: the names of moods, illnesses and others in the reader's language, which are found as well.
  package func search(
    _ text: String, names: [ShownName], in query: TimelineQuery = TimelineQuery(),
    at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> SearchResult {
    try Self.check(limit)
    let parsed = SearchText(text, names: names)
    return try read { tables in
      let plants =
        position == .start && query == TimelineQuery() ? try tables.plants.matching(parsed) : []
      let page = try tables.timeline.search(parsed, query, at: position, limit: limit)
      let isNothing = plants.isEmpty && page.elements.isEmpty && position == .start
      return SearchResult(
        plants: plants, page: page,
        suggestion: isNothing
          ? try tables.timeline.correction(of: parsed, names: names.map(\.shown)) : nil)
    }
  }
}

/// Visits entries one after another, with one page in memory at a time.
///
/// Entries that are added or moved meanwhile may or may not be visited; all others are, exactly once.
struct TimelineWalk {
  private static let pageLimit = 500

  private let timeline: Timeline
  private let query: TimelineQuery
  /// The position of the next page; nil when this one is the last.
  private var position: TimelinePosition? = .start
  private var page: ArraySlice<Entry> = []

  init(_ timeline: Timeline, _ query: TimelineQuery) {
    (self.timeline, self.query) = (timeline, query)
  }

  mutating func next() throws(LeaflogError) -> Entry? {
    while page.isEmpty, let position {
      let found = try timeline.page(query, at: position, limit: Self.pageLimit)
      page = found.elements[...]
      self.position = found.next.map { .cursor($0) }
    }
    return page.popFirst()
  }
}
