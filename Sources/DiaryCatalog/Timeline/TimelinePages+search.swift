package import DiaryModel
internal import GRDB

extension TimelinePages {
  /// If a term matches at most this many entries, they are sorted by time. Otherwise the timeline is
  /// scanned until a page is full.
  private static let fewRows = 20_000

  /// A page of the entries of a query that match every term, in their notes, tags or words, or in their
  /// plant's name, scientific name, location or notes.
  package func search(
    _ text: SearchText, _ query: TimelineQuery = TimelineQuery(), at position: TimelinePosition,
    limit: Int
  ) throws -> Page<Entry> {
    guard !text.terms.isEmpty else { return Page(elements: [], next: nil, previous: nil) }
    return try page(at: position, query.order.heading, limit) { cursor, heading, count in
      var terms = try text.terms.map { try TermMatches($0, heading, database) }
      let candidates = try candidates(query, &terms).rows(from: cursor, heading, database)
      var rows: [Int64] = []
      while rows.count < count, let candidate = try candidates.next() {
        let (row, plant): (Int64, Int64?) = (candidate[0], candidate[1])
        let isFound = try terms.indices.allSatisfy { try terms[$0].contain(row, plant: plant) }
        if isFound { rows.append(row) }
      }
      return try tables.entries.all(rows: rows)
    }
  }

  private func candidates(
    _ query: TimelineQuery, _ terms: inout [TermMatches]
  ) throws -> SearchCandidates {
    for index in terms.indices {
      if let rows = try terms[index].few(atMost: Self.fewRows) {
        return SearchCandidates(TimelineFilter(query, isLed: false), among: rows)
      }
    }
    return SearchCandidates(TimelineFilter(query))
  }
}

/// The entries that are checked for a page of a search, in order of time.
private struct SearchCandidates {
  private let filter: TimelineFilter
  private let source: String
  private let arguments: StatementArguments

  /// The entries of a query.
  init(_ filter: TimelineFilter) {
    self.filter = filter
    (source, arguments) = (filter.source, [])
  }

  /// The entries of a query that are in some rows.
  init(_ filter: TimelineFilter, among rows: [Int64]) {
    self.filter = filter
    (source, arguments) = (
      "json_each(?) r CROSS JOIN entry e ON e.id = r.value", [RowList(rows: rows)]
    )
  }

  /// The rows of entries with those of their plants.
  func rows(
    from cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading, _ database: Database
  ) throws -> RowCursor {
    var arguments = arguments + filter.arguments
    let (place, order) = filter.place(from: cursor, heading, &arguments)
    return try Row.fetchCursor(
      database,
      sql: "SELECT e.id, e.plantID FROM \(source) WHERE \(filter.condition)\(place) \(order)",
      arguments: arguments)
  }
}
