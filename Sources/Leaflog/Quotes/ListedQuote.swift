/// A quote with its position in the list of all quotes.
struct ListedQuote: Comparable {
  let quote: Quote
  let instant: Timestamp
  let sequence: Int64

  static func < (left: ListedQuote, right: ListedQuote) -> Bool {
    (left.instant, left.sequence) < (right.instant, right.sequence)
  }

  private func cursor(_ heading: Cursor.Heading) -> Cursor {
    let day = LocalDateTime(utc: instant).day
    return Cursor(day: day, instant: instant, sequence: sequence, heading: heading)
  }

  private func isBeyond(_ cursor: Cursor) -> Bool {
    let (own, other) = ((instant, sequence), (cursor.instant, cursor.sequence))
    return cursor.heading == .older ? own < other : own > other
  }

  /// A page of quotes, which have to be sorted newest first.
  static func page(
    _ quotes: [ListedQuote], at position: TimelinePosition, limit: Int
  ) -> Page<Quote> {
    var shown = quotes[...]
    switch position {
    case .start: shown = shown.prefix(limit)
    case .cursor(let cursor) where cursor.heading == .older:
      shown = shown.drop { !$0.isBeyond(cursor) }.prefix(limit)
    case .cursor(let cursor): shown = shown.prefix { $0.isBeyond(cursor) }.suffix(limit)
    case .around(let place):
      let newer = shown.prefix { !$0.isBeyond(place.facing(.older)) }.suffix(limit / 2)
      shown = shown[newer.startIndex...].prefix(limit)
    }
    return Page(
      elements: shown.map(\.quote),
      next: shown.endIndex < quotes.endIndex ? shown.last?.cursor(.older) : nil,
      previous: shown.startIndex > 0 ? shown.first?.cursor(.newer) : nil)
  }
}
