package import DiaryModel
internal import GRDB

/// A quote in the catalog and when it was added.
package struct StoredQuote: Sendable {
  package let quote: Quote
  package let row: Int64
  package let createdAt: Timestamp
}

/// The owner of `quote`, and of `dayQuote`: the quotes that a service returned for days.
package struct QuoteTable: CatalogTable {
  let database: Database

  /// The quote stored for a day.
  package func kept(for day: LocalDay) throws -> Quote? {
    let find = try database.cachedStatement(
      sql: "SELECT q.* FROM dayQuote d JOIN quote q ON q.id = d.quoteID WHERE d.day = ?")
    return try Row.fetchOne(find, arguments: [day.description]).map(Quote.init(stored:))
  }

  /// Stores a quote for a day, unless the day already has one.
  ///
  /// - Returns: the day's quote.
  package func keep(_ quote: Quote, for day: LocalDay, now: Timestamp) throws -> Quote {
    if let kept = try kept(for: day) { return kept }
    let kept = try same(as: quote) ?? quote
    try keep(rowOrNew(kept, now: now), for: day)
    return kept
  }

  func keep(_ row: Int64, for day: LocalDay) throws {
    try database.execute(
      sql: "INSERT OR IGNORE INTO dayQuote (day, quoteID) VALUES (?, ?)",
      arguments: [day.description, row])
  }

  /// The days for which quotes are stored, by the quotes' rows.
  func days() throws -> [Int64: [LocalDay]] {
    try Row.fetchAll(database, sql: "SELECT quoteID, day FROM dayQuote ORDER BY day")
      .reduce(into: [:]) { try $0[$1[0], default: []].append(LocalDay(stored: $1[1])) }
  }

  /// Adds a quote of the user's own, unless it already exists.
  package func add(_ quote: Quote, now: Timestamp) throws -> (quote: Quote, isNew: Bool) {
    guard let same = try same(as: quote) else {
      _ = try rowOrNew(quote, now: now)
      return (quote, true)
    }
    try database.execute(
      sql: """
        UPDATE quote SET deletedAt = NULL, createdAt = ? WHERE publicID = ? AND deletedAt IS NOT NULL
        """, arguments: [now.milliseconds, same.id.description])
    return (same, database.changesCount > 0)
  }

  /// Deletes a quote of the user's own, so that it is not chosen again. Days before `today` keep it.
  ///
  /// - Returns: whether there was such a quote.
  package func delete(_ id: QuoteID, today: LocalDay, now: Timestamp) throws -> Bool {
    try database.execute(
      sql: """
        UPDATE quote SET deletedAt = ?
        WHERE publicID = ? AND origin = 'own' AND deletedAt IS NULL
        """, arguments: [now.milliseconds, id.description])
    guard database.changesCount > 0 else { return false }
    try database.execute(
      sql: """
        DELETE FROM dayQuote WHERE day >= ?
          AND quoteID = (SELECT id FROM quote WHERE publicID = ?)
        """, arguments: [today.description, id.description])
    return true
  }

  /// The stored quote with the same text, author, source and origin: fetching or adding a quote again does
  /// not make another one.
  private func same(as quote: Quote) throws -> Quote? {
    try Row.fetchOne(
      database,
      sql: "SELECT * FROM quote WHERE origin = ? AND text = ? AND author IS ? AND source IS ?",
      arguments: [quote.origin.rawValue, quote.text, quote.author, quote.source]
    ).map(Quote.init(stored:))
  }

  /// The times at which the user's own quotes were added, in order.
  package func ownTimes() throws -> [Timestamp] {
    try Int64.fetchAll(
      database,
      sql: """
        SELECT createdAt FROM quote WHERE origin = 'own' AND deletedAt IS NULL ORDER BY createdAt, id
        """
    ).map(Timestamp.init(milliseconds:))
  }

  /// One of the user's own quotes, in the order in which they were added.
  package func own(at index: Int) throws -> Quote {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM quote WHERE origin = 'own' AND deletedAt IS NULL
        ORDER BY createdAt, id LIMIT 1 OFFSET ?
        """,
      arguments: [index])
    guard let row else { throw CatalogError(.damaged, "A quote is gone from the catalog.") }
    return try Quote(stored: row)
  }

  /// All quotes except those of the bundled collection, in no particular order.
  package func allStored() throws -> [StoredQuote] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM quote WHERE origin <> 'bundled' AND deletedAt IS NULL"
    ).map { row in
      StoredQuote(
        quote: try Quote(stored: row), row: row["id"],
        createdAt: Timestamp(milliseconds: row["createdAt"]))
    }
  }

  /// The quotes in the catalog whose ids start with a prefix, at most six.
  package func startingWith(_ prefix: String) throws -> [Quote] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM quote WHERE substr(publicID, 1, length(?1)) = ?1 LIMIT 6",
      arguments: [prefix]
    ).map(Quote.init(stored:))
  }

  /// The stored quote with the id of another library's quote or, for one that is not of the bundled collection, with
  /// the same text, author, source and origin.
  func stored(like quote: Quote) throws -> ExchangedQuote? {
    let id = try row(of: quote.id) != nil ? quote.id : same(as: quote)?.id
    guard let id else { return nil }
    return try Row.fetchOne(
      database, sql: "SELECT * FROM quote WHERE publicID = ?", arguments: [id.description]
    ).map {
      ExchangedQuote(
        quote: try Quote(stored: $0), createdAt: Timestamp(stored: $0["createdAt"]),
        deletedAt: Timestamp(stored: $0["deletedAt"]))
    }
  }

  func row(of id: QuoteID) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM quote WHERE publicID = ?"),
      arguments: [id.description])
  }

  /// The row of a quote, inserted if there is none.
  func rowOrNew(_ quote: Quote, now: Timestamp) throws -> Int64 {
    if let row = try row(of: quote.id) { return row }
    try database.cachedStatement(
      sql: """
        INSERT INTO quote (publicID, text, author, source, origin, createdAt)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      quote.id.description, quote.text, quote.author, quote.source, quote.origin.rawValue,
      now.milliseconds,
    ])
    return database.lastInsertedRowID
  }

  /// Marks a quote as deleted or not, as it is in another library.
  func setDeleted(_ id: QuoteID, at time: Timestamp?) throws {
    try database.execute(
      sql: "UPDATE quote SET deletedAt = ? WHERE publicID = ?",
      arguments: [time?.milliseconds, id.description])
  }

  /// Removes the quotes of the bundled collection that are neither favourites nor quotes of a day.
  func removeUnused() throws {
    try database.execute(
      sql: """
        DELETE FROM quote WHERE origin = 'bundled'
          AND id NOT IN (SELECT quoteID FROM favouriteQuote)
          AND id NOT IN (SELECT quoteID FROM dayQuote)
        """)
  }
}

extension Quote {
  init(stored row: Row) throws {
    self.init(
      id: QuoteID(stored: row["publicID"]), text: row["text"], author: row["author"],
      source: row["source"], origin: try .init(stored: row["origin"]))
  }
}

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
    try put(row, [("quoteID", tables.quotes.rowOrNew(quote, now: now).databaseValue)])
  }

  /// Makes a quote a favourite: restores its entry from the trash if there is one, and adds one
  /// otherwise.
  ///
  /// - Returns: its entry, and whether it was not a favourite before.
  package func add(
    _ quote: Quote, at time: EntryTime, tags: [String]? = nil, now: Timestamp
  ) throws -> (entry: Entry, isNew: Bool) {
    let before = try entries(of: quote.id)
    let undeleted = before.first { $0.deletedAt == nil }
    guard let entry = undeleted ?? before.last else {
      let draft = EntryDraft(time: time, tags: tags ?? [], content: .quote(quote))
      try tables.entries.insert(draft, now: now)
      return (try tables.entries.find(draft.id.description, of: .quote), true)
    }
    var edit = EntryEdit(entry.id, isDeleted: false)
    edit.tags = tags.map { tags in { _ in tags } }
    _ = try tables.entries.apply(edit, now: now)
    return (try tables.entries.find(entry.id.description, of: .quote), undeleted == nil)
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
      // In this order: there are few favourites among all entries.
      sql: """
        SELECT q.publicID FROM favouriteQuote f CROSS JOIN entry e ON e.id = f.entryID
        CROSS JOIN quote q ON q.id = f.quoteID WHERE e.deletedAt IS NULL
        """)
    return Set(ids.map(QuoteID.init(stored:)))
  }
}
