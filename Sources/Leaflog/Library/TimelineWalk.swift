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
