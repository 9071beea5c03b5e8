package import DiaryModel
internal import GRDB

extension Catalog {
  /// A page of the entries of a query in whose notes, tags or words, or in whose plant's name,
  /// scientific name, location or notes, every term is found.
  package func search(
    _ text: SearchText, _ query: TimelineQuery = TimelineQuery(), at position: TimelinePosition,
    limit: Int
  ) throws -> Page<Entry> {
    guard !text.terms.isEmpty else { return Page(elements: [], next: nil, previous: nil) }
    return try read { database in
      let filter = TimelineFilter(query, isLed: false)
      return try Self.page(at: position, query.order.heading, limit) { cursor, heading, count in
        try Self.fetch(text, filter, from: cursor, heading, count, database)
      }
    }
  }

  /// The plants in whose own words every term is found.
  package func plants(matching text: SearchText) throws -> [Plant] {
    guard !text.terms.isEmpty else { return [] }
    let found = text.terms.map { _ in "SELECT rowid FROM plantText WHERE plantText MATCH ?" }
    return try plants(
      where: "p.id IN (\(found.joined(separator: " INTERSECT ")))",
      StatementArguments(text.terms.map(\.match)))
  }

  /// The places are sorted before anything of the entries is read, so that a word which stands
  /// everywhere costs little more than one that is rare.
  private static func fetch(
    _ text: SearchText, _ filter: TimelineFilter, from cursor: DiaryModel.Cursor?,
    _ heading: DiaryModel.Cursor.Heading, _ limit: Int, _ database: Database
  ) throws -> [Entry] {
    let found = text.terms.map { _ in
      """
      SELECT id FROM (SELECT rowid AS id FROM entryText WHERE entryText MATCH ?
        UNION SELECT id FROM entry WHERE plantID IN
          (SELECT rowid FROM plantText WHERE plantText MATCH ?))
      """
    }.joined(separator: " INTERSECT ")
    var arguments = StatementArguments(text.terms.flatMap { [$0.match, $0.match] })
    arguments += filter.arguments
    let direction = heading == .older ? "DESC" : "ASC"
    var place = ""
    if let cursor {
      place = " AND (e.occurredAt, e.seq) \(heading == .older ? "<" : ">") (?, ?)"
      arguments += [cursor.instant.milliseconds, cursor.sequence]
    }
    arguments += [limit]
    let order = "ORDER BY e.occurredAt \(direction), e.seq \(direction)"
    return try database.entries(
      """
      WITH found AS (\(found)),
        shown AS (SELECT e.id FROM found CROSS JOIN entry e ON e.id = found.id
          WHERE \(filter.condition)\(place) \(order) LIMIT ?)
      \(EntrySelection.columns) FROM shown CROSS JOIN entry e ON e.id = shown.id
      \(EntrySelection.joins) \(order)
      """, arguments)
  }
}

extension SearchText.Term {
  /// As an FTS5 string (sqlite.org/fts5.html, 3.1): in quotes, so that nothing in it is an operator.
  fileprivate var match: String {
    func quoted(_ text: String) -> String {
      "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\""
    }
    return switch self {
    case .prefix(let text): quoted(text) + "*"
    case .phrase(let text): quoted(text)
    }
  }
}
