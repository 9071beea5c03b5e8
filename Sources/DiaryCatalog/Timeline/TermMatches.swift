internal import DiaryModel
internal import GRDB

/// The entries that match a term of a search, in their own texts or in those of their plant.
///
/// The search index has the entries in the order of their rows, and they are read from it only as far as
/// necessary: rows are mostly in order of time, so that the first page for a word that is in a million
/// entries is found by reading a few of them.
struct TermMatches {
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
        """, arguments: [term.match])
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
  var match: String {
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
