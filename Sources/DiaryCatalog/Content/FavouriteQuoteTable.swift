package import DiaryModel
internal import GRDB

/// The owner of `favouriteQuote`: the quotes of entries of the kind `quote`.
package struct FavouriteQuoteTable: ContentTable {
  static let (kind, name) = (EntryKind.quote, "favouriteQuote")
  let database: Database

  func contents(of entries: RowList) throws -> [Int64: EntryContent] {
    try contents(
      """
      SELECT f.entryID, q.* FROM favouriteQuote f JOIN quote q ON q.id = f.quoteID WHERE f.entryID
      """, of: entries
    ) { .quote(try Quote(stored: $0)) }
  }

  func set(_ quote: Quote, ofEntry row: Int64, now: Timestamp) throws {
    try replace(
      ["entryID": row, "quoteID": tables.quotes.rowOrNew(quote, now: now)])
  }

  /// Makes a quote a favourite: restores its entry from the trash if there is one, and adds one
  /// otherwise.
  ///
  /// - Returns: its entry, and whether it was not a favourite before.
  package func add(
    _ quote: Quote, at time: EntryTime, tags: [String]? = nil, now: Timestamp
  ) throws -> (entry: Entry, isNew: Bool) {
    let before = try entries(of: quote.id)
    let living = before.first { $0.deletedAt == nil }
    guard let entry = living ?? before.last else {
      let draft = EntryDraft(time: time, tags: tags ?? [], content: .quote(quote))
      try tables.entries.insert(draft, now: now)
      return (try tables.entries.find(draft.id.description, of: .quote), true)
    }
    var edit = EntryEdit(entry.id, isDeleted: false)
    edit.tags = tags.map { tags in { _ in tags } }
    _ = try tables.entries.apply(edit, now: now)
    return (try tables.entries.find(entry.id.description, of: .quote), living == nil)
  }

  /// The entries of a quote, those in the trash included, in order of time.
  package func entries(of id: QuoteID) throws -> [Entry] {
    try tables.entries.fetch(
      EntrySelection.sql + """
         JOIN favouriteQuote f ON f.entryID = e.id JOIN quote q ON q.id = f.quoteID
        WHERE q.publicID = ? ORDER BY \(EntrySelection.oldestFirst)
        """, [id.description])
  }

  /// The quotes that are favourites.
  package func quotes() throws -> Set<QuoteID> {
    let ids = try String.fetchSet(
      database,
      sql: """
        SELECT q.publicID FROM favouriteQuote f JOIN entry e ON e.id = f.entryID
        JOIN quote q ON q.id = f.quoteID WHERE e.deletedAt IS NULL
        """)
    return Set(ids.map(QuoteID.init(stored:)))
  }
}
