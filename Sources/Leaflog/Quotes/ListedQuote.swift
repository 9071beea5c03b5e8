internal import DiaryModel

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

/// The rotation of quotes: one a day, so that none repeats before all the others have been shown. An
/// added quote is inserted at the present position: it is shown on the next day, and the others
/// continue after it.
///
/// A day's quote depends on nothing that is added on that day or later.
struct QuoteRing {
  /// Positions of quotes: the bundled ones, then those that were added.
  private var ring: [Int]
  /// The day that `head` is for.
  private var day: LocalDay
  private var head: Int

  /// - Parameters:
  ///   - bundledCount: at least one.
  ///   - additions: the days on which quotes were added, in order.
  init(bundledCount: Int, additions: [LocalDay]) {
    precondition(bundledCount > 0)
    ring = Array(0..<bundledCount)
    day = LocalDay(dayNumber: 0)
    head = 0
    var additionsOfDay = 0
    for (index, added) in additions.enumerated() {
      let first = added.advanced(by: 1)
      if first > day || index == 0 {
        head = place(on: first)
        day = first
        additionsOfDay = 0
      }
      ring.insert(bundledCount + index, at: head + additionsOfDay)
      additionsOfDay += 1
    }
  }

  private func place(on other: LocalDay) -> Int {
    let place = (head + other.dayNumber - day.dayNumber) % ring.count
    return place < 0 ? place + ring.count : place
  }

  /// The position of a day's quote. The additions have to be from before that day.
  func position(on day: LocalDay) -> Int { ring[place(on: day)] }
}

/// Finds words in quotes, as `search` does in entries.
struct QuoteSearch {
  /// Consecutive words that have to match; the last word of a term that is not a phrase is a prefix.
  private let terms: [(words: [String], isPhrase: Bool)]

  init(_ text: String) {
    terms = SearchText(text).terms.map { (Self.words($0.text), $0.isPhrase) }.filter {
      !$0.words.isEmpty
    }
  }

  /// Whether all terms match its text, author or source.
  func fits(_ quote: Quote) -> Bool {
    let fields = [quote.text, quote.author, quote.source].compactMap { $0 }.map(Self.words)
    return terms.allSatisfy { term in
      fields.contains { Self.found(term.words, isPhrase: term.isPhrase, in: $0) }
    }
  }

  private static func found(_ words: [String], isPhrase: Bool, in text: [String]) -> Bool {
    guard let last = words.last, text.count >= words.count else { return false }
    return (0...(text.count - words.count)).contains { start in
      let place = text[start..<(start + words.count)]
      return place.dropLast().elementsEqual(words.dropLast())
        && (isPhrase ? place.last == last : place.last?.hasPrefix(last) == true)
    }
  }

  private static func words(_ text: String) -> [String] { SearchWords.all(in: text) }
}
