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
  /// The rows that entries are among, as SQL; nil for all entries of the query.
  private let rows: String?
  private let arguments: StatementArguments

  /// The entries of a query.
  init(_ filter: TimelineFilter) {
    self.filter = filter
    (rows, arguments) = (nil, [])
  }

  /// The entries of a query that are in some rows.
  init(_ filter: TimelineFilter, among rows: [Int64]) {
    self.filter = filter
    (self.rows, arguments) = (
      "json_each(?) r CROSS JOIN entry e ON e.id = r.value", [RowList(rows: rows)]
    )
  }

  /// The rows of entries with those of their plants.
  func rows(
    from cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading, _ database: Database
  ) throws -> RowCursor {
    var arguments = arguments + filter.arguments
    let (place, order) = filter.place(from: cursor, heading, &arguments)
    let source = try rows ?? filter.source(in: database)
    return try Row.fetchCursor(
      database,
      sql: "SELECT e.id, e.plantID FROM \(source) WHERE \(filter.condition)\(place) \(order)",
      arguments: arguments)
  }
}

/// The entries that match a term of a search, in their own texts or in those of their plant.
///
/// The search index has the entries in the order of their rows, and they are read from it only as far as
/// necessary: rows are mostly in order of time, so that the first page for a word that is in a million
/// entries is found by reading a few of them.
private struct TermMatches {
  /// The rows read from the index, one bit each, by their number divided by 64.
  private var found: [Int64: UInt64] = [:]
  /// The last row read; nil before the first.
  private var position: Int64?
  private var rows: RowCursor?
  private let isDescending: Bool
  private let plants: Set<Int64>

  private typealias RowCursor = FastDatabaseValueCursor<Int64>

  /// - Parameter heading: the order in which entries will mostly be checked.
  init(_ term: SearchText.Term, _ heading: DiaryModel.Cursor.Heading, _ database: Database) throws {
    isDescending = heading == .older
    plants = try Int64.fetchSet(
      database, sql: "SELECT rowid FROM plantText WHERE plantText MATCH ?",
      arguments: [term.match])
    rows = try Int64.fetchCursor(
      database,
      sql: """
        SELECT rowid FROM entryText WHERE entryText MATCH ?
        ORDER BY rowid \(isDescending ? "DESC" : "ASC")
        """, arguments: [term.entryMatch])
  }

  /// Whether an entry matches, by its row and that of its plant.
  mutating func contain(_ entry: Int64, plant: Int64?) throws -> Bool {
    if let plant, plants.contains(plant) { return true }
    try read(upTo: entry)
    return found[entry >> 6].map { $0 & (1 << UInt64(entry & 63)) != 0 } ?? false
  }

  /// All matching rows, if there are at most `limit` and no plant matches; nil otherwise.
  mutating func few(atMost limit: Int) throws -> [Int64]? {
    guard plants.isEmpty else { return nil }
    var few: [Int64] = []
    while let row = try next() {
      few.append(row)
      if few.count > limit { return nil }
    }
    return few
  }

  private mutating func read(upTo entry: Int64) throws {
    while rows != nil {
      if let position, isDescending ? position <= entry : position >= entry { return }
      _ = try next()
    }
  }

  private mutating func next() throws -> Int64? {
    guard let row = try rows?.next() else {
      rows = nil
      return nil
    }
    found[row >> 6, default: 0] |= 1 << UInt64(row & 63)
    position = row
    return row
  }
}

extension SearchText.Term {
  /// The term as an FTS5 string (sqlite.org/fts5.html, 3.1), in quotes, so that nothing in it is an operator.
  var match: String { Self.quoted(text) + (isPhrase ? "" : "*") }

  /// The same for entries, which a stored name may match as well (3.4, column filters).
  fileprivate var entryMatch: String {
    ([match] + stored.map { "words : \(Self.quoted($0))" }).joined(separator: " OR ")
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

extension TimelinePages {
  /// A search text in which words that nothing matches are replaced by the nearest ones among the names of plants,
  /// symptoms, activities and tags, and among further names; nil when there is no such text.
  package func correction(of text: SearchText, names: [String]) throws -> String? {
    guard !text.terms.isEmpty else { return nil }
    let known =
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM plant WHERE deletedAt IS NULL
          UNION ALL SELECT name FROM activity WHERE deletedAt IS NULL
          UNION ALL SELECT DISTINCT tag FROM entryTag WHERE isDeleted = 0
          UNION ALL SELECT DISTINCT s.name FROM symptom s JOIN entry e ON e.id = s.entryID
            WHERE e.deletedAt IS NULL
          """) + names
    return try text.corrected(by: known) { term in
      try Int.fetchOne(
        database,
        sql: """
          SELECT 1 FROM entryText t CROSS JOIN entry e ON e.id = t.rowid
            WHERE t.entryText MATCH ?1
          UNION ALL SELECT 1 FROM plantText t CROSS JOIN plant p ON p.id = t.rowid
            WHERE t.plantText MATCH ?2 LIMIT 1
          """, arguments: [term.entryMatch, term.match]) != nil
    }
  }
}
